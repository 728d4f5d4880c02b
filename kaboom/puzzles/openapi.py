"""The API operations for puzzles."""

from kaboom.accounts.openapi import NAME
from kaboom.puzzles import schemas
from kaboom.web.api.operations import TEXT, Part, PostOperation, Shape, Tag, json_and_text, register
from kaboom.web.api.scopes import Scope, let_read

SHOWN = {
    "show": TEXT | {"description": "Any value: show the answer without an attempt."},
    "tried": TEXT | {"description": "The move whose answer to show again."},
}
MOVE = {"move": TEXT | {"maxLength": 400, "examples": ["bid 9S"]}}
LEVEL = {"level": {"type": "string", "enum": ["easy", "normal", "hard"], "default": "normal"}}

register(
    Part("puzzle", {"type": "string", "examples": ["a15b865e8a"]}),
    Tag("puzzles", "Positions whose best moves are clearly better", order=66),
    Shape(schemas.Puzzles, order=165),
    Shape(schemas.PuzzlePosition, order=166),
    *json_and_text(
        "/puzzles",
        "get_puzzles",
        "puzzles",
        "The puzzle of the day, and your results",
        "Puzzles",
        order=339,
    ),
    *json_and_text(
        "/puzzles/{key}",
        "get_puzzles_of_game",
        "puzzles",
        "All puzzles of a game",
        "Puzzles",
        order=341,
    ),
    *json_and_text(
        "/puzzle/{puzzle}",
        "get_puzzle",
        "puzzles",
        "A puzzle",
        "PuzzlePosition",
        query=SHOWN,
        order=343,
    ),
    PostOperation(
        "/puzzle/{puzzle}/answer",
        "answer_puzzle",
        "puzzles",
        "Try a move; your first attempt is stored",
        fields=MOVE,
        must=("move",),
        answer="PuzzlePosition",
        scope=Scope.PLAY,
        order=345,
    ),
    PostOperation(
        "/puzzle/{puzzle}/play",
        "play_puzzle",
        "puzzles",
        "Open a table that continues from a puzzle, with bots in the other seats",
        fields=LEVEL | {"name": NAME},
        status=201,
        scope=Scope.TABLE,
        order=346,
    ),
)

let_read("puzzles")
