"""The API operations for statistics."""

from kaboom.statistics import schemas
from kaboom.web.api.operations import LANGUAGE, GetOperation, Shape, Tag, register
from kaboom.web.api.scopes import let_read

register(
    Tag("statistics", "Your statistics, and players’ public pages", order=85),
    Shape(schemas.Statistics, order=180),
    Shape(schemas.StatisticsOfGame, order=181),
    Shape(schemas.HeadToHead, order=182),
    Shape(schemas.PublicPage, order=183),
    *(
        operation
        for order, (path, name, summary, shape) in enumerate(
            (
                ("/statistics", "get_statistics", "Your statistics", "Statistics"),
                (
                    "/statistics/{key}",
                    "get_statistics_of_game",
                    "Your statistics of a game, month by month",
                    "StatisticsOfGame",
                ),
                (
                    "/statistics/people",
                    "get_head_to_head",
                    "Your matches with each person you have met",
                    "HeadToHead",
                ),
                ("/players/{code}", "get_player", "A player's public page", "PublicPage"),
            )
        )
        for operation in GetOperation(
            f"{path}.json",
            name,
            "statistics",
            summary,
            shape,
            query=LANGUAGE,
            order=400 + 2 * order,
        ).and_text()
    ),
)

for page in ("statistics", "player_pages"):
    let_read(page)
let_read("statistics.choice", "never")
