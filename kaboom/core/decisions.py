"""Decisions the table waits for: who owes them, for how long, and what is decided if nobody does.

A game says so in `Game.decisions`; the clock's moves, the answers for who is late or has left, and
going on when the last answer is in all follow from it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from kaboom.core.moves import CLOCK, Seat, one_of
from kaboom.core.play import Listener, Play, S


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Generic[S]):
    """A decision that some seats owe, each for itself: a bid, a card, being ready.

    `seats` are those that still owe it. `seconds` are how long all of them may take together (0:
    for ever); one timer for each would show who has answered. `default(play, seat)` decides for a
    seat when they are over, or at once when it has left. `late` and `away` are the kinds of the
    events that are told of such a seat first; empty ones are not told. `then(play)` follows as soon
    as nobody owes the decision any more; without it, the answer itself leads on.

    The clock's moves are "-1 lapse NAME" when the time is over and "-1 lapse NAME.2" for the absent
    seat 2; a game may say otherwise in `each`. While the decision is `held` its time stops.
    """

    name: str
    seats: Sequence[Seat]
    default: Callable[[Play[S], Seat], None]
    seconds: float = 0
    late: str = ""
    away: str = ""
    then: Callable[[Play[S]], None] | None = None
    each: str = "{name}.{seat}"
    held: bool = False

    def name_for(self, seat: Seat) -> str:
        """Return the name under which the clock decides for this seat when it is absent."""
        return self.each.format(name=self.name, seat=seat)


def lapses(decisions: Iterable[Decision[Any]], absent: Sequence[Seat]) -> Iterator[Listener]:
    """Yield for each decision the end of its time, and what is decided at once for absent seats."""
    for it in decisions:
        gone = [it.name_for(seat) for seat in it.seats if seat in absent]
        if it.seconds and it.seats and it.name not in gone:
            pick, after = one_of([it.name]), it.seconds
            yield Listener(CLOCK, "lapse", lapse, pick, after=after, held=it.held, decision=True)
        for name in gone:
            yield Listener(CLOCK, "lapse", lapse, one_of([name]), after=0, held=it.held)


def lapse(play: Play[Any], name: str) -> None:
    """Decide for an absent seat, or for all whose time is over: the name says which."""
    absent = play.state.absent
    for it in play.game.decisions(play.state):
        gone = [seat for seat in it.seats if seat in absent and it.name_for(seat) == name]
        if gone or name == it.name:
            told = it.away if gone else it.late
            for seat in gone or it.seats:
                if told:
                    play.tell(told, seat=seat)
                it.default(play, seat)
            return


def go_on(play: Play[Any]) -> None:
    """Do what follows a decision that nobody owes any more; the engine asks after every move."""
    if play.game.outcome(play.state) is not None:
        return
    for decision in play.game.decisions(play.state):
        if decision.then is not None and not decision.seats:
            decision.then(play)
            return
