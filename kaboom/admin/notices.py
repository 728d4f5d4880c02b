"""Messages from the server's host to players: notices to all, and what was done about them."""

import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from flask import Blueprint, after_this_request, current_app, redirect, request
from flask_babel import format_time
from werkzeug.wrappers import Response

from kaboom.accounts.current import known_player
from kaboom.admin import queries
from kaboom.admin.cache import Holding, holding
from kaboom.admin.queries import MatchOf, Sanction
from kaboom.admin.sanctions import CHANGED, MUTE, MUTED, OUT, WARN
from kaboom.admin.service import DELETE, END, HOST, NO_HOST, RENAME, UNBANNED, UNMUTED, VOID
from kaboom.db.times import DAY
from kaboom.engine.codec import from_json
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import spoken_now
from kaboom.games import GAMES
from kaboom.table_page.page_data import day
from kaboom.tables.context import tables
from kaboom.tables.service import TableService
from kaboom.web import rate_limits
from kaboom.web.links import own_page
from kaboom.web.session import cookie_name, keep_cookie

bp = Blueprint("notices", __name__)

SHOWN_COOKIE = "told"  # cookie with the notices that a table has already unfolded in this browser
SHOWN_FOR = int(30 * DAY)

TOLD = {
    WARN: N_("The server’s host warns you."),
    MUTE: N_("The server’s host has muted you until {day}: you cannot write messages."),
    OUT: N_("The server’s host has banned you until {day}: you cannot play or watch here."),
    CHANGED[MUTE]: N_("The server’s host has changed how long you are muted: now until {day}."),
    RENAME: N_("The server’s host has given you another name: {name}."),
    DELETE: N_("The server’s host has deleted one of your messages."),
    HOST: N_("You are now a host of this server, too. Your profile links to the hosts’ pages."),
    UNMUTED: N_("The server’s host has unmuted you: you can write messages again."),
    UNBANNED: N_("The server’s host has lifted your ban: you can play and watch again."),
    END: N_("The server’s host has ended one of your matches without a result."),
    NO_HOST: N_("You are no longer a host of this server."),
    VOID: N_("The server’s host has taken one of your matches out of the ratings."),
}
# The same of a match that is known.
TOLD_OF = {
    END: N_(
        "The server’s host has ended your match of {game} with {names}, at table {code}, without a "
        "result."
    ),
    VOID: N_(
        "The server’s host has taken your match of {game} with {names}, {code}, out of the ratings."
    ),
}
# Of each group, only the last message still holds.
GROUPS = ((MUTE, CHANGED[MUTE], UNMUTED), (OUT, CHANGED[OUT], UNBANNED), (HOST, NO_HOST), (RENAME,))


def sentence(it: Sanction, name: str = "", changed: str = "", match: MatchOf | None = None) -> str:
    """Return the sentence that tells the player with that name about a sanction, its reason, why
    its end was `changed`, and how to object. `match` is the one that it is about.
    """
    done = _(TOLD[it.kind], day=moment(it.until) if it.until else "", name=name)
    if match is not None:
        game = GAMES[match.game].name if match.game in GAMES else match.game
        others = from_json(match.names, list[str])
        if name in others:
            others.remove(name)
        done = _(TOLD_OF[it.kind], game=game, names=", ".join(others), code=match.code)
    if it.kind in (UNMUTED, UNBANNED) or not it.why:
        return done
    why = _("The reason: “{why}”.", why=it.why.removesuffix("."))
    if changed:
        why += " " + _("The reason for the new end date: “{why}”.", why=changed.removesuffix("."))
    return f"{done} {why}" if it.kind == HOST else f"{done} {why}{objection()}"


def moment(seconds: float) -> str:
    """Return the day and hour of a time in seconds since 1970, in the format of the reader's
    language; in English, in that of the host's pages.
    """
    at = datetime.fromtimestamp(seconds, UTC)
    if spoken_now().code == "en":
        return f"{at.day} {at:%b %Y, %H:%M} UTC"
    hour: str = format_time(at, "short", rebase=False)
    return f"{day(seconds)}, {hour} UTC"


def objection() -> str:
    """Return a space and the sentence that says how to object; "" on a server without a contact
    address.
    """
    if contact := current_app.config["SERVER"].contact.removeprefix("mailto:"):
        return " " + _("To object, write to {contact}.", contact=contact)
    return ""


class Told(NamedTuple):
    """What a page shows from the host: notices to all players, and unread messages to the
    requesting player.

    `mark` changes with them.
    """

    shared: list[str]
    own: list[str]
    mark: str


def told_by_host() -> Told:
    """Return what the requested page shows from the host."""
    held = holding(tables(), at_once=request.blueprint == "admin")
    shared = _shared(held)
    known = known_player() if held.sanctions else None
    own = [_told(held, it, known[1]) for it in _unread(held, known[0])] if known else []
    return Told(shared, own, _mark((shared, own)))


def _told(held: Holding, it: Sanction, name: str) -> str:
    """Return the sentence about a message to a player; a mute also tells why it was changed."""
    changed = change_of(held, it) if it.kind == MUTE and not it.read else ""
    return sentence(it, name, changed, held.matches.get(it.id))


def change_of(held: Holding, it: Sanction) -> str:
    """Return why the end of a mute or ban was last changed; "" if it was not."""
    whys = [its.why for its in held.sanctions[it.player] if its.kind == CHANGED[it.kind]]
    return whys[-1] if whys else ""


def is_news(told: Told) -> bool:
    """Return True the first time that a table shows this browser these notices to all players."""
    mark = _mark(told.shared)
    if not told.shared or request.cookies.get(cookie_name(SHOWN_COOKIE)) == mark:
        return False

    @after_this_request
    def remember(response: Response) -> Response:
        keep_cookie(response, SHOWN_COOKIE, mark, SHOWN_FOR)
        return response

    return True


def _mark(told: object) -> str:
    return f"{zlib.crc32(repr(told).encode()):x}"


def beside_room(service: TableService, player: int | None) -> list[str | int]:
    """Return a value that changes with what an open table shows from the host."""
    held = holding(service)
    if not (held.notices or held.sanctions):
        return []  # nearly always: each stream asks after each move
    return [*_shared(held), *(it.id for it in _unread(held, player))]


def silenced(service: TableService, player: int | None) -> str:
    """Return the sentence for a player whom the host has muted, or ""."""
    if player is not None and any(
        it.kind == MUTE and it.until > service.now()
        for it in holding(service).sanctions.get(player, ())
    ):
        return _(MUTED)
    return ""


def halted() -> str:
    """Return the sentence that says that no table can be opened now, or ""."""
    return halt_in(holding(tables()).notices)


def _shared(held: Holding) -> list[str]:
    return [text for text in (halt_in(held.notices), held.notices.get("today")) if text]


def halt_in(notices: Mapping[str, str]) -> str:
    """Return the sentence that says why no table can be opened now, or ""."""
    text = notices.get("halt")
    return _("No new tables for now: {text}", text=text) if text else ""


def _unread(held: Holding, player: int | None) -> list[Sanction]:
    """Return the host's messages that a player has not read and that still hold. A changed mute
    says when it ends now; an unread mute says so itself.
    """
    now = tables().now()
    own = held.sanctions.get(player, ()) if player is not None else ()
    mute = next((it for it in reversed(own) if it.kind == MUTE and it.until > now), None)
    return [
        it._replace(until=mute.until) if mute and it.kind == CHANGED[MUTE] else it
        for it in own
        if not it.read
        and it.kind not in (OUT, CHANGED[OUT])
        and (it.kind != CHANGED[MUTE] or (mute is not None and mute.read))
        and (it is mute or _holds(it, own))
    ]


def _holds(it: Sanction, own: Sequence[Sanction]) -> bool:
    """Return True unless a later message to the player replaces this one."""
    group = next((kinds for kinds in GROUPS if it.kind in kinds), ())
    return it.kind != MUTE and not any(its.id > it.id and its.kind in group for its in own)


@bp.post("/account/messages/read")
@rate_limits.both(player="20 per minute", address="60 per minute")
def have_read() -> Response:
    """Mark the host's messages to the player as read, and redirect to the page they were on."""
    if known := known_player():
        tables().database.write(lambda c: queries.set_read(c, known[0]))
        tables().signals.ordered(known[0])  # other pages need not show them either
    return redirect(own_page(request.form.get("next", "")), 303)
