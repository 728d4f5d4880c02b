"""One screen for the whole room: the public table on a television, with a QR code for each free
seat.

The screen shows a spectator's view; the hands stay on the phones. A seated player may open it even
if spectators are excluded or delayed, since the people in the room see as much anyway.
"""

from dataclasses import dataclass, replace

from flask import Blueprint, Response, abort, make_response, redirect, request, url_for
from flask import render_template as render
from markupsafe import escape
from werkzeug.wrappers import Response as AnyResponse

from kaboom.engine.table_view import TablePage
from kaboom.sharing.qr_codes import qr_code_of_table
from kaboom.table_page.page_data import table_page
from kaboom.table_page.table_html import filled, framed, game_table, marked_table
from kaboom.tables.context import tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import rate_limits
from kaboom.web.context import clean_code
from kaboom.web.links import absolute
from kaboom.web.session import key_hash

bp = Blueprint("screen", __name__, url_prefix="/t/<code>")
bp.url_value_preprocessor(clean_code)


@dataclass(frozen=True, slots=True)
class ChairCode:
    """A free chair, and the QR code of the link to it as the source of an image."""

    number: int  # counted from 1, as people count
    picture: str


@bp.get("/screen")
@rate_limits.limiter.limit("60 per minute")
def show(code: str) -> Response:
    """Show the whole page for a television."""
    snapshot = tables().get(code, key_hash())
    page = _public(snapshot)
    html = render(
        "table_page/tv.html",
        page=page,
        inside=_inside(page),
        known=snapshot.table.revision(snapshot.me),
    )
    return make_response(filled(html, page.marks))


@bp.get("/screen/view")
def view(code: str) -> Response:
    """Return the changes to the screen; 204 if there are none."""
    snapshot = tables().get(code, key_hash())
    if request.args.get("v") == str(snapshot.table.revision(None)):
        return Response(status=204)
    page = _public(snapshot)
    return make_response(f"<title>{escape(page.title)}</title>{filled(_inside(page), page.marks)}")


@bp.get("/chair/<int(max=99):number>")
def chair(code: str, number: int) -> AnyResponse:
    """Show the page to which a seat's QR code leads: a field for the name, and a button. Redirects
    to the table if the player sits there, a match is running or the seat is taken.
    """
    snapshot = tables().get(code, key_hash())
    page = table_page(snapshot)
    seated = page.me is not None
    if not (seated or page.playing or 1 <= number <= len(page.seats)):
        abort(404)
    if seated or page.playing or page.seats[number - 1].name:
        return redirect(url_for("table.show", code=code), 303)
    return make_response(render("lobby/seat.html", page=page, number=number, seat=number - 1))


def _public(snapshot: TableSnapshot) -> TablePage:
    """Return the table's page as a spectator sees it."""
    return table_page(replace(snapshot, player=None, player_name=""), on_tv=True)


def _inside(page: TablePage) -> str:
    """Return the contents of the screen: the free seats before a match, then the table."""
    if page.closed or page.frozen:
        return marked_table(page)
    free = () if page.playing else _free_chairs(page)
    before = page.view is None
    table = "" if before else game_table(page)
    inside = render(
        "table_page/fragments/tv.html", page=page, free=free, before=before, table=table
    )
    return framed(page, inside)


def _free_chairs(page: TablePage) -> list[ChairCode]:
    numbers = [line.seat + 1 for line in page.seats if not line.name]
    links = [absolute("screen.chair", code=page.code, number=number) for number in numbers]
    return [ChairCode(*it) for it in zip(numbers, map(qr_code_of_table, links), strict=True)]
