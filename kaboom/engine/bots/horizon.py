"""A game's declarations for evaluating moves: how far playouts go, and the value of their ends.

`kaboom.engine.bots.analysis` deals again what a seat cannot know, makes a move, and lets bots play
on up to the horizon. A game without an `Analysis` of its own is played to the end of the match, and
what counts is the lead over the others' mean score.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum
from typing import Any

from kaboom.engine.bots.bot import Bot, Level
from kaboom.engine.moves import Move, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.views import Points, Saying, View


class Unit(StrEnum):
    """The unit of a value: points, or percent of games won."""

    POINTS = "points"
    WINS = "wins"


@dataclass(frozen=True)
class Analysis:
    """How the moves of a game are judged. `before` is the state in which the move was chosen.

    `over(before, state)` returns True at the horizon, such as the end of the round; the end of the
    match always is one. `worth(before, state, seat)` returns the value reached, in `unit`, where
    more is better; with `over` it is also called at the end of a match. `level(before, state)`
    returns the level of the bots that play on; `bot` is a faster bot than the game's own.
    """

    over: Callable[[Any, Any], bool] | None = None
    worth: Callable[[Any, Any, Seat], float] | None = None
    unit: Unit = Unit.POINTS
    level: Callable[[Any, Any], Level] = lambda before, state: Level.NORMAL
    bot: Bot[Any] | None = None
    supposed: Callable[[Any, Any, Seat, Seat], Any] | None = None
    playout: Callable[[Any, Any, Seat, Rng], float | None] | None = None
    recalls: Callable[[Any, View], Sequence[Saying]] = lambda memory, view: ()
    theme: Callable[[Any, Move], str] = lambda state, move: ""
    least: float = 1.0
    rivals: Bot[Any] | None = None


def lead(scores: Sequence[Points], seat: Seat, lowest_wins: bool = False) -> float:
    """Return the lead of a seat over the others' mean score."""
    others = [points for other, points in enumerate(scores) if other != seat]
    ahead = scores[seat] - fsum(others) / max(1, len(others))
    return -ahead if lowest_wins else ahead
