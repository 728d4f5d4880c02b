"""The remote-bot API: an author's bots, and those that can be invited, as JSON and as text."""

from flask import Blueprint
from werkzeug.wrappers import Response

from kaboom.remote_bots import routes
from kaboom.web import rate_limits

bp = Blueprint("remote_bots_api", __name__)


@bp.get("/settings/bots.json", endpoint="list_json")
@bp.get("/settings/bots.txt", endpoint="list_text")
def mine() -> Response:
    """Return the author's bots."""
    rate_limits.count_request()
    return routes.mine()


@bp.get("/settings/bots/<number:bot>.json", endpoint="bot_json")
@bp.get("/settings/bots/<number:bot>.txt", endpoint="bot_text")
def show(bot: int) -> Response:
    """Return one of the author's bots with its last calls."""
    rate_limits.count_request()
    return routes.show(bot)


@bp.get("/t/<code>/invite-bot.json", endpoint="invitable_json")
@bp.get("/t/<code>/invite-bot.txt", endpoint="invitable_text")
def invitable(code: str) -> Response:
    """Return the bots that a seated player may invite."""
    rate_limits.count_request()
    return routes.invitable(code)
