"""The published schemas of puzzles; docs/api.md lists the guarantees."""

from typing import Any

from msgspec import Struct

from kaboom.engine.views import Zone
from kaboom.web.api.schemas import VERSION, Told


class PuzzleLine(Struct, kw_only=True):
    """A puzzle of a list. `strength` is easy, medium or hard; `tried`: you have tried it."""

    id: str
    game: str
    theme: str
    strength: str
    tried: bool
    links: dict[str, str]


class Puzzles(Struct, kw_only=True):
    """The puzzles of a game, or the puzzle of the day; your results so far: a rating with its
    spread, the number of first attempts and of correct ones, and the ids you missed.
    """

    format: str = "kaboom puzzles"
    version: int = VERSION
    puzzles: list[PuzzleLine]
    games: dict[str, int]
    rating: int
    spread: int
    tried: int
    right: int
    streak: int
    missed: list[str]


class PuzzleMove(Struct, kw_only=True):
    """A possible move, as sent and in words."""

    move: str
    label: str


class PuzzleValue(Struct, kw_only=True):
    """The value of a move with its 95% spread, the limits of its difference from the best, the
    number of deals it was tried in, and whether it is right.
    """

    move: str
    label: str
    worth: float
    spread: float
    low: float
    high: float
    deals: int
    right: bool


class PuzzlePosition(Struct, kw_only=True):
    """A puzzle: the table as its seat sees it, what the seat was told and remembers, and the moves.
    `values`, `why` and `next` are included once a move was `tried`, or with `show`.
    """

    format: str = "kaboom puzzle"
    version: int = VERSION
    id: str
    game: str
    theme: str
    strength: str
    saying: str
    names: list[str]
    me: int
    zones: tuple[Zone, ...]
    facts: dict[str, Any]
    heard: list[Told]
    known: list[str]
    moves: list[PuzzleMove]
    unit: str
    tried: str
    right: bool | None
    values: list[PuzzleValue]
    why: str
    links: dict[str, str]
