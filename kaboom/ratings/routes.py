"""Ratings: one's own, the leaderboards one is shown, and whether one's matches count."""

from flask import Blueprint, abort, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response

from kaboom.db.database import Unavailable
from kaboom.engine.i18n import say
from kaboom.errors import NotPermitted
from kaboom.games import GAMES
from kaboom.ratings import api as leaderboards
from kaboom.ratings import leaderboards as rating
from kaboom.ratings.service import kept_as
from kaboom.tables.context import tables
from kaboom.web import limits
from kaboom.web.api.negotiation import by_page
from kaboom.web.errors import sentence_of
from kaboom.web.session import key_hash

bp = Blueprint("ratings", __name__)

FIRST = "kaboom"


@bp.get("/ratings")
def first() -> Response:
    """One's ratings, and the leaderboards of the room's own game."""
    return _page(FIRST if FIRST in GAMES else next(iter(GAMES)))


@bp.get("/ratings/<key>")
@bp.get("/ratings/<key>.json", endpoint="show_json")
@bp.get("/ratings/<key>.txt", endpoint="show_text")
def show(key: str) -> Response:
    """The same with the leaderboards of another game; with `over=days` of its matches over days."""
    if key not in GAMES:
        abort(404)
    return _page(key, days=request.args.get("over") == "days")


@bp.post("/me/ratings")
@limits.both(player="30 per minute; 200 per hour", address="60 per minute; 600 per hour")
def want() -> Response:
    """Keep whether one's matches count and who is shown the rating, or forget all ratings."""
    form = request.form
    try:
        if form.get("do") == "forget":
            rating.forget(tables(), key_hash())
        else:
            rating.want(tables(), key_hash(), form.get("counts") == "1", form.get("shown", ""))
    except NotPermitted as no:
        return _page(FIRST, no.status, str(no))
    except Unavailable as busy:
        return _page(FIRST, 503, sentence_of(busy))
    return redirect(url_for("ratings.first"), 303)


def _page(key: str, status: int = 200, wrong: str = "", days: bool = False) -> Response:
    if not by_page():
        limits.another_look()
    public: bool = current_app.config["SERVER"].leaderboard
    found = rating.look(tables(), key_hash(), kept_as(key, int(days)), public)
    names = {kept_as(it, n): _called(it, n) for it in GAMES for n in (0, 1)}
    if not by_page() and request.method in ("GET", "HEAD"):
        return leaderboards.ratings(key, days, _called(key, int(days)), found, names, public)
    page = render(
        "ratings/leaderboard.html",
        found=found,
        game=GAMES[key],
        days=days,
        called=_called(key, int(days)),
        names=names,
        public=public,
        wrong=wrong,
    )
    return make_response(page, status)


def _called(key: str, days: int) -> str:
    name = GAMES[key].name
    return say("{game} over days", game=name) if days else name
