"""The signals the table service sends after a change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signals:
    """Functions called after a commit. They may fail to reach their receivers, so nothing relies on
    them.

    `changed(code, due_in)`: a table has changed, and something is due there in `due_in` seconds
    (None: nothing is). `moved(game, moves)`: this many moves were made in a match of that game.
    `turns(code, players)`: a table has begun to wait for these players. `late(seconds)`: the clock
    handled an item this long after it was due. `ordered(player)`: the server's host has sanctioned
    this player or told them something (None: all players).
    """

    changed: Callable[[str, float | None], None] = lambda code, due_in: None
    moved: Callable[[str, int], None] = lambda game, moves: None
    turns: Callable[[str, Sequence[int]], None] = lambda code, players: None
    late: Callable[[float], None] = lambda seconds: None
    ordered: Callable[[int | None], None] = lambda player: None


NOBODY_LISTENS = Signals()
