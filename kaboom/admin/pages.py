"""What all host pages share: who may see them, their frame, and what was just done.

All except the one-use link require a host; other players always get the same refusal.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from flask import Blueprint, Response, current_app, g, make_response, redirect, request, url_for
from flask import render_template as render
from sqlalchemy import Connection
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts import players
from kaboom.accounts.current import known_player
from kaboom.admin import queries
from kaboom.admin.cache import holding
from kaboom.admin.queries import Act
from kaboom.admin.sanctions import CHANGES, end_of
from kaboom.admin.texts import UNSAY, said_of
from kaboom.db.database import Unavailable
from kaboom.errors import InvalidState, NotPermitted
from kaboom.tables.context import tables
from kaboom.web.api.negotiation import wants_html
from kaboom.web.errors import not_done, refused
from kaboom.web.forms import number
from kaboom.web.session import bearer, key_hash

bp = Blueprint("admin", __name__, url_prefix="/host")

SHOWN = 200  # players and reports on a page
PAGE = 25  # acts, tables or matches on a page of a list
JUST = 60.0  # seconds for which a page shows what the host just did
MINUTE = 60.0
TOGETHER = 1.0  # seconds between acts that one form has caused
# The navigation link that leads to a page without a link of its own.
SECTIONS = {
    "person": "people", "report": "reports", "invite": "upkeep", "messages": "upkeep",
    "matches": "upkeep", "hosts": "upkeep", "backups": "upkeep",
}  # fmt: skip


# What undoes an act on a report, and the label of its button.
AGAIN = {
    "close report": ("reopen", "Reopen the report"),
    "reopen report": ("close", "Close the report again"),
}
# The words of buttons that put a notice back.
SAY_AGAIN = {"halt": "Stop new tables again", "today": "Show the message again"}


class Undo(NamedTuple):
    """The form that undoes an act: its URL, its fields, and its button."""

    action: str
    fields: Mapping[str, object]
    words: str


Read = Callable[[Connection], dict[str, Any]]


def _host() -> str | None:
    known = known_player() if bearer() is None else None
    if known is None:
        return None

    def work(connection: Connection) -> str | None:
        if not queries.is_host(connection, known[0]):
            return None
        return queries.signature(connection, *known)

    return tables().database.read(work)


class NotHost(NotPermitted):
    """The request is not from a host of this server."""


@bp.before_request
def require_host() -> None:
    """Raise NotHost for a request that is not from a host, except about a one-use link."""
    if request.endpoint in ("admin.link", "admin.come"):
        return
    name = _host()
    if name is None:
        raise NotHost(
            "These pages are for hosts of this server. If you are one, sign in. To become one, "
            "open a link that another host has made, or “kaboom host link” on the server."
        )
    g.host = name
    _note_active()


def the_host() -> str:
    """Return the requesting host's name in the list of acts."""
    name: str = g.host
    return name


def _note_active() -> None:
    """Record at most once per minute that the host is at work, also when they only read."""
    known, service = known_player(), tables()
    if (
        known
        and service.now() - service.database.read(lambda c: queries.acted(c, known[0])) > MINUTE
    ):
        with suppress(Unavailable):
            players.note_active(service, key_hash())


@bp.errorhandler(NotHost)
def not_host(no: NotHost) -> Response:
    """Respond to players who are not hosts, with the ways to become one."""
    if not wants_html():
        return not_done(no)
    return make_response(render("admin/refused.html"), no.status)


@bp.errorhandler(NotFound)
def missing(error: NotFound) -> AnyResponse:
    """Respond that no player or report has that number, and link to the lists."""
    if not wants_html() or _host() is None:
        return refused(error)
    return page("missing", status=404, sentence=error.description)


def by_host() -> bool:
    """Return True if the requester is a host of this server, or was one a second ago."""
    hosts = holding(tables()).hosts
    known = known_player() if hosts and bearer() is None else None
    return known is not None and known[0] in hosts


def reports_to_read() -> int:
    """Return the number of open reports if the requester is a host of this server, otherwise 0."""
    return holding(tables(), at_once=request.blueprint == "admin").reports if by_host() else 0


def require_sure() -> None:
    """Raise InvalidState unless the box that confirms the act is ticked."""
    if "sure" not in request.form:
        raise InvalidState("Nothing has changed yet. Tick the box to say that you are sure.")


def field(name: str) -> int:
    """Return a number from the form; 0 if it is missing or malformed."""
    return number(request.form.get(name), otherwise=0)


def page(
    template: str,
    read: Read = lambda connection: {},
    wrong: str = "",
    status: int = 200,
    **values: object,
) -> AnyResponse:
    """Return a host page with what `read` returns. It shows what the host just did, or why that was
    refused.
    """
    now = tables().now()
    just = "done" in request.args and not wrong
    known = known_player() if just else None
    # The name changes with that of another host.
    names = (known[1], queries.numbered(*known)) if known else ()

    def work(connection: Connection) -> dict[str, Any]:
        return {
            **read(connection),
            "open_reports": queries.open_reports(connection),
            **(_just_done(connection, names, now) if names else {"done": [], "undos": []}),
        }

    found = tables().database.read(work)
    chosen = {name: request.args.get(name, "") for name in ("do", "code", "id")}  # by a link
    html = render(
        f"admin/{template}.html",
        wrong=wrong,
        typed=request.form if request.method == "POST" else chosen,
        section=SECTIONS.get(template, template),
        template=template,
        now=now,
        contact=current_app.config["SERVER"].contact.removeprefix("mailto:"),
        **found,
        **values,
    )
    return make_response(html, status)


def done(endpoint: str, **values: Any) -> AnyResponse:
    """Redirect to a page that shows what the host just did."""
    return redirect(url_for(endpoint, done=1, _anchor="done", **values), 303)


def _just_done(connection: Connection, names: Collection[str], now: float) -> dict[str, Any]:
    """Return sentences about what the host with these names did last, if that was just now, and
    what undoes it. They come from the list of acts, so a forged link cannot claim that something
    was done.
    """
    last = queries.acts(connection, 2, names)
    fresh = [it for it in last if now - it.at < JUST and last[0].at - it.at < TOGETHER]
    undone = (_undo(connection, it, now) for it in reversed(fresh))

    def out(act: Act) -> bool:
        return queries.is_sanctioned(connection, act.player, "out", now)

    def until(act: Act) -> float:
        kind = next((it for it in ("mute", "out") if it in act.act.split()), "")
        told = queries.sanctions_of(connection, act.player) if kind else ()
        return next((it.until for it in told if it.kind == kind), 0.0)

    said = (said_of(it, out(it), until(it)) for it in reversed(fresh))
    return {
        "done": [it for it in said if any(part.text for part in it)],
        "undos": [it for it in undone if it],
    }


def _here(player: int) -> Mapping[str, object]:
    """Return the form field that leads back to the requested page, which is about a report or a
    player.
    """
    if request.endpoint == "admin.report":
        return {"report": (request.view_args or {}).get("number", 0)}
    return {"person": player}


def _acts_here(player: int) -> str:
    """Return the URL to which the requested page sends acts on a player."""
    if request.endpoint == "admin.report":
        return request.path
    return url_for("admin.act", number=player)


def _undo(connection: Connection, act: Act, now: float) -> Undo | None:
    """Return the form that undoes an act, if it has one and still stands."""
    first, player = act.act.partition(" ")[0], act.player
    if first in CHANGES:
        return _undo_change(connection, act, now)
    if first in ("say", "unsay"):
        return _undo_notice(connection, act)
    if first in ("mute", "out"):
        told = queries.sanctions_of(connection, player)
        its = (it for it in told if it.kind == first and it.until > now)
        if standing := next(its, None):
            fields = {"do": "lift", "sanction": standing.id, **_here(player)}
            words = "End the mute" if first == "mute" else "End the ban"
            return Undo(url_for("admin.lift"), fields, words)
    if act.act == "rename":
        named = act.named
        taken = [old for _at, old in queries.former_names(connection, player)]
        now_so = named and queries.name_of(connection, player) == named["new"]
        if named and now_so and named["name"] in taken:  # a name given back stays
            fields = {"do": "rename", "name": named["name"]}
            return Undo(_acts_here(player), fields, "Give back the old name")
    _kind, _space, number = act.about.partition(" ")
    if act.act in AGAIN and number.isdecimal():
        do, words = AGAIN[act.act]
        return Undo(url_for("admin.decide", number=int(number)), {"do": do}, words)
    return None


def _undo_change(connection: Connection, act: Act, now: float) -> Undo | None:
    """Return the form that undoes a change of when a sanction ends."""
    kind, until = act.act.split()[1], end_of(act)
    told = queries.sanctions_of(connection, act.player)
    its = (it for it in told if it.kind == kind and it.until > now)
    standing = next((it for it in its if abs(it.until - until) < queries.SAME), None)
    if standing is None:
        return None
    fields = {"do": "back", "sanction": standing.id, **_here(act.player)}
    return Undo(url_for("admin.change"), fields, "Undo the change")


def _undo_notice(connection: Connection, act: Act) -> Undo | None:
    """Return the form that puts back what was on every page before a notice was set or removed."""
    kind = act.about
    if queries.notices(connection).get(kind, "") != act.why:
        return None
    last = queries.acts_of_notice(connection, kind, 2)
    before = last[1].why if len(last) > 1 else ""
    if not before:
        words = UNSAY[kind]
    else:
        words = SAY_AGAIN[kind] if act.act == "unsay" else "Show the former message again"
    where = {"from": "now"} if request.endpoint == "admin.now" else {}
    return Undo(url_for("admin.do_upkeep"), {"do": kind, "text": before, **where}, words)
