"""The addresses of a table in other voices than HTML: /t/CODE.json, .txt and .say."""

from flask import Blueprint, make_response, request
from werkzeug.wrappers import Response as AnyResponse

from kaboom.engine.i18n import say
from kaboom.games import GAMES
from kaboom.lobby import home_routes, lobby_routes
from kaboom.notifications import routes as calls
from kaboom.play import view_routes as looking
from kaboom.play.responses_api import shown
from kaboom.play.view_routes import to_program
from kaboom.realtime.stream import LINES, once
from kaboom.social.chat import routes as chat
from kaboom.social.clubs import routes as clubs
from kaboom.tables.context import tables
from kaboom.web import limits
from kaboom.web.api import responses as lists
from kaboom.web.api.negotiation import MEDIA, voice
from kaboom.web.api.problems import problem
from kaboom.web.context import clean_code
from kaboom.web.forms import number
from kaboom.web.session import key_hash

LONGEST = 25  # seconds that a question may wait

bp = Blueprint("voices", __name__, url_prefix="/t")
bp.url_value_preprocessor(clean_code)
listings = Blueprint("listings", __name__)


@bp.get("/<code>.json", endpoint="json")
@bp.get("/<code>.txt", endpoint="text")
@bp.get("/<code>.say", endpoint="say")
def look(code: str) -> AnyResponse:
    """The table, in the voice that its address says. With `v` and `wait`: once it is not as it was
    at that revision, or after so many seconds.
    """
    limits.another_look()
    snapshot = tables().look(code, key_hash())
    wait = min(number(request.args.get("wait"), otherwise=0, digits=4), LONGEST)
    known = snapshot.table.revision(snapshot.me)
    if wait and request.args.get("v") == str(known):
        return to_program(code, once(MEDIA[voice()], known, _gone()), wait)
    return shown(snapshot)


@bp.get("/<code>.ndjson", endpoint="lines")
def lines(code: str) -> AnyResponse:
    """The table as a stream of lines of JSON: now, and whenever it changes."""
    limits.another_look()
    return to_program(code, LINES)


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
    return lists.games(GAMES.values())


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
    return calls.turns()


@listings.get("/c/<club>.json", endpoint="club_json")
@listings.get("/c/<club>.txt", endpoint="club_text")
def a_club(club: str) -> AnyResponse:
    """A club, to its members."""
    limits.another_look()
    return clubs.told(clubs.read_code(club))


@bp.get("/<code>/rules.json", endpoint="table_rules_json")
@bp.get("/<code>/rules.txt", endpoint="table_rules_text")
def table_rules(code: str) -> AnyResponse:
    """The rules as they apply at a table."""
    limits.another_look()
    return looking.rules(code)


@bp.get("/<code>/talk.json", endpoint="talk_json")
@bp.get("/<code>/talk.txt", endpoint="talk_text")
def talk(code: str) -> AnyResponse:
    """What is said at a table."""
    limits.another_look()
    return chat.page(code)


def _gone() -> bytes:
    """Return what is answered to who waited at a table that is no more for their eyes."""
    return problem(404, "no-table", say("This table cannot be looked at any more.")).get_data()
