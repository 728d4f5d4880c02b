"""After the match: its record, its replay step by step, its check, its file.

The same pages show the matches of this server (/m/CODE) and records brought from elsewhere
(/look/CODE). They are plain pages of plain links.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, abort, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.db.database import Unavailable
from kaboom.db.ids import can_be_code, can_be_import_code
from kaboom.engine.i18n import say
from kaboom.engine.moves import Seat
from kaboom.engine.options import InvalidOptions, described
from kaboom.engine.outcome_text import how as ending_how
from kaboom.engine.outcome_text import title as ending_title
from kaboom.engine.views import OPEN
from kaboom.errors import NotPermitted
from kaboom.play.fragments import shown_of
from kaboom.records import api
from kaboom.records.pages import MatchPage
from kaboom.records.replay import Replay
from kaboom.records.service import Around, Library, RecordNotFound
from kaboom.tables.match_record import LARGEST, InvalidRecord, options_of, text_of
from kaboom.web import limits
from kaboom.web.api.negotiation import Voice, by_page, voice
from kaboom.web.errors import told
from kaboom.web.forms import number
from kaboom.web.rules_pages import rules_of
from kaboom.web.session import command, key_hash

# One set of pages under two addresses: this server's matches, and records from elsewhere.
bp = Blueprint("record", __name__)
files = Blueprint("record_files", __name__)
visits = Blueprint("visits", __name__)

PRINTED = 500  # steps on one printable page
FORM = 100_000  # bytes of an upload besides the record itself

CODES = {"record": can_be_code, "look": can_be_import_code}


def library() -> Library:
    """Return the records of this server."""
    found: Library = current_app.config["LIBRARY"]
    return found


@bp.url_value_preprocessor
def clean_code(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Read a record's code as people type it."""
    assert values is not None  # an address of a record was found
    values["code"] = values["code"].upper()


@visits.url_value_preprocessor
def allow_a_file(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Let a whole record be sent here, where other forms must be short."""
    request.max_content_length = LARGEST + FORM
    request.max_form_memory_size = LARGEST + FORM


@bp.app_errorhandler(RecordNotFound)
def no_record(error: RecordNotFound) -> Response:
    """No match with that code may be shown."""
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
    """Raise RecordNotFound while others still play this deal: its secret tells all cards."""
    if around.own is not None:
        raise RecordNotFound(
            say("The seed and the file are shown when nobody plays this deal any more.")
        )


def _no_match() -> RecordNotFound:
    return RecordNotFound(say("There is no match with that code."))


def _page(code: str) -> MatchPage:
    replay, around = _found(code)
    try:
        options = described(options_of(replay.record, replay.game))
    except InvalidOptions:  # of rules this server no longer has
        options = []
    seat = OPEN if around.own is None else around.own
    return MatchPage(replay, around, code, url_for(".show", code=code), options, seat)


def _eyes(replay: Replay, around: Around) -> Seat | None:
    if around.own is not None:
        return around.own
    asked = request.args.get("seat", "")
    if asked == "watch":
        return None
    seats = {str(seat): seat for seat in range(len(replay.record.names))}
    return seats.get(asked, OPEN)


# Looking back


@bp.get("")
def show(code: str) -> str | Response:
    """A match: who played what, when, how it ended, and whether its record is true."""
    page = _page(code)
    if not by_page():
        return in_voice(page)
    outcome, counted = page.record.outcome, _counted(page)
    return render(
        "records/show.html",
        page=page,
        record=page.record,
        title=ending_title(outcome, page.names),
        how=ending_how(outcome, page.names, counted),
        counted=counted,
    )


def _counted(page: MatchPage) -> Sequence[str]:
    """Return what each seat had in the end, in words, where the game counts not only points."""
    if page.replay.wrong or not page.replay.steps:
        return ()
    last = replace(page, step=page.replay.last).table()
    return shown_of(replace(last, outcome=page.record.outcome)).counted


def in_voice(page: MatchPage) -> Response:
    """Return a match as its record, or in all its sentences."""
    page = replace(page, seat=_eyes(page.replay, page.around))
    if voice() not in (Voice.TEXT, Voice.SAY):
        _require_closed(page.around)
    title = f"{page.replay.game.name} {page.code}: {', '.join(page.record.names)}"
    said = (line.text for line in page.lines(0, page.replay.last))
    return api.match(page, title, said)


@bp.get("/<int(max=99999):number>")
def step(code: str, number: int) -> str | Response:
    """The table after a step of the match; 0 is the deal."""
    page = _at(_page(code), number)
    if not by_page():
        return api.step(page)
    return render("records/step.html", page=page, record=page.record, table=page.table())


def _at(page: MatchPage, step: int) -> MatchPage:
    if step > page.replay.last:
        abort(404, say("This match has no such step."))
    return replace(page, seat=_eyes(page.replay, page.around), step=step)


@bp.get("/go")
def go(code: str) -> AnyResponse:
    """Go to the step whose number was typed in; past the end, to the last."""
    replay, _ = _found(code)
    step = min(number(request.args.get("step"), otherwise=0), replay.last)
    seat = request.args.get("seat") or None
    return redirect(url_for(".step", code=code, number=max(0, step), seat=seat), 303)


@bp.get("/print")
@limits.limiter.limit("30 per minute")
def printed(code: str) -> str:
    """The whole match in sentences, for paper."""
    page = _page(code)
    page = replace(page, seat=_eyes(page.replay, page.around))
    pages = max(1, -(-len(page.replay.steps) // PRINTED))
    shown = max(1, min(number(request.args.get("page"), digits=5), pages))
    lines = page.lines((shown - 1) * PRINTED, shown * PRINTED - 1)
    return render(
        "records/print.html",
        page=page,
        record=page.record,
        lines=lines,
        number=shown,
        pages=pages,
    )


@bp.get("/verify")
def verify(code: str) -> str:
    """Whether the record is true, and what that proves."""
    page = _page(code)
    _require_closed(page.around)
    board = page.record.board or None  # unset where no other tables played this deal
    return render("records/verify.html", page=page, record=page.record, board=board)


@bp.get("/rules")
def rules(code: str) -> str:
    """The rules as they were in this match."""
    page = _page(code)
    game = page.replay.game
    if not page.replay.steps:
        abort(404, say("These rules are no longer here."))
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
    """The record of a match of this server, as a file."""
    return _file(code, "record")


@files.get("/m/<code>.txt")
@limits.limiter.limit("30 per minute")
def record_text(code: str) -> Response:
    """A match of this server in all its sentences."""
    return in_voice(_of_this_server(code.upper()))


@files.get("/m/<code>/<int(max=99999):number>.json", endpoint="step_json")
@files.get("/m/<code>/<int(max=99999):number>.txt", endpoint="step_text")
def step_in_voice(code: str, number: int) -> Response:
    """The table after a step of a match of this server; 0 is the deal."""
    limits.another_look()
    return api.step(_at(_of_this_server(code.upper()), number))


def _of_this_server(code: str) -> MatchPage:
    replay, around = _found(code, "record")
    return MatchPage(replay, around, code, f"/m/{code}", [])


@bp.post("/hide")
def hide(code: str) -> AnyResponse:
    """Take the match out of public view, or show it again; for those who played it."""
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


# Records from elsewhere


@visits.get("/look")
def look() -> str:
    """Where a record from elsewhere is opened."""
    return render("records/open.html", wrong="")


@visits.post("/look")
@limits.both(player="6 per minute; 60 per hour", address="10 per minute; 100 per hour")
def open_record() -> AnyResponse:
    """Open a record's file, or its pasted text, and go to its pages."""
    sent = request.files.get("file")
    try:
        raw = sent.read() if sent else b""
        text = raw.decode() or request.form.get("text", "")
        code = library().bring(text, command())
    except (InvalidRecord, UnicodeDecodeError) as bad:
        sentence = str(bad) if isinstance(bad, InvalidRecord) else say("This is not a record.")
        return make_response(render("records/open.html", wrong=sentence), 422)
    return redirect(url_for("look.show", code=code), 303)
