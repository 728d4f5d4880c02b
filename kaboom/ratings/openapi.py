"""The API operations for ratings and leaderboards."""

from kaboom.ratings import schemas
from kaboom.web.api.operations import Part, Shape, Tag, json_and_text, register
from kaboom.web.api.scopes import let_read

OVER = {"over": {"type": "string", "enum": ["days"], "description": "Correspondence matches."}}

register(
    Part(
        "month",
        {"type": "string", "pattern": "^[12][0-9]{3}-(0[1-9]|1[0-2])$", "examples": ["2026-11"]},
    ),
    Tag("ratings", "Your ratings, and leaderboards", order=80),
    Shape(schemas.Ratings, order=150),
    *json_and_text(
        "/leaderboards/{key}",
        "get_ratings",
        "ratings",
        "Your ratings, and the leaderboards of a game that you may see",
        "Ratings",
        query=OVER,
        order=230,
    ),
    Shape(schemas.Season, order=155),
    *json_and_text(
        "/leaderboards/{key}/{month}",
        "get_season",
        "ratings",
        "The leaderboards of a game for one month, such as 2026-11",
        "Season",
        query=OVER,
        order=242,
    ),
)

let_read("ratings")
