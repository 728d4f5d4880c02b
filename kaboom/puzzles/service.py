"""Attempts at puzzles, a player's results, the puzzle of the day, and playing on."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import takewhile
from typing import Any

from sqlalchemy import Connection

from kaboom.engine.bots.bot import HUNDRED, Level
from kaboom.engine.continued_match import Origin
from kaboom.engine.game import Game
from kaboom.games import GAMES
from kaboom.puzzles import queries
from kaboom.puzzles.book import STRENGTHS, Position, Puzzle, book, numbers
from kaboom.puzzles.queries import TryRow
from kaboom.ratings.openskill import MU, Rating, rated
from kaboom.records.play_on_service import open_table_from
from kaboom.tables.seats.bots import against_bots
from kaboom.tables.service import TableService
from kaboom.web.idempotency.service import IdempotencyKey

SURER = 4_000  # sigma of a new puzzle; lower than a new player's, because bots have tried it
WIDTH = 16_000  # initial distance between the easiest and the hardest puzzle, in thousandths
FROM_PUZZLE = "puzzle "  # prefix of the id in the code of an origin
EASY = STRENGTHS[0]
DAYS = 7  # days in the feed


@dataclass(frozen=True)
class Standing:
    """A player's results in puzzles: the first attempt at each, newest first."""

    tries: Sequence[TryRow] = ()

    @property
    def rating(self) -> Rating:
        """Return the rating after the last attempt."""
        return Rating(self.tries[0].mu, self.tries[0].sigma) if self.tries else Rating()

    @property
    def right(self) -> int:
        """Return the number of puzzles solved at the first attempt."""
        return sum(it.right for it in self.tries)

    @property
    def streak(self) -> int:
        """Return the number of correct attempts in a row, up to the latest."""
        return sum(1 for _ in takewhile(lambda it: it.right, self.tries))

    @property
    def missed(self) -> list[Puzzle]:
        """Return the puzzles that were missed and are still unsolved, the newest first."""
        unsolved = (it for it in self.tries if not it.solved and it.game in GAMES)
        found = (book(it.game).get(it.puzzle) for it in unsolved)
        return [it for it in found if it is not None]

    @cached_property
    def solved(self) -> frozenset[str]:
        """Return the ids of the puzzles solved, at whichever attempt."""
        return frozenset(it.puzzle for it in self.tries if it.solved)

    @cached_property
    def tried(self) -> frozenset[str]:
        """Return the ids of all attempted puzzles."""
        return frozenset(it.puzzle for it in self.tries)


def standing(tables: TableService, player_id: int | None) -> Standing:
    """Return a player's results, which are empty for an unknown visitor."""
    if player_id is None:
        return Standing()
    return Standing(tables.database.read(lambda connection: queries.tries(connection, player_id)))


def has_tried(tables: TableService, player_id: int | None, puzzle: Puzzle) -> bool:
    """Return True if a player has attempted a puzzle; False for an unknown visitor."""
    return player_id is not None and tables.database.read(
        lambda connection: queries.has_tried(connection, player_id, puzzle.id)
    )


def find(name: str) -> tuple[Game[Any], Puzzle] | None:
    """Return the game and the puzzle with that id, or None."""
    for key, game in GAMES.items():
        if (puzzle := book(key).get(name)) is not None:
            return game, puzzle
    return None


def place(puzzle: Puzzle) -> tuple[Game[Any], int]:
    """Return the game of a puzzle, and the puzzle's number there."""
    key = next(key for key in GAMES if puzzle.id in book(key))
    return GAMES[key], numbers(key)[puzzle.id]


def note(tables: TableService, player_id: int, key: str, puzzle: Puzzle, right: bool) -> None:
    """Store a player's first attempt with both new ratings; a later one only marks it as solved."""

    def work(connection: Connection) -> None:
        queries.hold(connection, player_id)
        own = queries.tries(connection, player_id)
        before = next((it for it in own if it.puzzle == puzzle.id), None)
        if before is not None:
            if right and not before.solved:
                queries.solve(connection, player_id, puzzle.id)
            return
        theirs = rating_of(puzzle, queries.last_try(connection, puzzle.id))
        mine, its = rated([Standing(own).rating, theirs], [1, 2] if right else [2, 1])
        row = TryRow(player_id, puzzle.id, key, right, right, *mine, *its, tables.now())
        queries.add(connection, row)

    tables.database.write(work)


def rating_of(puzzle: Puzzle, last: TryRow | None) -> Rating:
    """Return the rating of a puzzle: after the last attempt, or an estimate from the bots'
    results.
    """
    if last is not None:
        return Rating(last.puzzle_mu, last.puzzle_sigma)
    found = sum(puzzle.found) / (2 * HUNDRED)
    return Rating(MU + round((0.5 - found) * WIDTH), SURER)


def of_day(day: date) -> tuple[str, Puzzle] | None:
    """Return the game's key and the puzzle of a day, or None without any puzzle."""
    every = [(key, it) for key in sorted(GAMES) for it in book(key).values()]
    if not every:
        return None
    drawn = int.from_bytes(hashlib.sha256(day.isoformat().encode()).digest(), "big")
    return every[drawn % len(every)]


def after(
    tables: TableService, key: str, standing: Standing, puzzle: Puzzle | None = None
) -> Puzzle | None:
    """Return the puzzle of a game that a player gets after this one; None if there is none.

    It is the puzzle not yet attempted whose rating is nearest to the lower bound of the player's
    rating, so the first ones are easy. For a player without attempts, it is the next easy one in
    the game's file.
    """
    every = list(book(key).values())
    if not standing.tries:
        easy = [it for it in every if it.strength == EASY] or every
        place = easy.index(puzzle) + 1 if puzzle in easy else 0
        return next((it for it in (*easy[place:], *easy) if it != puzzle), None)
    left = [it for it in every if it != puzzle and it.id not in standing.tried]
    last = tables.database.read(lambda it: queries.last_tries(it, [each.id for each in left]))
    aim = standing.rating.mu - standing.rating.sigma

    def far(it: Puzzle) -> int:
        return abs(rating_of(it, last.get(it.id)).mu - aim)

    return min(left, key=far, default=None)


def play_on(
    tables: TableService,
    position: Position,
    puzzle: Puzzle,
    level: Level,
    player: int,
    name: str,
    idempotency_key: IdempotencyKey | None = None,
) -> str:
    """Open a table that continues from a puzzle, with bots in the other seats, and return its code.

    The cards hidden from the seat are dealt again. The match is unrated and does not count in
    statistics.
    """
    origin = Origin(
        code=f"{FROM_PUZZLE}{puzzle.id}",
        digest="",
        step=position.number,
        seat=puzzle.seat,
        as_it_was=False,
        seed=puzzle.key.hex(),
        cuts=[],
        board=False,
        moves=puzzle.texts,
    )
    people = against_bots(puzzle.seats, puzzle.seat, level, player, name)
    return open_table_from(tables, position.game, position.options, origin, people, idempotency_key)
