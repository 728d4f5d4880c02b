"""“What is going on?”: a few sentences about a table, ending with how to win."""

from flask import Blueprint, render_template, request

from kaboom.table_page import speech, tips
from kaboom.table_page.controls import besides_of
from kaboom.table_page.page_data import table_page
from kaboom.tables.context import tables
from kaboom.web.context import clean_code
from kaboom.web.session import key_hash

bp = Blueprint("status", __name__, url_prefix="/t/<code>")
bp.url_value_preprocessor(clean_code)


@bp.get("/now")
def now(code: str) -> str:
    """Return help for this moment: for the table's own page, what the cards do and the sentences
    for screen readers; without scripts, a page of its own with both.
    """
    snapshot = tables().get(code, key_hash())
    page = table_page(snapshot, besides=besides_of(snapshot))
    aim, by_script = tips.aim(page), request.headers.get("HX-Request")
    template = "table_page/status_more.html" if by_script else "table_page/status.html"
    said, previews = f"{speech.told(page)} {aim}".rstrip(), page.previews()
    return render_template(
        template,
        code=code,
        said=said,
        aim=aim,
        previews=previews,
        game=snapshot.game,
        page=page,
    )
