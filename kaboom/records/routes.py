"""Pages of finished matches: record, replay step by step, verification and file.

The same pages show the matches on this server (/m/CODE) and uploaded records (/replay/CODE). They
need no script.
"""

from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, abort, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.db.database import Unavailable
from kaboom.db.ids import can_be_code, can_be_import_code
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.engine.options import InvalidOptions, described
from kaboom.engine.outcome_text import how as ending_how
from kaboom.engine.outcome_text import title as ending_title
from kaboom.engine.table_view import Shown
from kaboom.engine.views import OPEN
from kaboom.errors import NotPermitted
from kaboom.records import api
from kaboom.records.access import RecordNotFound
from kaboom.records.html_file import self_checking
from kaboom.records.pages import MatchPage
from kaboom.records.replay import Replay
from kaboom.records.service import Around, MatchArchive
from kaboom.table_page.table_html import as_rendered, shown_of, uncut
from kaboom.tables.match_record import LARGEST, InvalidRecord, options_of, text_of
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import Format, response_format, wants_html
from kaboom.web.errors import told
from kaboom.web.forms import number
from kaboom.web.links import rooted
from kaboom.web.rules_pages import rules_of
from kaboom.web.session import command, key_hash

# One set of pages under two URL prefixes: for this server's matches, and for uploaded records.
bp = Blueprint("record", __name__)
files = Blueprint("record_files", __name__)
visits = Blueprint("visits", __name__)

PRINTED = 500  # steps on one printable page
FORM = 100_000  # bytes of an upload in addition to the record

CODES = {"record": can_be_code, "look": can_be_import_code}


def library() -> MatchArchive:
    """Return the archive of this server's records."""
    found: MatchArchive = current_app.config["LIBRARY"]
    return found


@bp.url_value_preprocessor
def clean_code(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Normalise a record's code as people type it."""
    assert values is not None  # the URL matched a route
    values["code"] = values["code"].upper()


@visits.url_value_preprocessor
def allow_a_file(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Raise the size limit of the form, so that a record can be uploaded."""
    request.max_content_length = LARGEST + FORM
    request.max_form_memory_size = LARGEST + FORM


@bp.app_errorhandler(RecordNotFound)
def no_record(error: RecordNotFound) -> Response:
    """Respond to RecordNotFound with its sentence."""
    return told(error, 404, str(error))


def _found(code: str, kind: str | None = None) -> tuple[Replay, Around]:
    kind = kind or request.blueprint
    assert kind is not None
    if not CODES[kind](code):
        raise _no_match()
    if kind == "look":
        return library().brought(code)
    return library().find(code, key_hash())


def _require_closed(around: Around) -> None:
    """Raise RecordNotFound while others still play this deal, because its secret reveals all
    cards.
    """
    if around.own is not None:
        raise RecordNotFound(
            _("The seed and the file are shown when this deal is no longer being played.")
        )


def _no_match() -> RecordNotFound:
    return RecordNotFound(_("There is no match with that code."))


def _page(code: str) -> MatchPage:
    replay, around = _found(code)
    try:
        options = described(options_of(replay.record, replay.game))
    except InvalidOptions:  # under rules that this server no longer has
        options = []
    seat = OPEN if around.own is None else around.own
    return MatchPage(replay, around, code, url_for(".show", code=code), options, seat)


def found_here(code: str) -> MatchPage:
    """Return a match on this server, for pages in other packages; raises RecordNotFound."""
    replay, around = _found(code, "record")
    seat = OPEN if around.own is None else around.own
    return MatchPage(replay, around, code, url_for("record.show", code=code), [], seat)


def _eyes(replay: Replay, around: Around) -> Seat | None:
    if around.own is not None:
        return around.own
    asked = request.args.get("seat", "")
    if asked == "watch":
        return None
    seats = {str(seat): seat for seat in range(len(replay.record.names))}
    return seats.get(asked, OPEN)


# Looking at a match


@bp.get("")
def show(code: str) -> str | Response:
    """Show a match: its players, time and result, and whether its record is genuine."""
    page = _page(code)
    if not wants_html():
        return in_voice(page)
    own = page if page.around.seat is None else replace(page, seat=page.around.seat)
    outcome, shown = page.record.outcome, _at_the_end(own)
    counted = shown.counted if shown else ()
    told, shared = own.names, replace(page.names, me=None)  # others may read what is shared
    return render(
        "records/show.html",
        page=page,
        record=page.record,
        title=ending_title(outcome, told),
        how=ending_how(outcome, told, counted),
        shared_title=ending_title(outcome, shared),
        shared_how=ending_how(outcome, shared, counted),
        chapters=own.chapters(),
        counted=counted,
        behind=shown.behind if shown else (),
        points=as_rendered(uncut(shown.beside)) if shown else "",
    )


def _at_the_end(page: MatchPage) -> Shown | None:
    """Return the game's own regions after the last step; None if the record does not lead there."""
    if page.replay.wrong or not page.replay.steps:
        return None
    last = replace(page, step=page.replay.last).table()
    return shown_of(replace(last, outcome=page.record.outcome))


def in_voice(page: MatchPage) -> Response:
    """Return a match as its record, or as the list of all its sentences."""
    page = replace(page, seat=_eyes(page.replay, page.around))
    if response_format() not in (Format.TEXT, Format.SAY):
        _require_closed(page.around)
    title = f"{page.replay.game.name} {page.code}: {', '.join(page.record.names)}"
    said = (line.text for line in page.lines(0, page.replay.last))
    return api.match(page, title, said)


@bp.get("/<int(max=99999):number>")
def step(code: str, number: int) -> str | Response:
    """Show the table after a step of the match; 0 is the deal."""
    page = _at(_page(code), number)
    if not wants_html():
        return api.step(page)
    return render("records/step.html", page=page, record=page.record, table=page.table())


def _at(page: MatchPage, step: int) -> MatchPage:
    if step > page.replay.last:
        abort(404, _("This match has no such step."))
    return replace(page, seat=_eyes(page.replay, page.around), step=step)


@bp.get("/go")
def go(code: str) -> AnyResponse:
    """Redirect to the submitted step, at most to the last one."""
    replay, _unused = _found(code)
    step = min(number(request.args.get("step"), otherwise=0), replay.last)
    seat = request.args.get("seat") or None
    return redirect(url_for(".step", code=code, number=max(0, step), seat=seat), 303)


@bp.get("/print")
@rate_limits.limiter.limit("30 per minute")
def printed(code: str) -> str:
    """Show the whole match as a story, also for printing."""
    page = _page(code)
    page = replace(page, seat=_eyes(page.replay, page.around))
    pages = max(1, -(-len(page.replay.steps) // PRINTED))
    shown = max(1, min(number(request.args.get("page"), digits=5), pages))
    return render(
        "records/print.html",
        page=page,
        record=page.record,
        story=page.story((shown - 1) * PRINTED, shown * PRINTED - 1),
        title_of=ending_title(page.record.outcome, page.names),
        number=shown,
        pages=pages,
    )


@bp.get("/verify")
def verify(code: str) -> str:
    """Show whether the record is genuine, and what that proves."""
    page = _page(code)
    _require_closed(page.around)
    board = page.record.board or None  # unset unless the deal was shared
    return render("records/verify.html", page=page, record=page.record, board=board)


@bp.get("/rules")
def rules(code: str) -> str:
    """Show the rules for this match's options."""
    page = _page(code)
    game = page.replay.game
    if not page.replay.steps:
        abort(404, _("These rules are no longer available."))
    found = rules_of(game, options_of(page.replay.record, game))
    back = url_for(".show", code=code)
    return render("web/rules.html", game=game, rules=found, table=None, back=back)


def _file(code: str, kind: str) -> Response:
    replay, around = _found(code.upper(), kind)
    _require_closed(around)
    name = f"kaboom-{replay.record.code}.json"
    return Response(
        text_of(replay.record),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@files.get("/m/<code>.json")
def record_file(code: str) -> Response:
    """Return the record of a match on this server as a file."""
    return _file(code, "record")


@files.get("/m/<code>.html")
@rate_limits.limiter.limit("30 per minute")
def match_file(code: str) -> Response:
    """Return a match as one HTML file that replays and checks itself offline."""
    page = _of_this_server(code.upper())
    _require_closed(page.around)
    if page.wrong or not page.replay.steps:
        raise _no_match()
    return Response(
        self_checking(page),
        mimetype="text/html",
        headers={"Content-Disposition": f'attachment; filename="kaboom-{page.record.code}.html"'},
    )


@files.get("/m/<code>.txt")
@rate_limits.limiter.limit("30 per minute")
def record_text(code: str) -> Response:
    """Return a match on this server as the list of all its sentences."""
    return in_voice(_of_this_server(code.upper()))


@files.get("/m/<code>/<int(max=99999):number>.json", endpoint="step_json")
@files.get("/m/<code>/<int(max=99999):number>.txt", endpoint="step_text")
def step_in_voice(code: str, number: int) -> Response:
    """Return a step of a match on this server in another format; 0 is the deal."""
    rate_limits.count_request()
    return api.step(_at(_of_this_server(code.upper()), number))


def _of_this_server(code: str) -> MatchPage:
    replay, around = _found(code, "record")
    seat = OPEN if around.own is None else around.own
    return MatchPage(replay, around, code, rooted(f"/m/{code}"), [], seat)


@bp.post("/hide")
def hide(code: str) -> AnyResponse:
    """Hide the match from the public or show it again, at the request of one of its players."""
    if request.blueprint != "record":
        abort(404)
    if not can_be_code(code):
        raise _no_match()
    try:
        library().hide(code, key_hash(), request.form.get("hidden", "1") != "0")
    except NotPermitted as no:
        return make_response(render("web/error.html", status=403, sentence=str(no)), 403)
    except Unavailable:
        abort(503)
    return redirect(url_for(".show", code=code), 303)


# Uploaded records


@visits.get("/replay")
def open_form() -> str:
    """Show the form for uploading a record."""
    return render("records/open.html", wrong="", text="", of="")


@visits.post("/replay")
@rate_limits.both(player="6 per minute; 60 per hour", address="10 per minute; 100 per hour")
def open_record() -> AnyResponse:
    """Store an uploaded or pasted record, and redirect to its pages."""
    sent = request.files.get("file")
    raw = sent.read() if sent else b""
    pasted = request.form.get("text", "")
    try:
        code = library().bring(raw.decode() or pasted, command())
    except (InvalidRecord, UnicodeDecodeError) as bad:
        sentence = str(bad) if isinstance(bad, InvalidRecord) else _("This is not a record.")
        of = "text" if pasted and not raw else "file"
        return make_response(render("records/open.html", wrong=sentence, text=pasted, of=of), 422)
    return redirect(url_for("look.show", code=code), 303)
