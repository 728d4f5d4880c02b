"""Errors are told in a sentence, with their status, and never in more than that."""

import logging
from collections.abc import Callable
from math import ceil

from flask import (
    Flask,
    Response,
    current_app,
    g,
    make_response,
    redirect,
    render_template,
    request,
)
from flask_limiter import RateLimitExceeded
from werkzeug.exceptions import (
    BadHost,
    HTTPException,
    InternalServerError,
    MethodNotAllowed,
    SecurityError,
    TooManyRequests,
)
from werkzeug.wrappers import Response as AnyResponse

from kaboom.db.database import Unavailable
from kaboom.db.encryption import Unreadable
from kaboom.db.ids import can_be_code
from kaboom.engine.i18n import mark, say, say_counted
from kaboom.engine.moves import Refusal
from kaboom.errors import (
    AccessRequired,
    CorruptedTable,
    InvalidFields,
    InvalidToken,
    TableNotFound,
)
from kaboom.web.api.negotiation import by_page
from kaboom.web.api.problems import problem, slug_of
from kaboom.web.limits import seconds_left
from kaboom.web.log_once import advise

log = logging.getLogger(__name__)

BUSY = mark("The server is busy. Nothing has changed; please try again.")
SENTENCES = {
    400: mark("This request could not be understood."),
    403: mark("That is not allowed from here."),
    404: mark("There is no such page."),
    405: mark("This address does not take such requests."),
    408: mark("The form took too long to arrive. Please send it again."),
    413: mark("That is far too much text for one form."),
    415: mark("Send a form or JSON."),
    429: mark("That was a little fast. Please wait a moment and try again."),
    500: mark("Something went wrong on our side. Nothing you did is lost; please try again."),
}

ANOTHER_NAME = "a request for %.99r was refused, for TRUSTED_HOSTS has only %s"

# For a code that is no table's: the address of what else has it, or nothing.
elsewhere: list[Callable[[str], str]] = []


def init_app(app: Flask) -> None:
    """Answer every error with our own page."""
    app.register_error_handler(TableNotFound, no_table)
    app.register_error_handler(Unavailable, busy)
    app.register_error_handler(CorruptedTable, damaged)
    app.register_error_handler(Unreadable, damaged)
    for error in (BadHost, SecurityError):
        app.register_error_handler(error, nowhere)
    app.register_error_handler(Refusal, not_done)
    app.register_error_handler(HTTPException, refused)
    app.register_error_handler(Exception, failed)
    app.after_request(say_when)


def sentence_of(no: Exception) -> str:
    """Return the sentence for a refusal, a busy store, or an HTTP error."""
    if isinstance(no, Unavailable):
        return say(BUSY)
    return _of_http(no) if isinstance(no, HTTPException) else str(no)


def _of_http(error: HTTPException) -> str:
    # A limit without a sentence of ours describes itself: "20 per 1 minute".
    bare = isinstance(error, RateLimitExceeded) and not error.limit.error_message
    if error.description and error.description != type(error).description and not bare:
        return error.description
    if bare and (minutes := ceil(seconds_left() / 60)) > 1:
        return say_counted(
            "That was often enough for now. Try again in {count} minute.",
            "That was often enough for now. Try again in {count} minutes.",
            minutes,
        )
    return say(SENTENCES[error.code]) if error.code in SENTENCES else error.name


def status_of(no: Exception) -> int:
    """Return the HTTP status that an error's class carries; 422 where it carries none."""
    status: int = getattr(no, "status", 422)
    return status


def told(error: Exception, status: int, sentence: str) -> Response:
    """Return what says why a request was not answered, in the voice that was asked for."""
    if not by_page():
        fields = error.fields if isinstance(error, InvalidFields) else None
        return problem(status, slug_of(error, status), sentence, fields=fields)
    page = render_template("web/error.html", status=status, sentence=sentence)
    return make_response(page, status)


def no_table(error: TableNotFound) -> AnyResponse:
    """No table has that code; who typed that of something else is led there."""
    code = str((request.view_args or {}).get("code", "")).upper()
    typed = request.endpoint == "table.show" and request.method == "GET" and can_be_code(code)
    for known in elsewhere if typed else ():
        if found := known(code):
            return redirect(found, 303)
    sentence = say(
        "There is no table with that code. Ask for the link again, or start one yourself."
    )
    return told(error, 404, sentence)


def busy(error: Unavailable) -> Response:
    """The store is not available right now."""
    response = told(error, 503, say(BUSY))
    response.headers["Retry-After"] = "1"
    return response


def damaged(error: Exception) -> Response:
    """The stored table or match cannot be read."""
    log.error("damaged: %s", error)
    sentence = say(
        "The stored data is damaged and cannot be shown. Other tables are not affected; "
        "please tell whoever runs this server."
    )
    return told(error, 503, sentence)


def not_done(no: Refusal) -> Response:
    """What was refused before any page was reached that would say so itself."""
    g.refusal = slug_of(no)  # for the figures
    response = told(no, no.status, str(no))
    if isinstance(no, InvalidToken):
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def nowhere(error: HTTPException) -> tuple[str, int]:
    """The Host is malformed or not ours: no page can be drawn, since pages contain addresses."""
    if names := current_app.config["TRUSTED_HOSTS"]:
        asked = request.environ.get("HTTP_HOST", "")
        advise("TRUSTED_HOSTS", ANOTHER_NAME, asked, " ".join(names))
    return say(SENTENCES[400]), 400


def refused(error: HTTPException) -> Response:
    """An HTTP error, with its own sentence if that is one of ours."""
    status = error.code or 500
    response = told(error, status, sentence_of(error))
    if isinstance(error, MethodNotAllowed):
        response.allow.update(error.valid_methods or ())
    if isinstance(error, TooManyRequests):
        if error.retry_after:
            response.headers["Retry-After"] = str(error.retry_after)
        # A whole page cannot take a fragment's place: somebody who pressed something is shown it as
        # a page; an open page that only looked keeps what it has.
        if request.method == "POST":
            response.headers["HX-Refresh"] = "true"
        else:
            response.headers["HX-Reswap"] = "none"
    return response


def too_fast(error: RateLimitExceeded, shown: Callable[[], AnyResponse]) -> AnyResponse:
    """Return what is shown to somebody who was too fast, or the general page if that fails."""
    try:
        return shown()
    except (TableNotFound, AccessRequired):
        return refused(error)


def say_when(response: Response) -> Response:
    """Tell everyone who was too fast how many seconds to wait before asking again."""
    if response.status_code == 429:
        response.headers.setdefault("Retry-After", str(seconds_left()))
    return response


def failed(error: Exception) -> Response:
    """Something nobody foresaw: logged here, not shown."""
    log.exception("a request failed")
    return refused(InternalServerError())
