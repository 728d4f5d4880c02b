"""The API operations for matchmaking."""

from kaboom.accounts.openapi import NAME
from kaboom.matchmaking import schemas
from kaboom.matchmaking.service import HOURS, PACES
from kaboom.web.api.operations import TEXT, PostOperation, Shape, Tag, json_and_text, register
from kaboom.web.api.scopes import let_read

WANTED = {
    "game": TEXT | {"description": "The key of a game; empty: any game."},
    "days": {
        "type": "integer",
        "enum": [*PACES],
        "description": "Days for each decision; 0: the match is played live.",
    },
    "rated": {"type": "string", "enum": ["", "0", "1"], "description": "Empty: either."},
}

register(
    Tag("matchmaking", "Finding opponents now", order=32),
    Shape(schemas.Matchmaking, order=45),
    Shape(schemas.MatchRequest, order=46),
    *json_and_text(
        "/play",
        "list_waiting_players",
        "matchmaking",
        "The players waiting for opponents",
        "Matchmaking",
        order=72,
    ),
    *json_and_text(
        "/play/wait",
        "get_match_request",
        "matchmaking",
        "Your request; each query confirms that you are still waiting",
        "MatchRequest",
        order=74,
    ),
    PostOperation(
        "/play",
        "find_game",
        "matchmaking",
        "Wait for opponents",
        WANTED | {"name": NAME},
        answer="MatchRequest",
        order=22,
    ),
    PostOperation(
        "/play/bots",
        "accept_bots",
        "matchmaking",
        "Begin with bots in the empty seats, after 30 seconds",
        answer="MatchRequest",
        order=23,
    ),
    PostOperation(
        "/play/leave",
        "stop_waiting",
        "matchmaking",
        "Stop waiting",
        answer="MatchRequest",
        order=24,
    ),
    PostOperation(
        "/play/notify",
        "notify_of_players",
        "matchmaking",
        "Be notified of waiting players for some hours; 0 turns this off",
        WANTED | {"hours": {"type": "integer", "enum": [0, *HOURS]}},
        ("hours",),
        answer="MatchRequest",
        order=25,
    ),
)

let_read("matchmaking")
let_read("matchmaking_voices")
