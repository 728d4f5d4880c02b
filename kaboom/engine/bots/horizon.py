"""A game's declarations for evaluating moves: how far playouts go, and the value of the result.

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
    """How the moves of a game are judged. `before` is the state in which the move was chosen, and
    `memory` the memory of the judged seat.
    """

    # over(before, state): True at the horizon, such as the end of the round. The end of the match
    # is always one.
    over: Callable[[Any, Any], bool] | None = None
    # worth(before, state, seat): the value reached, in `unit`, where more is better. It is also
    # called at the end of a match.
    worth: Callable[[Any, Any, Seat], float] | None = None
    unit: Unit = Unit.POINTS
    # level(before, state): the level of the bots that play on.
    level: Callable[[Any, Any], Level] = lambda before, state: Level.NORMAL
    bot: Bot[Any] | None = None  # plays on in place of the game's own, for example a faster one
    # supposed(memory, before, seat, other): the memory to assume for another seat. Without it, that
    # seat begins with an empty memory.
    supposed: Callable[[Any, Any, Seat, Seat], Any] | None = None
    # playout(before, state, seat, rng): the value that would be reached, or None if bots must play
    # on to find it.
    playout: Callable[[Any, Any, Seat, Rng], float | None] | None = None
    # recalls(memory, view): what the seat remembers beyond its view.
    recalls: Callable[[Any, View], Sequence[Saying]] = lambda memory, view: ()
    # theme(state, move): the heading of the rules that a decision is about, or "" for the one that
    # explains the verb.
    theme: Callable[[Any, Move], str] = lambda state, move: ""
    # Kinds of reasons that say nothing in favour of a move, and so cannot explain the best one.
    unconvincing: frozenset[str] = frozenset()
    # explained(state, memory, move): what the seat can see or remember in favour of the best move,
    # if the bot's reason is unconvincing.
    explained: Callable[[Any, Any, Move], Saying | None] = lambda state, memory, move: None
    least: float = 1.0  # the smallest difference between moves that is worth mentioning, in `unit`
    rivals: Bot[Any] | None = None  # plays on in place of `bot` where the coach judges a decision


def lead(scores: Sequence[Points], seat: Seat, lowest_wins: bool = False) -> float:
    """Return the lead of a seat over the others' mean score."""
    others = [points for other, points in enumerate(scores) if other != seat]
    ahead = scores[seat] - fsum(others) / max(1, len(others))
    return -ahead if lowest_wins else ahead
