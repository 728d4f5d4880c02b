"""The API operations for tournaments."""

from kaboom.tournaments import schemas
from kaboom.web.api.operations import GetOperation, Shape, Tag, json_and_text, register
from kaboom.web.api.scopes import let_read

ROUND = {
    "round": {
        "type": "integer",
        "minimum": 1,
        "maximum": 99,
        "description": "The round whose tables are listed; by default the last.",
    }
}

register(
    Tag("tournaments", "Entries, tables, standings and draws", order=100),
    Shape(schemas.Standings, order=120),
    Shape(schemas.Draw, order=130),
    *json_and_text(
        "/tournaments/{code}",
        "get_tournament",
        "tournaments",
        "A tournament: who has entered, the tables of a round, the standings",
        "Standings",
        query=ROUND,
        order=330,
    ),
    GetOperation(
        "/tournaments/{code}/draw.json",
        "get_tournament_draw",
        "tournaments",
        "The sources of a tournament's draws",
        "Draw",
        order=350,
    ),
)

let_read("tournaments")
