"""What goes wrong is said in a sentence, with its status; never more than that."""

import logging

from flask import Flask, Response, make_response, render_template, request
from werkzeug.exceptions import BadHost, HTTPException, InternalServerError, SecurityError

from kaboom.core.language import mark, say
from kaboom.store.database import Busy
from kaboom.store.sealing import Unreadable
from kaboom.tables.errors import Damaged, Locked, NoTable
from kaboom.tables.loaded import Loaded

log = logging.getLogger(__name__)

BUSY = mark("The server is busy. Nothing has changed; please try again.")
SENTENCES = {
    400: mark("This request could not be understood."),
    403: mark("That is not allowed from here."),
    404: mark("There is no such page."),
    405: mark("This address takes no such request."),
    413: mark("That is far too much text for one form."),
    429: mark("That was a little fast. Please wait a moment and try again."),
    500: mark("Something went wrong on our side. Nothing you did is lost; please try again."),
}


def init_app(app: Flask) -> None:
    """Answer every error with our own page."""
    app.register_error_handler(NoTable, no_table)
    app.register_error_handler(Busy, busy)
    app.register_error_handler(Damaged, damaged)
    app.register_error_handler(Unreadable, damaged)
    app.register_error_handler(Locked, locked)
    for error in (BadHost, SecurityError):
        app.register_error_handler(error, nowhere)
    app.register_error_handler(HTTPException, refused)
    app.register_error_handler(Exception, failed)


def sentence_of(no: Exception) -> str:
    """Return what is said of a refusal, or of a store that is busy."""
    return say(BUSY) if isinstance(no, Busy) else str(no)


def no_table(error: NoTable) -> tuple[str, int]:
    """No table has that code."""
    sentence = say(
        "There is no table with that code. Ask for the link again, or start one yourself."
    )
    return render_template("error.html", status=404, sentence=sentence), 404


def busy(error: Busy) -> tuple[str, int, dict[str, str]]:
    """The store cannot be had just now."""
    log.warning("the store is busy: %s", error)
    return render_template("error.html", status=503, sentence=say(BUSY)), 503, {"Retry-After": "1"}


def damaged(error: Exception) -> tuple[str, int]:
    """What is stored of that table or match cannot be read."""
    log.error("damaged: %s", error)
    sentence = say(
        "What is stored of this is damaged and cannot be shown. Other tables are not affected; "
        "please tell whoever runs this server."
    )
    return render_template("error.html", status=503, sentence=sentence), 503


def locked(error: Locked) -> Response:
    """The table has a password: ask for it, and tell nothing else of the table."""
    response = make_response(locked_page(error.loaded), 403)
    if request.headers.get("HX-Request") == "true":
        response.headers["HX-Refresh"] = "true"  # an open page asks as a whole
    return response


def locked_page(loaded: Loaded, wrong: str = "") -> str:
    """Return the page that asks for a table's password; `wrong` is what was wrong with a try."""
    table = loaded.table
    hosts = [chair.name for _, chair in table.sitting() if chair.player == table.host]
    return render_template(
        "locked.html", code=loaded.code, game=loaded.game, hosts=hosts, wrong=wrong
    )


def nowhere(error: HTTPException) -> tuple[str, int]:
    """A Host that is none, or not ours: no page can be drawn then, for pages hold addresses."""
    return say(SENTENCES[400]), 400


def refused(error: HTTPException) -> tuple[str, int]:
    """An HTTP error, by its own sentence if it is one of ours."""
    status = error.code or 500
    ours = error.description if error.description != type(error).description else None
    sentence = ours or (say(SENTENCES[status]) if status in SENTENCES else error.name)
    return render_template("error.html", status=status, sentence=sentence), status


def failed(error: Exception) -> tuple[str, int]:
    """Something nobody foresaw: logged here, not shown."""
    log.exception("a request failed")
    return refused(InternalServerError())
