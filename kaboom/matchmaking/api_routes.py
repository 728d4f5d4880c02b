"""The matchmaking API: /play.json and /play/wait.json, and the same as text."""

from flask import Blueprint
from werkzeug.wrappers import Response

from kaboom.matchmaking import routes
from kaboom.web import rate_limits

bp = Blueprint("matchmaking_voices", __name__)


@bp.get("/play.json", endpoint="show_json")
@bp.get("/play.txt", endpoint="show_text")
def show() -> Response:
    """Return the waiting players."""
    rate_limits.count_request()
    return routes.overview()


@bp.get("/play/wait.json", endpoint="wait_json")
@bp.get("/play/wait.txt", endpoint="wait_text")
def wait() -> Response:
    """Return the player's own request; each query confirms that the player is still there."""
    rate_limits.count_request()
    return routes.wait()
