"""How long the people at a table have taken for their decisions in the current match.

A decision begins with the turn, or with the player's previous decision in the same turn.
Correspondence matches are not measured, because their decisions take days.
"""

from msgspec import Struct

from kaboom.engine.moves import Seat
from kaboom.tables.clock.whose_turn import Turn

LONGEST = 600.0  # seconds: the cap for one decision, since a player may be away


class Thought(Struct, frozen=True):
    """The decisions of one seat in this match, the seconds they took, and when the last was made
    (seconds since 1970).
    """

    decisions: int = 0
    seconds: float = 0.0
    last: float = 0.0


def thought_on(
    before: dict[Seat, Thought], seat: Seat, turn: Turn | None, now: float
) -> dict[Seat, Thought]:
    """Return the thinking times by seat after a seat has made a decision `now`, in its own turn."""
    if turn is None:
        return before
    old = before.get(seat, Thought())
    seconds = min(max(0.0, now - max(turn.since, old.last)), LONGEST)
    return before | {seat: Thought(old.decisions + 1, old.seconds + seconds, now)}
