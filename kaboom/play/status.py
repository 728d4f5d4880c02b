"""“What is going on?”: a few sentences about a table, which end with what wins."""

from flask import Blueprint, render_template, request

from kaboom.play import speech, tips
from kaboom.play.controls import besides_of
from kaboom.play.page import table_page
from kaboom.tables.context import tables
from kaboom.web.context import clean_code
from kaboom.web.session import key_hash

bp = Blueprint("status", __name__, url_prefix="/t/<code>")
bp.url_value_preprocessor(clean_code)


@bp.get("/now")
def now(code: str) -> str:
    """Return the sentences for the table's own page, or a page of them if scripts are off."""
    snapshot = tables().look(code, key_hash())
    page = table_page(snapshot, besides=besides_of(snapshot))
    said, previews = f"{speech.told(page)} {tips.aim(page)}".rstrip(), page.previews()
    template = "play/status_more.html" if request.headers.get("HX-Request") else "play/status.html"
    return render_template(template, code=code, said=said, previews=previews)
