"""Looking at a table: its page, its fragment, its stream, its rules."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from secrets import token_hex

import segno
from flask import Response, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.core.options import described
from kaboom.push import Hub, Look, TooManyStreams
from kaboom.push.presence import Presence
from kaboom.push.stream import MERGE, left
from kaboom.push.stream import events as stream
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.timers import flows
from kaboom.web import limits, tips
from kaboom.web.identity import key_hash
from kaboom.web.room import presence, room_number
from kaboom.web.rules import rules_of
from kaboom.web.service import tables
from kaboom.web.show import asked, invitation, table_page
from kaboom.web.table.answers import bp, fragment, to_page, whole_page

WAIT = 25.0  # seconds a "wait for the next move" is held


def hub() -> Hub:
    """Return this process's hub of streams."""
    found: Hub = current_app.extensions["kaboom.hub"]
    return found


@bp.get("")
def show(code: str) -> Response:
    """The table's page."""
    snapshot = tables().look(code, key_hash())
    return whole_page(snapshot, ask=asked(snapshot, request.args.get("ask", "")))


@bp.get("/view")
def view(code: str) -> AnyResponse:
    """The table's fragment; 204 when the browser has it already."""
    snapshot = tables().look(code, key_hash())
    if request.args.get("v") == str(snapshot.table.revision(snapshot.me)):
        return Response(status=204)
    ask = asked(snapshot, request.args.get("ask", ""))
    return fragment(snapshot, ask=ask)


@bp.get("/wait")
def wait(code: str) -> AnyResponse:
    """Hold the request until something changes for this viewer (25 s at most), then show it."""
    known, key = request.args.get("v", ""), key_hash()
    service = tables()
    with suppress(TooManyStreams):  # then at once: asking again later is no worse
        hub().wait_until(
            code,
            lambda: str(service.revision(code, key)) != known,
            WAIT,
            browser=key,
            address=limits.stream_address(),
            gone=left(),
        )
    return to_page(service.look(code, key))


@dataclass(slots=True)
class Watcher:
    """Whose stream it is: the key of a browser, and a mark to count it by while it has no name."""

    key: str
    mark: str
    namings: int  # of the table, when its stream began
    named: bool = False


@bp.get("/events")
def events(code: str) -> AnyResponse:
    """The stream of the viewer's own view revision: one number, nothing else."""
    service, key, present = tables(), key_hash(), presence()
    service.look(code, key)  # raises what a page would
    watcher = Watcher(key, f"-{token_hex(8)}", present.namings(code))
    try:
        return stream(
            hub(),
            code,
            watcher,
            partial(seen_by, service, present),
            browser=key,
            address=limits.stream_address(),
            closed=lambda: present.gone(code, watcher.mark),
        )
    except TooManyStreams:
        return Response("Too many streams; the page looks by itself.", 503, {"Retry-After": "30"})


def seen_by(
    service: Tables, present: Presence, code: str, watchers: Sequence[Watcher]
) -> list[Look | None]:
    """Return what each of a table's watchers would see now; None for whom its stream ends."""
    # Somebody who gave a name meanwhile comes back under it.
    namings = present.namings(code)
    seen = service.looks(code, [watcher.key for watcher in watchers])
    return [
        _look(service, present, watcher, snapshot)
        if snapshot is not None and (watcher.named or watcher.namings == namings)
        else None
        for watcher, snapshot in zip(watchers, seen, strict=True)
    ]


def _look(service: Tables, present: Presence, watcher: Watcher, snapshot: TableSnapshot) -> Look:
    watcher.named = snapshot.player is not None
    present.stream(snapshot.code, watcher.mark if snapshot.player is None else snapshot.player)
    return Look(
        snapshot.table.revision(snapshot.me),
        room_number(service, snapshot, present),
        MERGE if flows(snapshot.table, MERGE) else 0.0,
    )


@bp.get("/rules")
def rules(code: str) -> AnyResponse:
    """The rules as they apply at this table; with `now` at the heading this moment is about."""
    page = table_page(tables().look(code, key_hash()))
    if "now" in request.args:
        heading = tips.rule(page)
        return redirect(url_for("table.rules", code=code) + (heading and f"#{heading}"))
    found = rules_of(page.game, page.options)
    options = described(page.options)
    return make_response(
        render("rules.html", game=page.game, rules=found, table=page, options=options)
    )


@bp.get("/qr.svg")
def qr(code: str) -> Response:
    """The invitation as a QR code."""
    tables().look(code, key_hash())
    image = segno.make(invitation(code), error="m")
    svg = BytesIO()
    image.save(svg, kind="svg", xmldecl=False, scale=4, border=2, dark="#000", light="#fff")
    return Response(svg.getvalue(), mimetype="image/svg+xml")
