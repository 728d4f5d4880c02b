"""Error handlers. Responses carry a status and one user-facing sentence; details are only
logged.
"""

import logging
from collections.abc import Callable
from functools import wraps
from math import ceil
from typing import ParamSpec

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
    RequestEntityTooLarge,
    SecurityError,
    TooManyRequests,
)
from werkzeug.wrappers import Response as AnyResponse

from kaboom.db.database import Unavailable
from kaboom.db.encryption import Unreadable
from kaboom.db.ids import CODE_LENGTH, can_be_code
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import ngettext
from kaboom.engine.moves import Refusal
from kaboom.errors import (
    AccessRequired,
    CorruptedTable,
    InvalidFields,
    InvalidToken,
    TableNotFound,
)
from kaboom.web.api.negotiation import wants_html
from kaboom.web.api.problems import problem, slug_of
from kaboom.web.config_warnings import advise
from kaboom.web.rate_limits import seconds_left

log = logging.getLogger(__name__)

P = ParamSpec("P")

BUSY = N_("The server is busy. Nothing has changed; please try again.")
SENTENCES = {
    400: N_("This request could not be understood."),
    403: N_("That is not allowed from here."),
    404: N_("Page not found."),
    405: N_("This page does not accept that kind of request."),
    408: N_("The form took too long to arrive. Please send it again."),
    413: N_("That is too much text for one form."),
    415: N_("Send a form or JSON."),
    429: N_("Too many requests. Please wait a moment and try again."),
    500: N_("Something went wrong on our side. Nothing you did is lost; please try again."),
}

LONGEST_TYPED = 20  # characters of a typed code that are repeated
ANOTHER_NAME = "a request for %.99r was refused, because TRUSTED_HOSTS contains only %s"

# By room: returns the URL of what has the typed code there, such as a record or a club, or "".
elsewhere: list[Callable[[str], str]] = []


def init_app(app: Flask) -> None:
    """Respond to every error with our own page."""
    app.register_error_handler(TableNotFound, table_not_found)
    app.register_error_handler(Unavailable, busy)
    app.register_error_handler(CorruptedTable, damaged)
    app.register_error_handler(Unreadable, damaged)
    for error in (BadHost, SecurityError):
        app.register_error_handler(error, bad_host)
    app.register_error_handler(Refusal, not_done)
    app.register_error_handler(HTTPException, refused)
    app.register_error_handler(Exception, failed)
    app.after_request(say_when)


def sentence_of(no: Exception) -> str:
    """Return the sentence for a refusal, a busy database, or an HTTP error."""
    if isinstance(no, Unavailable):
        return _(BUSY)
    return _of_http(no) if isinstance(no, HTTPException) else str(no)


def _of_http(error: HTTPException) -> str:
    # A limit without a sentence of ours describes itself: "20 per 1 minute".
    bare = isinstance(error, RateLimitExceeded) and not error.limit.error_message
    if error.description and error.description != type(error).description and not bare:
        return error.description
    if bare and (minutes := ceil(seconds_left() / 60)) > 1:
        return ngettext(
            "Too many attempts for now. Try again in {count} minute.",
            "Too many attempts for now. Try again in {count} minutes.",
            minutes,
        )
    if isinstance(error, RequestEntityTooLarge) and request.max_content_length:
        most = request.max_content_length // 1000
        return f"{_(SENTENCES[413])} {_('At most {kilobytes} kB fit.').format(kilobytes=most)}"
    return _(SENTENCES[error.code]) if error.code in SENTENCES else error.name


def status_of(no: Exception) -> int:
    """Return the HTTP status of an error's class, or 422 if it has none."""
    status: int = getattr(no, "status", 422)
    return status


def told(
    error: Exception, status: int, sentence: str, *, closed: bool = False, typed: str = ""
) -> Response:
    """Return the error in the requested format; with `closed`, its page leads nowhere else.

    `typed` is the code that was typed, which the page repeats in its field.
    """
    if not wants_html():
        fields = error.fields if isinstance(error, InvalidFields) else None
        return problem(status, slug_of(error, status), sentence, fields=fields)
    page = render_template(
        "web/error.html",
        status=status,
        sentence=sentence,
        closed=closed,
        typed=typed,
        form=_form() if status == 413 else "",
    )
    return make_response(page, status)


def _form() -> str:
    """Return the address of the page whose form was sent, or "" if it is not one of ours."""
    sender = request.referrer or ""
    return sender if sender.startswith(request.host_url) else ""


def table_not_found(error: TableNotFound) -> AnyResponse:
    """Respond that no table has that code, or redirect if a record or club has it."""
    code = str((request.view_args or {}).get("code", "")).upper()
    typed = request.endpoint == "table.show" and request.method == "GET" and can_be_code(code)
    for known in elsewhere if typed else ():
        if found := known(code):
            return redirect(found, 303)
    sentence = _("There is no table with that code. Ask for the link again, or start one yourself.")
    if code and len(code) < CODE_LENGTH:
        sentence = _("A code has eight characters. Check it, or ask for the link again.")
    return told(error, 404, sentence, typed=code[:LONGEST_TYPED])


def busy(error: Unavailable) -> Response:
    """Respond that the database is not available right now."""
    response = told(error, 503, _(BUSY))
    response.headers["Retry-After"] = "1"
    return response


def damaged(error: Exception) -> Response:
    """Respond that the stored table or match cannot be read."""
    log.error("the stored table or match cannot be read: %s", error)
    sentence = _(
        "The stored data is damaged and cannot be shown. Other tables are not affected. Please "
        "tell the host of this server."
    )
    return told(error, 503, sentence)


def not_done(no: Refusal) -> Response:
    """Respond to a refusal that no page has handled."""
    g.refusal = slug_of(no)  # for the metrics
    response = told(no, no.status, str(no))
    if isinstance(no, InvalidToken):
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def bad_host(error: HTTPException) -> tuple[str, int]:
    """Respond to a Host header that is malformed or not ours, without a page, since pages contain
    URLs.
    """
    if names := current_app.config["TRUSTED_HOSTS"]:
        asked = request.environ.get("HTTP_HOST", "")
        advise("TRUSTED_HOSTS", ANOTHER_NAME, asked, " ".join(names))
    return _(SENTENCES[400]), 400


def refused(error: HTTPException) -> Response:
    """Respond to an HTTP error with its own sentence, if that is one of ours."""
    status = error.code or 500
    response = told(error, status, sentence_of(error))
    if isinstance(error, MethodNotAllowed):
        response.allow.update(error.valid_methods or ())
    if isinstance(error, TooManyRequests):
        if error.retry_after:
            response.headers["Retry-After"] = str(error.retry_after)
        # A whole page cannot replace a fragment: a player who pressed a button gets the error as a
        # page, while an open page that only refreshed itself keeps its content.
        if request.method == "POST":
            response.headers["HX-Refresh"] = "true"
        else:
            response.headers["HX-Reswap"] = "none"
    return response


def on_refusal(
    page: Callable[..., AnyResponse], *values: str
) -> Callable[[Callable[P, AnyResponse]], Callable[P, AnyResponse]]:
    """Return a decorator for views: a Refusal is shown by page(status, sentence, *values)."""

    def decorated(view: Callable[P, AnyResponse]) -> Callable[P, AnyResponse]:
        @wraps(view)
        def shown(*args: P.args, **named: P.kwargs) -> AnyResponse:
            try:
                return view(*args, **named)
            except Refusal as no:
                return page(no.status, str(no), *values)

        return shown

    return decorated


def too_fast(error: RateLimitExceeded, shown: Callable[[], AnyResponse]) -> AnyResponse:
    """Return the response to a rate-limited client: that of `shown`, or the general error page."""
    try:
        return shown()
    except (TableNotFound, AccessRequired):
        return refused(error)


def say_when(response: Response) -> Response:
    """Set Retry-After on a response with status 429: the seconds until the next request."""
    if response.status_code == 429:
        response.headers.setdefault("Retry-After", str(seconds_left()))
    return response


def failed(error: Exception) -> Response:
    """Log an unexpected error and return the response for it; in debug mode, raise it, so that
    Flask shows the traceback.
    """
    if current_app.debug:
        raise error
    log.exception("a request failed")
    return refused(InternalServerError())
