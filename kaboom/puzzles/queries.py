"""SQL statements for attempts at puzzles."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, func, insert, select, update

from kaboom.accounts.models import players
from kaboom.puzzles.models import puzzle_tries

MOST = 1000  # at most this many of a player's newest attempts are read


class TryRow(NamedTuple):
    """A player's first attempt at a puzzle, with the ratings after it in thousandths."""

    player_id: int
    puzzle: str
    game: str
    right: bool
    solved: bool
    mu: int
    sigma: int
    puzzle_mu: int
    puzzle_sigma: int
    at: float


_try = select(*(puzzle_tries.c[name] for name in TryRow._fields))
_newest_first: Any = puzzle_tries.c.id.desc()
_of_player = (
    _try.where(puzzle_tries.c.player_id == bindparam("whose")).order_by(_newest_first).limit(MOST)
)
_of_puzzle = _try.where(puzzle_tries.c.puzzle == bindparam("which"))
_last_of_puzzle = _of_puzzle.order_by(_newest_first).limit(1)
_newest = (
    select(func.max(puzzle_tries.c.id))
    .where(puzzle_tries.c.puzzle.in_(bindparam("which", expanding=True)))
    .group_by(puzzle_tries.c.puzzle)
)
_last_of_each = _try.where(puzzle_tries.c.id.in_(_newest))
_by_player = _of_puzzle.where(puzzle_tries.c.player_id == bindparam("whose"))
_hold = select(players.c.id).where(players.c.id == bindparam("whose")).with_for_update()
_add = insert(puzzle_tries)
_solve = (
    update(puzzle_tries)
    .where(
        puzzle_tries.c.player_id == bindparam("whose"), puzzle_tries.c.puzzle == bindparam("which")
    )
    .values(solved=True)
)


def tries(connection: Connection, player_id: int) -> Sequence[TryRow]:
    """Return a player's first attempt at each puzzle, newest first."""
    return [TryRow(*row) for row in connection.execute(_of_player, {"whose": player_id})]


def last_try(connection: Connection, puzzle: str) -> TryRow | None:
    """Return the most recent of the first attempts at a puzzle, or None; its row has the puzzle's
    rating.
    """
    found = connection.execute(_last_of_puzzle, {"which": puzzle}).first()
    return TryRow(*found) if found else None


def last_tries(connection: Connection, puzzles: Collection[str]) -> dict[str, TryRow]:
    """Return, by puzzle, the most recent of the first attempts at each; its row has the puzzle's
    rating.
    """
    rows = connection.execute(_last_of_each, {"which": list(puzzles)})
    return {row.puzzle: TryRow(*row) for row in rows}


def has_tried(connection: Connection, player_id: int, puzzle: str) -> bool:
    """Return True if a player has attempted a puzzle."""
    found = connection.execute(_by_player, {"whose": player_id, "which": puzzle})
    return found.first() is not None


def hold(connection: Connection, player_id: int) -> None:
    """Lock a player's attempts until the end of the transaction."""
    connection.execute(_hold, {"whose": player_id})


def add(connection: Connection, row: TryRow) -> None:
    """Store a first attempt."""
    connection.execute(_add, row._asdict())


def solve(connection: Connection, player_id: int, puzzle: str) -> None:
    """Mark as solved a puzzle that was missed at first."""
    connection.execute(_solve, {"whose": player_id, "which": puzzle})
