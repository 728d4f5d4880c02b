"""Premoves, on a page of their own, so that table updates stay small."""

from flask import make_response, request
from werkzeug.wrappers import Response as AnyResponse

from kaboom.table_page import service as match_service
from kaboom.table_page.page_data import rendered, table_page
from kaboom.table_page.responses import bp, do, to_page
from kaboom.tables.context import tables
from kaboom.tables.premoves import can_plan
from kaboom.web import rate_limits
from kaboom.web.forms import number
from kaboom.web.session import key_hash

LONGEST = 40  # maximum characters of the choices


@bp.get("/ahead")
def ahead(code: str) -> AnyResponse:
    """Show the premoves that a player may set."""
    snapshot = tables().get(code, key_hash())
    seat = snapshot.me
    if seat is None:
        return to_page(snapshot)
    found = can_plan(snapshot.table, snapshot.position, seat)
    page = table_page(snapshot)
    words, names = snapshot.game.words, page.names
    ways = [
        (
            it.token(seat),
            words.ahead(it.verb, (), it.until, names),
            [(option, words.choice(it.verb, option, names)) for option in it.pick.options],
        )
        for it in found
    ]
    return make_response(rendered("table_page/premoves.html", page, ways=ways))


@bp.post("/ahead")
@rate_limits.both(player="30 per minute", address="120 per minute")
def decide_ahead(code: str) -> AnyResponse:
    """Set a premove, or cancel it if there is no `plan`."""
    form = request.form
    token, match = form.get("plan", "")[:LONGEST], number(form.get("match"))
    choices = tuple(pick[:LONGEST] for pick in form.getlist("pick")[:2])
    return do(code, lambda p: match_service.decide_ahead(tables(), code, p, token, choices, match))
