"""The lobby: the tables whose hosts want them found."""

import hashlib

from flask import Blueprint, Response, make_response, request
from flask import render_template as render

from kaboom.lobby import api
from kaboom.tables.access.service import listed
from kaboom.tables.context import tables
from kaboom.tables.pages.listing import lobby_table
from kaboom.web.api.negotiation import by_page
from kaboom.web.forms import number

bp = Blueprint("lobby", __name__, url_prefix="/lobby")


@bp.get("")
def show() -> str | Response:
    """The page of the lobby; twenty tables a page."""
    page = _page()
    if not by_page():
        found, more = listed(tables(), page)
        return api.lobby([lobby_table(snapshot) for snapshot in found], page, more)
    return render("lobby/lobby.html", **_list(page))


@bp.get("/rooms")
def rooms() -> Response:
    """The list alone; 204 when the browser has it already."""
    found = _list(_page())
    if request.args.get("rooms") == found["seen"]:
        return Response(status=204)
    return make_response(render("lobby/fragments/tables.html", **found).strip())


def _list(page: int) -> dict[str, object]:
    found, more = listed(tables(), page)
    shown = [lobby_table(snapshot) for snapshot in found]
    seen = hashlib.blake2b(repr((shown, more)).encode(), digest_size=6).hexdigest()
    return {"rooms": shown, "number": page, "more": more, "seen": seen}


def _page() -> int:
    """Return the page asked for, from 0."""
    return max(0, min(number(request.args.get("page")), 1000))
