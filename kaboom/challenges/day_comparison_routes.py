"""The comparison of a daily deal: a histogram, and where other players' decisions differed."""

from datetime import date

from flask import Blueprint, Response, abort, make_response
from flask import render_template as render

from kaboom.challenges import api, day_comparison_service
from kaboom.challenges.pages import lines_of
from kaboom.records.routes import library
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.session import key_hash

bp = Blueprint("day_compared", __name__)

SHOWN = 30  # lines in the table, best first


@bp.get("/daily/<when>/compare")
@bp.get("/daily/<when>/compare.json", endpoint="show_json")
@bp.get("/daily/<when>/compare.txt", endpoint="show_text")
@rate_limits.limiter.limit("60 per minute")
def show(when: str) -> Response:
    """Show all players' results on the daily deal: to readers who have finished it and, once it is
    public, to everyone.
    """
    try:
        day = date.fromisoformat(when)
    except ValueError:
        abort(404)
    it = day_comparison_service.find(tables(), day, key_hash())
    if it is None or day.isoformat() != when:
        abort(404)
    lines = lines_of(library(), it.lines, it.seat, key_hash())
    if not wants_html():
        return api.day(it, lines)
    most = max((bar.count for bar in it.bars), default=1)
    shown = [each for n, each in enumerate(lines) if n < SHOWN or each.line.mine]
    page = render("challenges/day_comparison.html", it=it, lines=shown, bars=it.bars, most=most)
    return make_response(page)
