"""What is listed in other voices than HTML: /lobby.json, /games.txt and the like."""

from flask import Blueprint, make_response
from werkzeug.wrappers import Response as AnyResponse

from kaboom.games import GAMES
from kaboom.lobby import api, home_routes, lobby_routes, turn_routes
from kaboom.social.clubs import routes as clubs
from kaboom.web import limits

listings = Blueprint("listings", __name__)


@listings.get("/lobby.json", endpoint="lobby_json")
@listings.get("/lobby.txt", endpoint="lobby_text")
def tables_in_lobby() -> AnyResponse:
    """A page of the lobby."""
    limits.another_look()
    return make_response(lobby_routes.show())


@listings.get("/games.json", endpoint="games_json")
@listings.get("/games.txt", endpoint="games_text")
def games() -> AnyResponse:
    """The games of this server, with their options."""
    limits.another_look()
    return api.games(GAMES.values())


@listings.get("/rules/<key>.json", endpoint="rules_json")
@listings.get("/rules/<key>.txt", endpoint="rules_text")
def rules(key: str) -> AnyResponse:
    """The rules of a game, as usual or for the way to play that is asked for."""
    limits.another_look()
    return home_routes.rules(key)


@listings.get("/turns.json", endpoint="turns_json")
@listings.get("/turns.txt", endpoint="turns_text")
def turns() -> AnyResponse:
    """The matches that whoever asks is in."""
    limits.another_look()
    return turn_routes.turns()


@listings.get("/c/<club>.json", endpoint="club_json")
@listings.get("/c/<club>.txt", endpoint="club_text")
def a_club(club: str) -> AnyResponse:
    """A club, to its members."""
    limits.another_look()
    return clubs.told(clubs.read_code(club))
