"""The views of a table: its page, its fragments, its stream, its rules."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from secrets import token_hex

from flask import Flask, Response, current_app, g, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.api_keys import service as api_keys
from kaboom.db.database import Unavailable
from kaboom.engine.i18n import gettext as _
from kaboom.engine.options import described
from kaboom.realtime.hub import Hub, TooManyStreams
from kaboom.realtime.presence import Attendance, Presence
from kaboom.realtime.stream import MERGE, Look, Shape, has_left, rendering, requesting
from kaboom.realtime.stream import events as stream
from kaboom.sharing.qr_codes import qr_code_svg
from kaboom.social.chat.room import presence, room_number
from kaboom.table_page import tips
from kaboom.table_page.page_data import asked, table_page
from kaboom.table_page.responses import bp, changed, to_page, whole_page
from kaboom.table_page.responses_api import rendering_later, shown
from kaboom.table_page.stream import VIEWS, Views, sight_of_stream
from kaboom.table_page.updates import Sight
from kaboom.tables.clock.timers import flows
from kaboom.tables.context import tables
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import rate_limits
from kaboom.web.api import responses
from kaboom.web.api.negotiation import Format, response_format, wants_html
from kaboom.web.api.problems import problem
from kaboom.web.links import invitation
from kaboom.web.rules_pages import rules_of
from kaboom.web.session import bearer, key_hash, shown_key

WAIT = 25.0  # seconds for which a request that waits for the next move is held open


def hub() -> Hub:
    """Return this process's hub of streams."""
    found: Hub = current_app.extensions["kaboom.hub"]
    return found


@bp.get("")
def show(code: str) -> Response:
    """Show the table's page, or return the table in the requested format."""
    snapshot = tables().get(code, key_hash())
    if not wants_html():
        return shown(snapshot)
    return whole_page(snapshot, ask=asked(snapshot, request.args.get("ask", "")))


@bp.get("/view")
def view(code: str) -> AnyResponse:
    """Return the changes to the table's page; 204 if there are none."""
    return changed(tables().get(code, key_hash())) or Response(status=204)


@bp.get("/wait")
def wait(code: str) -> AnyResponse:
    """Hold the request until something changes for this viewer (at most 25 s), then show
    the page.
    """
    known, key = request.args.get("v", ""), key_hash()
    service = tables()
    with suppress(TooManyStreams):  # then respond at once: the client can ask again
        hub().wait_until(
            code,
            lambda: str(service.revision(code, key)) != known,
            WAIT,
            browser=key,
            address=rate_limits.stream_address(),
            gone=partial(has_left, requesting()),
        )
    return to_page(service.get(code, key))


@dataclass(slots=True)
class Watcher:
    """The client of a stream: its browser's key, and a mark that identifies an unnamed viewer."""

    key: str
    mark: str
    namings: int  # the table's count of new names when the stream began
    renders: Callable[[TableSnapshot], bytes] | None = None  # for a program: renders its table
    sight: Sight | None = None  # for a page that is sent its updates
    told: int = -1  # the last revision sent to it
    named: bool = False
    shown: str = ""  # the hash of the key that a program presented


@bp.get("/events")
def events(code: str) -> AnyResponse:
    """Stream the viewer's revision, a number. With `views`, the page's updates are streamed during
    a match; with `full`, the whole table, for programs.
    """
    if request.args.get("full") == "1":
        g.format = Format.JSON
        return to_program(code, rendering("table"))
    try:
        return _streamed(code)
    except TooManyStreams:
        if not wants_html():
            raise Unavailable from None
        return Response("Too many streams; the page polls instead.", 503, {"Retry-After": "30"})


def to_program(code: str, shape: Shape, wait: float | None = None) -> AnyResponse:
    """Return a stream of whole tables or, with `wait`, one table, after a change or that many
    seconds; 429 if there are too many streams.
    """
    try:
        return _streamed(code, shape, wait)
    except TooManyStreams:
        sentence = _(
            "At most four streams and waiting requests at a time, please. Close one, or try again "
            "later."
        )
        response = problem(429, "too-fast", sentence)
        response.headers["Retry-After"] = "5"
        return response


def _streamed(code: str, shape: Shape | None = None, wait: float | None = None) -> Response:
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    service, key, present = tables(), key_hash(), presence()
    # The count of new names is read before the first check, because a later name ends the stream.
    watcher = Watcher(key, f"-{token_hex(8)}", present.namings(code))
    watcher.shown = shown_key() if bearer() else ""
    if shape is not None:
        watcher.renders = rendering_later(response_format())
    elif (found := sight_of_stream()) is not None:
        watcher.sight, shape = found, VIEWS

    def first() -> Look:
        snapshot = service.get(code, key)  # raises what a request for a page would
        _is_here(present, watcher, snapshot)
        return _get(service, present.at(code), watcher, snapshot)

    return stream(
        hub(),
        code,
        watcher,
        partial(seen_by, app, service, present),
        first,
        browser="" if watcher.renders else key,
        program=shown_key() if watcher.renders else "",
        address=rate_limits.stream_address(),
        closed=lambda: present.gone(code, watcher.mark),
        shape=shape,
        heartbeat=wait,
    )


def seen_by(
    app: Flask, service: TableService, present: Presence, code: str, watchers: Sequence[Watcher]
) -> list[Look | None]:
    """Return the current view of each watcher of a table; None ends the stream."""
    # The stream of a viewer who has entered a name or was signed out ends: they reconnect under
    # their present identity. What was open to a signed-out viewer is requested again at once.
    namings = present.namings(code)
    revoked = api_keys.revoked(service, {it.shown for it in watchers if it.shown})
    found = [
        snapshot
        if snapshot is not None
        and (watcher.named or watcher.namings == namings)
        and watcher.shown not in revoked
        else None
        for watcher, snapshot in zip(
            watchers, service.get_many(code, [it.key for it in watchers]), strict=True
        )
    ]
    for watcher, snapshot in zip(watchers, found, strict=True):
        if snapshot is not None and not _signed_out(watcher, snapshot):
            _is_here(present, watcher, snapshot)
    here = present.at(code)  # once for all watchers: there may be hundreds
    with app.app_context(), Views(app) as views:
        return [
            None
            if snapshot is None
            else Look(0, ends=True)
            if _signed_out(watcher, snapshot)
            else _get(service, here, watcher, snapshot, views)
            for watcher, snapshot in zip(watchers, found, strict=True)
        ]


def _signed_out(watcher: Watcher, snapshot: TableSnapshot) -> bool:
    return watcher.named and snapshot.player is None


def _is_here(present: Presence, watcher: Watcher, snapshot: TableSnapshot) -> None:
    watcher.named = snapshot.player is not None
    present.stream(snapshot.code, watcher.mark if snapshot.player is None else snapshot.player)


def _get(
    service: TableService,
    here: Attendance,
    watcher: Watcher,
    snapshot: TableSnapshot,
    views: Views | None = None,
) -> Look:
    revision = snapshot.table.revision(snapshot.me)
    room = room_number(service, snapshot, here)
    if watcher.renders is not None:
        return Look(revision, room, MERGE, partial(watcher.renders, snapshot))
    look = Look(revision, room, MERGE if flows(snapshot.table, MERGE) else 0.0)
    before, watcher.told = watcher.told, revision
    if revision == before or views is None or watcher.sight is None:
        return look
    message = views.sent(snapshot, watcher.sight, before)
    return look._replace(rendered=lambda: message)


@bp.get("/rules")
def rules(code: str) -> AnyResponse:
    """Show the rules that apply at this table; with `now`, at the heading for this moment."""
    page = table_page(tables().get(code, key_hash()))
    if "now" in request.args:
        heading = tips.rule(page)
        return redirect(url_for("table.rules", code=code) + (heading and f"#{heading}"))
    found = rules_of(page.game, page.options)
    if not wants_html():
        return responses.rules(page.game, page.options, found)
    options = described(page.options)
    return make_response(
        render("web/rules.html", game=page.game, rules=found, table=page, options=options)
    )


@bp.get("/qr.svg")
def qr(code: str) -> Response:
    """Return the invitation link as a QR code."""
    tables().get(code, key_hash())
    return Response(qr_code_svg(invitation(code)), mimetype="image/svg+xml")
