"""Pages: a player's own statistics, head-to-head results, and the public page with its settings."""

from flask import Blueprint, Response, abort, make_response, redirect, request, url_for
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.db.database import Unavailable
from kaboom.db.ids import can_be_code
from kaboom.engine.i18n import gettext as _
from kaboom.errors import NotPermitted
from kaboom.games import GAMES
from kaboom.statistics import api, public, service
from kaboom.statistics.public import PARTS, PageNotFound
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.errors import sentence_of, told
from kaboom.web.links import absolute
from kaboom.web.session import key_hash

bp = Blueprint("statistics", __name__)
public_bp = Blueprint("player_pages", __name__)


@public_bp.app_errorhandler(PageNotFound)
def no_page(error: PageNotFound) -> Response:
    """Return the error page for a public page that does not exist or is hidden from the
    requester.
    """
    return told(error, 404, str(error))


# The player's own


@bp.get("/statistics")
@bp.get("/statistics.json", endpoint="index_json")
@bp.get("/statistics.txt", endpoint="index_text")
def index() -> Response:
    """Show the player's figures for all games."""
    if not wants_html():
        rate_limits.count_request()
        own = service.portrait(tables(), key_hash())
        return api.overview(own, service.all_games(tables(), key_hash()))
    games = service.all_games(tables(), key_hash())
    return make_response(render("statistics/index.html", figures=games))


@bp.get("/statistics/people")
@bp.get("/statistics/people.json", endpoint="people_json")
@bp.get("/statistics/people.txt", endpoint="people_text")
def people() -> Response:
    """Show the player's head-to-head results."""
    if not wants_html():
        rate_limits.count_request()
        return api.heads(service.head_to_head(tables(), key_hash()))
    rivals = service.head_to_head(tables(), key_hash())
    return make_response(render("statistics/people.html", rivals=rivals))


@bp.get("/statistics/<key>")
@bp.get("/statistics/<key>.json", endpoint="game_json")
@bp.get("/statistics/<key>.txt", endpoint="game_text")
def game(key: str) -> Response:
    """Show the player's figures for one game, and how they have changed over time."""
    if key not in GAMES:
        abort(404, _("There is no game with that name."))
    if not wants_html():
        rate_limits.count_request()
    found = service.one_game(tables(), key_hash(), key)
    if not wants_html():
        if found is None:
            abort(404, _("You have not finished a match of this game yet."))
        return api.game(found)
    return make_response(render("statistics/game.html", game=GAMES[key], it=found))


# The public page


@bp.get("/settings/public-page")
def choice() -> Response:
    """Show the settings of the player's public page."""
    return _choice()


@bp.post("/settings/public-page")
@rate_limits.both(player="20 per minute; 100 per hour", address="60 per minute; 600 per hour")
def choose() -> AnyResponse:
    """Enable the public page with the selected parts, or disable it."""
    form = request.form
    try:
        public.choose(tables(), key_hash(), form.get("on") == "1", form.getlist("shows"))
    except NotPermitted as no:
        return _choice(no.status, str(no))
    except Unavailable as busy:
        return _choice(503, sentence_of(busy))
    return redirect(url_for("statistics.choice"), 303)


def _choice(status: int = 200, wrong: str = "") -> Response:
    own = public.choice(tables(), key_hash())
    link = absolute("player_pages.show", code=own.code) if own and own.code else ""
    page = render("statistics/choice.html", own=own, parts=PARTS, link=link, wrong=wrong)
    return make_response(page, status)


@public_bp.get("/players/<code>")
@public_bp.get("/players/<code>.json", endpoint="show_json")
@public_bp.get("/players/<code>.txt", endpoint="show_text")
def show(code: str) -> Response:
    """Show a player's public page."""
    code = code.upper()
    if not can_be_code(code):
        abort(404, _("There is no such page."))
    if not wants_html():
        rate_limits.count_request()
    found = public.get(tables(), code, key_hash())
    if not wants_html():
        return api.public_page(found)
    return make_response(render("statistics/public.html", it=found))
