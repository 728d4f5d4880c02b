"""What goes wrong is said in a sentence, with its status; never more than that."""

import logging

from flask import Flask, render_template
from werkzeug.exceptions import HTTPException, InternalServerError

from kaboom.core.language import mark, say
from kaboom.tables.errors import NoTable

log = logging.getLogger(__name__)

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
    app.register_error_handler(HTTPException, refused)
    app.register_error_handler(Exception, failed)


def no_table(error: NoTable) -> tuple[str, int]:
    """No table has that code."""
    sentence = say(
        "There is no table with that code. Ask for the link again, or start one yourself."
    )
    return render_template("error.html", status=404, sentence=sentence), 404


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
