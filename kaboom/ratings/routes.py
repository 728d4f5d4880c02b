"""Ratings: the player's own ratings, leaderboards, and the choice to be rated."""

from flask import Blueprint, abort, current_app, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response

from kaboom.db.database import Unavailable
from kaboom.engine.i18n import gettext as _
from kaboom.errors import NotPermitted
from kaboom.games import GAMES
from kaboom.ratings import api, leaderboards, seasons
from kaboom.ratings.months import is_month
from kaboom.ratings.openskill import ENOUGH
from kaboom.ratings.service import pool_of
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.errors import sentence_of
from kaboom.web.session import key_hash

bp = Blueprint("ratings", __name__)


@bp.get("/leaderboards")
def first() -> Response:
    """Show the player's ratings, and the leaderboards of the default game."""
    return _page(next(iter(GAMES)))


@bp.get("/leaderboards/<key>")
@bp.get("/leaderboards/<key>.json", endpoint="show_json")
@bp.get("/leaderboards/<key>.txt", endpoint="show_text")
def show(key: str) -> Response:
    """Show the leaderboards of another game; with `over=days`, those of its correspondence
    matches.
    """
    if key not in GAMES:
        abort(404)
    return _page(key, days=request.args.get("over") == "days")


@bp.get("/leaderboards/<key>/<month>")
@bp.get("/leaderboards/<key>/<month>.json", endpoint="season_json")
@bp.get("/leaderboards/<key>/<month>.txt", endpoint="season_text")
def season(key: str, month: str) -> Response:
    """Show the leaderboards of a game for a month, such as 2026-11; with `over=days`, those of its
    correspondence matches.
    """
    if key not in GAMES or not is_month(month):
        abort(404)
    days = request.args.get("over") == "days"
    if not wants_html():
        rate_limits.count_request()
    public: bool = current_app.config["SERVER"].leaderboard
    found = seasons.get(tables(), key_hash(), pool_of(key, days), month, public)
    if found is None:
        abort(404)
    called = _called(key, days)
    if not wants_html():
        return api.season(key, days, called, found, public)
    page = render(
        "ratings/season.html",
        found=found,
        game=GAMES[key],
        days=days,
        called=called,
        public=public,
        least=seasons.LEAST,
        month_name=api.month_name,
    )
    return make_response(page)


@bp.post("/account/leaderboards")
@rate_limits.both(player="30 per minute; 200 per hour", address="60 per minute; 600 per hour")
def want() -> Response:
    """Store whether matches are rated and who may see the rating, or delete all ratings."""
    form = request.form
    try:
        if form.get("do") == "forget":
            leaderboards.forget(tables(), key_hash())
        else:
            leaderboards.want(
                tables(), key_hash(), form.get("counts") == "1", form.get("shown", "")
            )
    except NotPermitted as no:
        return _page(next(iter(GAMES)), no.status, str(no))
    except Unavailable as busy:
        return _page(next(iter(GAMES)), 503, sentence_of(busy))
    return redirect(url_for("ratings.first"), 303)


def _page(key: str, status: int = 200, wrong: str = "", days: bool = False) -> Response:
    if not wants_html():
        rate_limits.count_request()
    public: bool = current_app.config["SERVER"].leaderboard
    found = leaderboards.get(tables(), key_hash(), pool_of(key, days), public)
    names = {pool_of(it, n): _called(it, n) for it in GAMES for n in (0, 1)}
    if not wants_html() and request.method in ("GET", "HEAD"):
        return api.ratings(key, days, _called(key, days), found, names, public)
    page = render(
        "ratings/leaderboard.html",
        found=found,
        game=GAMES[key],
        days=days,
        called=_called(key, days),
        names=names,
        here=next((it for it in found.own if it.game == pool_of(key, days)), None),
        enough=ENOUGH,
        public=public,
        wrong=wrong,
        month_name=api.month_name,
    )
    return make_response(page, status)


def _called(key: str, days: int) -> str:
    name = GAMES[key].name
    return _("{game} by correspondence", game=name) if days else name
