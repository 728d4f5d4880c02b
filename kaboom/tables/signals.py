"""Whom the table service tells what has happened."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signals:
    """Functions called after a commit; they may fail to reach anybody, so nothing hangs on them.

    `changed(code, due_in)`: a table changed, and in `due_in` seconds (None: not at all) something
    is due there. `moved(game, moves)`: so many moves were made in a match of that game.
    `turns(code, players)`: a table has begun to wait for these players. `late(seconds)`: the clock
    did something so much after it was due.
    """

    changed: Callable[[str, float | None], None] = lambda code, due_in: None
    moved: Callable[[str, int], None] = lambda game, moves: None
    turns: Callable[[str, list[int]], None] = lambda code, players: None
    late: Callable[[float], None] = lambda seconds: None


NOBODY_LISTENS = Signals()
