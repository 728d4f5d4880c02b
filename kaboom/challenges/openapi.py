"""The API operations for challenges: read, create and play."""

from kaboom.accounts.openapi import NAME
from kaboom.challenges import schemas
from kaboom.records.openapi import WISH
from kaboom.web.api.operations import YES, Part, PostOperation, Shape, Tag, json_and_text, register
from kaboom.web.api.scopes import Scope, let_read

register(
    Tag("challenges", "The same deal for everyone who has the link", order=75),
    Shape(schemas.Challenge, order=170),
    *json_and_text(
        "/challenge/{code}",
        "get_challenge",
        "challenges",
        "A challenge and, once you have finished, the results of others",
        "Challenge",
        order=350,
    ),
    Shape(schemas.DayCompared, order=171),
    *json_and_text(
        "/daily/{when}/compare",
        "get_day_compared",
        "challenges",
        "The comparison of a daily deal, once you have finished it",
        "DayCompared",
        order=370,
    ),
    Shape(schemas.RoundCompared, order=172),
    Part("round", {"type": "integer", "minimum": 1, "maximum": 9999}),
    *json_and_text(
        "/tournaments/{code}/round/{round}/compare",
        "get_round_compared",
        "challenges",
        "The comparison of results on a tournament round's cards, once all tables have played them",
        "RoundCompared",
        order=381,
    ),
    PostOperation(
        "/m/{code}/challenge",
        "make_challenge",
        "challenges",
        "Create a challenge from a step of a finished match",
        WISH,
        answer="Challenge",
        status=201,
        scope=Scope.TABLE,
        order=42,
    ),
    PostOperation(
        "/challenge/{code}/play",
        "play_challenge",
        "challenges",
        "Play a challenge: at your own table, or at another one for fun",
        {"name": NAME, "again": YES},
        status=201,
        scope=Scope.TABLE,
        order=44,
    ),
)

let_read("challenges")
let_read("day_compared")
let_read("round_compared")
