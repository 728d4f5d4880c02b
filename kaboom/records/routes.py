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
from kaboom.web.rules_pages import rules_of
from kaboom.web.session import command, key_hash

# One set of pages under two URL prefixes: for this server's matches, and for uploaded records.
bp = Blueprint("record", __name__)
files = Blueprint("record_files", __name__)
visits = Blueprint("visits", __name__)

PRINTED = 500  # steps on one printable page
FORM = 100_000  # bytes of an upload in addition to the record


def library() -> MatchArchive:
    """Return the archive of this server's records."""
    found: MatchArchive = current_app.config["LIBRARY"]
    return found


@bp.url_value_preprocessor
@files.url_value_preprocessor
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


def _require_closed(page: MatchPage) -> None:
    """Raise RecordNotFound while others still play this deal, because its secret reveals all
    cards.
    """
    if page.around.own is not None:
        raise RecordNotFound(
            _("The seed and the file are shown when this deal is no longer being played.")
        )


def _no_match() -> RecordNotFound:
    return RecordNotFound(_("There is no match with that code."))


def _page(code: str) -> MatchPage:
    """Return a match on this server, or an uploaded record at its URL; raises RecordNotFound."""
    if request.blueprint != "look":
        return found_here(code)
    if not can_be_import_code(code):
        raise _no_match()
    return _opened(code, *library().brought(code), "look.show")


def found_here(code: str) -> MatchPage:
    """Return a match on this server; raises RecordNotFound."""
    if not can_be_code(code):
        raise _no_match()
    return _opened(code, *library().find(code, key_hash()), "record.show")


def _opened(code: str, replay: Replay, around: Around, endpoint: str) -> MatchPage:
    """Return a match with all cards open or, while others still play its deal, from the only seat
    allowed.
    """
    seat = OPEN if around.own is None else around.own
    return MatchPage(replay, around, code, url_for(endpoint, code=code), seat)


def _as_asked(page: MatchPage) -> MatchPage:
    """Return a match from the requested point of view, if the reader may have it."""
    if page.around.own is not None:
        return page
    asked = request.args.get("seat", "")
    seats: dict[str, Seat | None] = {str(it): it for it in range(len(page.record.names))}
    return replace(page, seat=(seats | {"watch": None}).get(asked, OPEN))


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
    if not page.replay.is_genuine:
        return None
    last = replace(page, step=page.replay.last).table()
    return shown_of(replace(last, outcome=page.record.outcome))


def in_voice(page: MatchPage) -> Response:
    """Return a match as its record, or as the list of all its sentences."""
    page = _as_asked(page)
    if response_format() not in (Format.TEXT, Format.SAY):
        _require_closed(page)
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
    return replace(_as_asked(page), step=step)


@bp.get("/go")
def go(code: str) -> AnyResponse:
    """Redirect to the submitted step, at most to the last one."""
    step = min(number(request.args.get("step"), otherwise=0), _page(code).replay.last)
    seat = request.args.get("seat") or None
    return redirect(url_for(".step", code=code, number=max(0, step), seat=seat), 303)


@bp.get("/print")
@rate_limits.limiter.limit("30 per minute")
def printed(code: str) -> str:
    """Show the whole match as a story, also for printing."""
    page = _as_asked(_page(code))
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
    _require_closed(page)
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


@files.get("/m/<code>.json")
def record_file(code: str) -> Response:
    """Return the record of a match on this server as a file."""
    page = found_here(code)
    _require_closed(page)
    return _attached(text_of(page.replay.record), "application/json", f"{page.code}.json")


@files.get("/m/<code>.html")
@rate_limits.limiter.limit("30 per minute")
def match_file(code: str) -> Response:
    """Return a match as one HTML file that replays and checks itself offline."""
    page = found_here(code)
    _require_closed(page)
    if not page.replay.is_genuine:
        raise _no_match()
    return _attached(self_checking(page), "text/html", f"{page.code}.html")


def _attached(text: str, mimetype: str, name: str) -> Response:
    """Return a file that the browser saves."""
    headers = {"Content-Disposition": f'attachment; filename="kaboom-{name}"'}
    return Response(text, mimetype=mimetype, headers=headers)


@files.get("/m/<code>.txt")
@rate_limits.limiter.limit("30 per minute")
def record_text(code: str) -> Response:
    """Return a match on this server as the list of all its sentences."""
    return in_voice(found_here(code))


@files.get("/m/<code>/<int(max=99999):number>.json", endpoint="step_json")
@files.get("/m/<code>/<int(max=99999):number>.txt", endpoint="step_text")
def step_in_voice(code: str, number: int) -> Response:
    """Return a step of a match on this server in another format; 0 is the deal."""
    rate_limits.count_request()
    return api.step(_at(found_here(code), number))


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
