"""The list of a player's turns, as a page and as a feed (of the blueprint `notifications`)."""

from flask import Response, abort, make_response
from flask import render_template as render
from werkzeug.wrappers import Response as AnyResponse

from kaboom.accounts.current import known_id
from kaboom.engine.i18n import speak
from kaboom.lobby import api
from kaboom.lobby.turns import atom, turns_of
from kaboom.notifications import channel_queries as store
from kaboom.notifications.routes import base, bp
from kaboom.tables.context import tables
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import wants_html
from kaboom.web.atom import secret_feed
from kaboom.web.i18n import language
from kaboom.web.links import absolute
from kaboom.web.times import left_over_days


@bp.get("/turns")
def turns() -> AnyResponse:
    """Show the player's turns, most urgent first."""
    player = known_id()
    lines = turns_of(tables(), player, "") if player else []
    if not wants_html():
        return api.turns(lines)
    return make_response(render("lobby/turns.html", lines=lines, left=left_over_days))


@bp.get("/turns/<secret>.atom")
@rate_limits.limiter.limit("30 per minute")
def turns_feed(secret: str) -> Response:
    """Return the player's turns as an Atom feed, for the client that knows its secret URL."""
    found = tables().database.read(lambda connection: store.feed_owner(connection, secret))
    if found is None:
        abort(404)
    player, name, code = found
    speak(language(code))
    address = absolute("notifications.turns_feed", secret=secret)
    made = atom(turns_of(tables(), player, name), base(), address, tables().now())
    return secret_feed(made)
