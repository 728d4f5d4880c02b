"""The lobby: the tables that their hosts have listed."""

import hashlib

from flask import Blueprint, Response, make_response, request
from flask import render_template as render

from kaboom.lobby import api
from kaboom.matchmaking.service import sought
from kaboom.matchmaking.texts import line_of
from kaboom.tables.access.service import listed
from kaboom.tables.context import tables
from kaboom.tables.forms.listing import lobby_table
from kaboom.web.api.negotiation import wants_html
from kaboom.web.forms import number
from kaboom.web.session import key_hash

bp = Blueprint("lobby", __name__, url_prefix="/lobby")


@bp.get("")
def show() -> str | Response:
    """Show the lobby, with twenty tables a page."""
    page = _page()
    if not wants_html():
        found, more = listed(tables(), page)
        return api.lobby([lobby_table(snapshot) for snapshot in found], page, more)
    return render("lobby/lobby.html", **_list(page))


@bp.get("/rooms")
def rooms() -> Response:
    """Return only the list; 204 if the browser already has it."""
    found = _list(_page())
    if request.args.get("rooms") == found["seen"]:
        return Response(status=204)
    return make_response(render("lobby/fragments/tables.html", **found).strip())


def _list(page: int) -> dict[str, object]:
    found, more = listed(tables(), page)
    shown = sorted(map(lobby_table, found), key=lambda it: not it.open)
    waiting = [line_of(it) for it in sought(tables(), key_hash())]
    seen = hashlib.blake2b(repr((shown, more, waiting)).encode(), digest_size=6).hexdigest()
    return {"rooms": shown, "number": page, "more": more, "seen": seen, "waiting": waiting}


def _page() -> int:
    """Return the requested page, counted from 0."""
    return max(0, min(number(request.args.get("page")), 1000))
