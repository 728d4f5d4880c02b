"""Ratings and leaderboards, as programs look at them."""

from kaboom.web.api import schemas
from kaboom.web.api.operations import BOTH, LANGUAGE, PLAIN, Shape, Sight, Tag, register
from kaboom.web.api.scopes import let_read

OVER = {"over": {"type": "string", "enum": ["days"], "description": "Of matches over days."}}

register(
    Tag("ratings", "Your ratings, and leaderboards", order=80),
    Shape(schemas.Ratings, order=150),
    Sight(
        "/ratings/{key}.json",
        "get_ratings",
        "ratings",
        "Your ratings, and the leaderboards of a game that you are shown",
        "Ratings",
        query=OVER | LANGUAGE,
        order=230,
    ),
    Sight(
        "/ratings/{key}.txt",
        "get_ratings_text",
        "ratings",
        "The same as text",
        media=PLAIN,
        query=OVER | BOTH,
        order=240,
    ),
)

let_read("ratings")
