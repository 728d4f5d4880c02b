"""The remote-bot API: an author's bots, and those that can be invited, as JSON and as text."""

from flask import Blueprint

from kaboom.remote_bots import routes
from kaboom.web import rate_limits

bp = Blueprint("remote_bots_api", __name__)
bp.before_request(rate_limits.count_request)

bp.add_url_rule("/settings/bots.json", "list_json", routes.mine)
bp.add_url_rule("/settings/bots.txt", "list_text", routes.mine)
bp.add_url_rule("/settings/bots/<number:bot>.json", "bot_json", routes.show)
bp.add_url_rule("/settings/bots/<number:bot>.txt", "bot_text", routes.show)
bp.add_url_rule("/t/<code>/invite-bot.json", "invitable_json", routes.invitable)
bp.add_url_rule("/t/<code>/invite-bot.txt", "invitable_text", routes.invitable)
