"""The matchmaking API: /play.json and /play/wait.json, and the same as text."""

from flask import Blueprint

from kaboom.matchmaking import routes
from kaboom.web import rate_limits

bp = Blueprint("matchmaking_voices", __name__)
bp.before_request(rate_limits.count_request)

bp.add_url_rule("/play.json", "show_json", routes.overview)
bp.add_url_rule("/play.txt", "show_text", routes.overview)
# Each query confirms that the player is still there.
bp.add_url_rule("/play/wait.json", "wait_json", routes.wait)
bp.add_url_rule("/play/wait.txt", "wait_text", routes.wait)
