"""The comparison of results on the cards of a tournament round, as a page and through the API."""

from flask import Blueprint, Response, abort, make_response
from flask import render_template as render

from kaboom.challenges import api, round_service
from kaboom.challenges.pages import lines_of
from kaboom.engine.i18n import gettext as _
from kaboom.records.routes import library
from kaboom.tables.context import tables
from kaboom.tournaments.reader import asked_for, me
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.session import key_hash

bp = Blueprint("round_compared", __name__)


@bp.get("/tournaments/<code>/round/<int(max=9999):round>/compare")
@bp.get("/tournaments/<code>/round/<int(max=9999):round>/compare.json", endpoint="show_json")
@bp.get("/tournaments/<code>/round/<int(max=9999):round>/compare.txt", endpoint="show_text")
@rate_limits.limiter.limit("60 per minute")
def show(code: str, round: int) -> Response:
    """Show how all players did with the reader's cards of a round, once all tables have
    finished.
    """
    seen = asked_for(code.upper())
    if not seen.of.settings.duplicate:
        abort(
            404,
            _("The tables of this tournament play different cards: there is nothing to compare."),
        )
    if not 1 <= round <= len(seen.of.rounds):
        abort(404, _("There is no such round."))
    it = round_service.find(tables(), seen, round, me()[0])
    lines = lines_of(library(), it.lines, it.seat, key_hash())
    if not wants_html():
        return api.tournament_round(seen, it, lines)
    return make_response(render("challenges/round.html", seen=seen, it=it, lines=lines))
