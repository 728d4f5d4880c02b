"""Lists in formats other than HTML: /lobby.json, /games.txt and others."""

from flask import Blueprint, make_response
from werkzeug.wrappers import Response as AnyResponse

from kaboom.games import GAMES
from kaboom.lobby import api, home_routes, routes, turn_routes
from kaboom.social.clubs import routes as clubs
from kaboom.web import rate_limits

listings = Blueprint("listings", __name__)
listings.before_request(rate_limits.count_request)


@listings.get("/lobby.json", endpoint="lobby_json")
@listings.get("/lobby.txt", endpoint="lobby_text")
def tables_in_lobby() -> AnyResponse:
    """Return a page of the lobby."""
    return make_response(routes.show())


@listings.get("/games.json", endpoint="games_json")
@listings.get("/games.txt", endpoint="games_text")
def games() -> AnyResponse:
    """Return the games of this server, with their options."""
    return api.games(GAMES.values())


@listings.get("/rules/<key>.json", endpoint="rules_json")
@listings.get("/rules/<key>.txt", endpoint="rules_text")
def rules(key: str) -> AnyResponse:
    """Return the rules of a game, with its defaults or the requested preset."""
    return home_routes.rules(key)


@listings.get("/turns.json", endpoint="turns_json")
@listings.get("/turns.txt", endpoint="turns_text")
def turns() -> AnyResponse:
    """Return the requesting player's running matches and open check-ins."""
    return turn_routes.turns()


@listings.get("/clubs/<club>.json", endpoint="club_json")
@listings.get("/clubs/<club>.txt", endpoint="club_text")
def a_club(club: str) -> AnyResponse:
    """Return a club, for its members."""
    return clubs.told(clubs.read_code(club))
