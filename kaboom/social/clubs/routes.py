"""Clubs: the player's list, a club's page, its links, members and tables."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from babel.dates import format_skeleton
from flask import Blueprint, make_response, redirect, request, url_for
from flask import render_template as render
from flask_babel import get_locale
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.current import ensure_player, known_name
from kaboom.accounts.login import LinkExpired
from kaboom.accounts.names import require_readable_name
from kaboom.db.ids import can_be_code
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState
from kaboom.notifications.quiet_hours import zones
from kaboom.sharing.qr_codes import qr_code
from kaboom.social.clubs import api as in_words
from kaboom.social.clubs import events, invitations, roles, tournaments
from kaboom.social.clubs import service as clubs
from kaboom.social.clubs.service import Club, no_club
from kaboom.tables.context import tables
from kaboom.tables.forms.listing import LobbyTable, lobby_table
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.errors import on_refusal
from kaboom.web.forms import number
from kaboom.web.links import absolute
from kaboom.web.session import command, key_hash
from kaboom.web.times import span

bp = Blueprint("clubs", __name__)


@bp.url_value_preprocessor
def clean_code(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Normalise a club's code in a URL; raises ClubNotFound for an invalid one."""
    assert values is not None  # the URL matched a route for clubs
    if "club" in values:
        values["club"] = read_code(values["club"])


def read_code(club: str) -> str:
    """Return a club's code in its stored form; raises ClubNotFound for an invalid one."""
    code = club.upper()
    if not can_be_code(code):
        raise no_club()
    return code


# The player's clubs


@bp.get("/clubs")
def own(status: int = 200, wrong: str = "") -> AnyResponse:
    """Show the player's clubs, and a form to found one."""
    mine = clubs.clubs_of(tables(), key_hash())
    page = render(
        "social/clubs/list.html", mine=mine, name=known_name(), wrong=wrong, typed=request.form
    )
    return make_response(page, status)


@bp.post("/clubs")
@rate_limits.both(player="6 per hour", address="20 per hour")
@on_refusal(own)
def found() -> AnyResponse:
    """Found a club. A player without a name enters one."""
    form = request.form
    called = require_readable_name(form.get("called", ""))
    clubs.require_title(form.get("club", ""))  # checked before a key is created
    phrases = form.get("phrases") == "1"
    player, _name = ensure_player(called)
    code = clubs.found(tables(), player, form.get("club", ""), called, phrases)
    return redirect(url_for("clubs.show", club=code), 303)


# A club


@bp.get("/clubs/<club>")
def show(club: str) -> AnyResponse:
    """Show a club: its tables and members to its members, its name to others."""
    return _page(club) if wants_html() else told(club)


def told(code: str) -> AnyResponse:
    """Return a club in a format other than HTML."""
    club = clubs.get(tables(), code, key_hash())
    planned = events.of_club(tables(), code, key_hash()).planned
    cups = tournaments.of_club(tables(), code, key_hash())
    rooms = [it for it in _tables(club) if it.playing or it.free]
    return in_words.club(club, rooms, planned, cups, _when)


@bp.post("/clubs/<club>/ask")
@rate_limits.both(player="10 per hour", address="30 per hour")
def ask(club: str) -> AnyResponse:
    """Ask to join the club."""

    def work() -> None:
        name = require_readable_name(request.form.get("name", ""))
        invitations.require_membership_request(tables(), club)  # checked before a key is created
        player, _name = ensure_player(name)
        invitations.ask(tables(), club, player, name)

    return _do(club, work)


@bp.post("/clubs/<club>/dates")
@rate_limits.both(player="60 per hour", address="200 per hour")
def plan(club: str) -> AnyResponse:
    """Plan an event; attend it or not; cancel it."""
    form, (what, _unused, which) = request.form, request.form.get("do", "").partition(" ")
    when = (form.get("day", "")[:20], form.get("time", "")[:20], form.get("zone", "").strip()[:64])

    def work() -> None:
        if what == "plan":
            game, note = form.get("game", ""), form.get("note", "")
            events.plan(tables(), club, key_hash(), game, when, note, command())
        elif what in ("come", "stay"):
            events.come(tables(), club, key_hash(), number(which, 0), what == "come")
        elif what == "cancel":
            events.cancel(tables(), club, key_hash(), number(which, 0))
        else:
            raise InvalidState(_("There is no such action."))

    return _do(club, work, anchor="dates")


@bp.post("/clubs/<club>/members")
@rate_limits.both(player="60 per minute", address="120 per minute")
def arrange(club: str) -> AnyResponse:
    """Answer a request to join; promote, remove or block a member."""
    what, _unused, word = request.form.get("do", "").partition(" ")
    word = word or request.form.get("who", "")
    return _do(
        club, lambda: roles.change_role(tables(), club, key_hash(), what, word), anchor="members"
    )


@bp.post("/clubs/<club>/name")
@rate_limits.both(player="20 per hour", address="60 per hour")
def be_called(club: str) -> AnyResponse:
    """Change the player's name in the club."""
    name = request.form.get("name", "")
    return _do(club, lambda: clubs.be_called(tables(), club, key_hash(), name), page=settings)


@bp.post("/clubs/<club>/leave")
@rate_limits.both(player="20 per hour", address="60 per hour")
def leave(club: str) -> AnyResponse:
    """Leave the club, or withdraw a request to join."""

    def work() -> None:
        if request.form.get("sure") != "1":
            raise InvalidState(_("Tick the box first."))
        clubs.leave(tables(), club, key_hash())

    return _do(club, work, page=settings, to=url_for("clubs.own"))


@bp.get("/clubs/<club>/settings")
def settings(club: str, status: int = 200, wrong: str = "") -> AnyResponse:
    """Show the player's name in the club, the form to leave it and, to officers, its settings."""
    found = clubs.get(tables(), club, key_hash())
    if not found.inside:
        return _page(club, status, wrong)
    return make_response(render("social/clubs/settings.html", club=found, wrong=wrong), status)


@bp.post("/clubs/<club>/settings")
@rate_limits.both(player="30 per hour", address="90 per hour")
def settle(club: str) -> AnyResponse:
    """Set the club's name, whether players may ask to join, and its chat rules; only
    officers may.
    """
    form = request.form
    name, asking, phrases = form.get("name", ""), form.get("asking"), form.get("phrases")
    return _do(
        club,
        lambda: clubs.settle(tables(), club, key_hash(), name, asking == "1", phrases == "1"),
        page=settings,
    )


@bp.post("/clubs/<club>/link")
@rate_limits.both(player="10 per minute; 30 per hour", address="30 per minute; 90 per hour")
def link(club: str) -> AnyResponse:
    """Create or delete an invitation link. It is shown only once, because only its hash is
    stored.
    """
    if request.form.get("do") == "end":
        return _do(club, lambda: invitations.end_link(tables(), club, key_hash()))
    try:
        secret = invitations.new_link(tables(), club, key_hash())
    except Refusal as no:
        return _page(club, no.status, str(no))
    made = absolute("clubs.look_at_link", secret=secret)
    page = render(
        "social/clubs/link.html", club=club, link=made, qr=qr_code(made), days=invitations.LINK_DAYS
    )
    return make_response(page)


@bp.get("/clubs/join/<secret>")
@on_refusal(own)
def look_at_link(secret: str, status: int = 200, wrong: str = "") -> AnyResponse:
    """Show the button that joins a club. Opening the link changes nothing."""
    name = invitations.name_on_link(tables(), secret, key_hash())
    page = render(
        "social/clubs/link.html", secret=secret, name=name, known=known_name(), wrong=wrong
    )
    return make_response(page, status)


@bp.post("/clubs/join/<secret>")
@rate_limits.both(player="20 per minute", address="60 per minute")
def join(secret: str) -> AnyResponse:
    """Join the club to which the link invites."""
    try:
        invitations.name_on_link(tables(), secret, key_hash())  # checked before a key is created
        name = require_readable_name(request.form.get("name", ""))
        player, _name = ensure_player(name)
        code = invitations.join(tables(), secret, player, name)
    except LinkExpired as no:
        return own(410, str(no))
    except Refusal as no:
        return look_at_link(secret, no.status, str(no))
    return redirect(url_for("clubs.show", club=code), 303)


def _page(code: str, status: int = 200, wrong: str = "") -> AnyResponse:
    club = clubs.get(tables(), code, key_hash())
    found = _tables(club)
    page = render(
        "social/clubs/show.html",
        club=club,
        dates=events.of_club(tables(), club.code, key_hash()),
        when=_when,
        month_of=_month_of,
        span=span,
        zones=zones(),
        typed=request.form,
        playing=[it for it in found if it.playing],
        tournaments=tournaments.of_club(tables(), club.code, key_hash()),
        waiting=[it for it in found if not it.playing and it.free],
        address=absolute("clubs.show", club=club.code),
        name=known_name(),
        wrong=wrong,
    )
    return make_response(page, status)


def _when(at: datetime) -> str:
    """Return a day and a time in the reader's format."""
    day = format_skeleton("MMMEd", at.replace(tzinfo=None), locale=get_locale())
    return f"{day}, {at:%H:%M}"


def _month_of(at: datetime) -> str:
    """Return the short name of a month in the reader's language."""
    return format_skeleton("MMM", at.replace(tzinfo=None), locale=get_locale())


def _do(
    club: str,
    work: Callable[[], None],
    page: Callable[[str, int, str], AnyResponse] = _page,
    anchor: str = "",
    to: str = "",
) -> AnyResponse:
    """Run `work` in a club; a refusal is shown on the page that the form came from."""
    try:
        work()
    except clubs.ClubNotFound:
        raise
    except Refusal as no:
        return page(club, no.status, str(no))
    return redirect(to or url_for("clubs.show", club=club, _anchor=anchor or None), 303)


def _tables(club: Club) -> list[LobbyTable]:
    """Return the tables of a club that are not empty."""
    found = clubs.tables_of(tables(), club.code, key_hash()) if club.inside else []
    return [lobby_table(it) for it in found if it.table.sitting()]
