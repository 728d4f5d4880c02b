"""The page with a player's private notes on the match at a table."""

from flask import Response, make_response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from kaboom.db.database import Unavailable
from kaboom.errors import InvalidState, NotPermitted
from kaboom.records import notes
from kaboom.table_page.page_data import rendered, table_page
from kaboom.table_page.responses import bp, refused
from kaboom.tables.context import tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import rate_limits
from kaboom.web.errors import sentence_of
from kaboom.web.forms import number
from kaboom.web.session import key_hash


@bp.get("/notes")
def own_notes(code: str) -> AnyResponse:
    """Show the player's notes on this match."""
    snapshot = tables().get(code, key_hash())
    try:
        return _page(snapshot, notes.own(tables(), snapshot), saved="saved" in request.args)
    except (NotPermitted, InvalidState) as no:
        return refused(code, no)


@bp.post("/notes")
@rate_limits.both(player="30 per minute", address="120 per minute")
def write_notes(code: str) -> AnyResponse:
    """Store the player's notes on this match."""
    snapshot, text = tables().get(code, key_hash()), request.form.get("text", "")
    try:
        notes.write(tables(), snapshot, number(request.form.get("match")), text)
    except NotPermitted as no:
        return refused(code, no)
    except (InvalidState, Unavailable) as no:
        answer = _page(snapshot, text, wrong=sentence_of(no))
        answer.status_code = no.status
        return answer
    return redirect(url_for("table.own_notes", code=code, saved=1) + "#saved", 303)


def _page(snapshot: TableSnapshot, text: str, wrong: str = "", saved: bool = False) -> Response:
    page = table_page(snapshot)
    more = {"text": text, "wrong": wrong, "saved": saved, "longest": notes.LONGEST}
    return make_response(rendered("records/notes.html", page, **more))
