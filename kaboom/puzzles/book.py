"""The puzzles of a game, read from `puzzles.jsonl` in the game's folder, one per line.

A puzzle contains the seed, options and moves that lead to its position, the seat to move, and the
values of the moves. `kaboom puzzles mine` writes the file (kaboom.puzzles.mining).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from kaboom.engine.bots.analysis import Choice
from kaboom.engine.codec import to_json
from kaboom.engine.engine import start, step_on
from kaboom.engine.game import Game
from kaboom.engine.moves import Move, Refusal, Seat
from kaboom.engine.play import Event
from kaboom.engine.rng import SEED_BYTES, Rng
from kaboom.engine.views import Saying
from kaboom.games import GAMES, folder

FILE = "puzzles.jsonl"
BETWEEN = ";"  # separates the moves that lead to a position
SEED_BASE = 16
STRENGTHS = ("easy", "medium", "hard")
OFTEN = 50  # percentage of a level's bots that solve a puzzle of that difficulty


class Kind(NamedTuple):
    """The properties that similar puzzles share; `verb` is that of the best move."""

    theme: str
    verb: str
    strength: str


class Value(Struct, frozen=True, array_like=True):
    """The value of a move ("bid KS"; empty: pass without a move) in the game's unit.

    `spread` is its 95% margin of error. `low` and `high` bound the difference from the best move.
    `deals` is the number of deals it was tried in.
    """

    move: str
    worth: float
    spread: float
    low: float
    high: float
    deals: int


class Puzzle(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """A position with the values of its moves, the best first; the first `accepted` are correct.

    `found` has the percentages of easy and normal bots that find a correct move. `why` is the
    game's `Saying` about the best move. `theme` is a heading of the game's rules.
    """

    id: str
    game_version: int
    seats: int
    options: dict[str, Any] = {}
    seed: str  # hexadecimal, without leading zeros
    moves: str
    seat: Seat
    theme: str
    found: tuple[int, int]
    values: tuple[Value, ...]
    accepted: int
    why: Saying | None = None

    @property
    def key(self) -> bytes:
        """Return the random seed of the puzzle's match."""
        return int(self.seed, SEED_BASE).to_bytes(SEED_BYTES, "big")

    @property
    def texts(self) -> list[str]:
        """Return the moves that lead to the position."""
        return self.moves.split(BETWEEN) if self.moves else []

    @property
    def strength(self) -> str:
        """Return the difficulty, one of STRENGTHS."""
        return strength_of(self.found)

    @property
    def kind(self) -> Kind:
        """Return the properties that the puzzle shares with similar ones."""
        return kind_of(self.theme, self.values[0].move, self.strength)

    def move(self, value: Value) -> Choice:
        """Return a judged move; None stands for passing without a move."""
        return Move.parse(f"{self.seat} {value.move}") if value.move else None

    @property
    def choices(self) -> list[Choice]:
        """Return the judged moves, the best first."""
        return [self.move(value) for value in self.values]


@dataclass(frozen=True, slots=True)
class Position:
    """The table of a puzzle: its state, the events that the seat was told, and the memory of a bot
    in that seat.
    """

    game: Game[Any]
    options: Any
    state: Any
    memory: Any
    heard: Sequence[Event]
    number: int  # number of moves so far


class InvalidPuzzle(Exception):
    """A puzzle that cannot be read, or whose position cannot be reached; str() is the reason."""


def strength_of(found: tuple[int, int]) -> str:
    """Return the difficulty of a puzzle that these percentages of easy and normal bots solve."""
    easy, normal = found
    return STRENGTHS[0 if easy >= OFTEN else 1 if normal >= OFTEN else 2]


def kind_of(theme: str, move: str, strength: str) -> Kind:
    """Return the kind of a puzzle with this best move, in a puzzle's notation."""
    return Kind(theme, move.partition(" ")[0], strength)


def text_of(move: Choice) -> str:
    """Return a move in a puzzle's notation, without its seat."""
    return "" if move is None else " ".join((move.verb, *move.choices))


def file_of(key: str) -> Path:
    """Return the file of a game's puzzles, whether it exists or not."""
    return Path(folder(key)) / FILE


@cache
def book(key: str) -> dict[str, Puzzle]:
    """Return, by id, the puzzles of a game that were made for its current version."""
    found = {it.id: it for it in read(file_of(key))}
    return {id_: it for id_, it in found.items() if it.game_version == GAMES[key].version}


@cache
def numbers(key: str) -> dict[str, int]:
    """Return, by id, the numbers of a game's puzzles: theme by theme, the easiest first."""
    order = list(dict.fromkeys(it.theme for it in sorted(book(key).values(), key=_ease)))
    ordered = sorted(book(key).values(), key=lambda it: (order.index(it.theme), _ease(it)))
    return {it.id: number for number, it in enumerate(ordered, 1)}


def _ease(puzzle: Puzzle) -> int:
    return STRENGTHS.index(puzzle.strength)


def read(file: Path) -> list[Puzzle]:
    """Return the puzzles in a file. A last line truncated by a kill is skipped.

    Raises InvalidPuzzle for any other invalid line.
    """
    if not file.exists():
        return []
    lines = file.read_bytes().split(b"\n")
    try:
        return [msgspec.json.decode(line, type=Puzzle) for line in lines[:-1] if line]
    except msgspec.DecodeError as bad:
        raise InvalidPuzzle(f"{file.name}: {bad}") from None


def written(puzzle: Puzzle) -> bytes:
    """Return a puzzle as a line of the file."""
    return to_json(puzzle) + b"\n"


def reached(game: Game[Any], puzzle: Puzzle) -> Position:
    """Return the position of a puzzle. Raises InvalidPuzzle if its moves do not lead to one."""
    try:
        options = game.options(**puzzle.options)
    except TypeError as bad:
        raise InvalidPuzzle(f"puzzle {puzzle.id}: {bad}") from None
    seat, memory = puzzle.seat, game.bot.memory() if game.bot else None
    done = start(game, puzzle.seats, options, puzzle.key)
    heard: list[Event] = []
    try:
        for number, text in enumerate([None, *puzzle.texts]):
            if text is not None:
                done = step_on(game, done.state, Move.parse(text), Rng(puzzle.key, number))
            heard += [event for event in done.events if event.heard_by(seat)]
            if game.bot is not None:
                game.bot.hear(memory, done.events, seat)
    except Refusal as no:
        raise InvalidPuzzle(f"puzzle {puzzle.id}: {no}") from None
    return Position(game, options, done.state, memory, heard, len(puzzle.texts))
