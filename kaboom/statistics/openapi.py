"""The API operations for statistics."""

from kaboom.statistics import schemas
from kaboom.web.api.operations import Shape, Tag, json_and_text, register
from kaboom.web.api.scopes import let_read

register(
    Tag("statistics", "Your statistics, and players’ public pages", order=85),
    Shape(schemas.Statistics, order=180),
    Shape(schemas.StatisticsOfGame, order=181),
    Shape(schemas.HeadToHead, order=182),
    Shape(schemas.PublicPage, order=183),
    *json_and_text(
        "/statistics", "get_statistics", "statistics", "Your statistics", "Statistics", order=400
    ),
    *json_and_text(
        "/statistics/{key}",
        "get_statistics_of_game",
        "statistics",
        "Your statistics of a game, month by month",
        "StatisticsOfGame",
        order=402,
    ),
    *json_and_text(
        "/statistics/people",
        "get_head_to_head",
        "statistics",
        "Your matches with each person you have met",
        "HeadToHead",
        order=404,
    ),
    *json_and_text(
        "/players/{code}",
        "get_player",
        "statistics",
        "A player's public page",
        "PublicPage",
        order=406,
    ),
)

for page in ("statistics", "player_pages"):
    let_read(page)
let_read("statistics.choice", "never")
