"""Decisions the table waits for: which seats owe them, how long they have, and the default.

A game lists them in `Game.decisions`. From them, `kaboom.engine.timeouts` derives what the clock
decides for players who are late or have left, and `go_on` what follows the last answer.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic

from msgspec import Struct

from kaboom.engine.moves import Seat
from kaboom.engine.play import Play, S


class Decision(Struct, Generic[S], frozen=True, kw_only=True):
    """A decision that one or more seats owe, each for itself: a bid, a card, being ready.

    `seats` are those that still owe it; as soon as none does, `then(play)` is called. Without
    `then`, the answers themselves continue the game.

    `default(play, seat)` decides for a seat when the `seconds` are over (0: never), or at once if
    the seat has left; without it, no decision is made for the seat. All seats share one timer,
    since a timer for each would show who has answered; it is paused while `held` is True. Before
    the default is applied, an event about the seat is sent to all: its kind is `late` or `away`
    (empty: no event).

    The clock's moves are "-1 lapse NAME" when time is up and "-1 lapse NAME.2" for the absent seat
    2; a game may spell the latter differently in `each`.
    """

    seats: Sequence[Seat]
    then: Callable[[Play[S]], None] | None = None
    default: Callable[[Play[S], Seat], None] | None = None
    name: str = ""
    each: str = "{name}.{seat}"
    seconds: float = 0
    late: str = ""
    away: str = ""
    held: bool = False

    def name_for(self, seat: Seat) -> str:
        """Return the name of the clock's decision for this seat when its player is absent."""
        return self.each.format(name=self.name, seat=seat)


def by_lot(play: Play[Any], seat: Seat) -> None:
    """Decide for a seat at random: a legal choice of its first offer. For use as a `default`."""
    listener = next(it for it in play.game.offers(play.state) if it.seat == seat)
    play.seat = seat
    listener.then(play, *(listener.pick.random(play.rng) or ()))


def go_on(play: Play[Any]) -> None:
    """Continue after a decision that no seat owes any more; called after every move."""
    if play.game.outcome(play.state) is not None:
        return
    for decision in play.game.decisions(play.state):
        if decision.then is not None and not decision.seats:
            decision.then(play)
            return
