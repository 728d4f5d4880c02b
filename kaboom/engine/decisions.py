"""Decisions the table waits for: who owes them, for how long, and what is decided by default.

A game lists them in `Game.decisions`. From that follow the clock's moves, the answers for players
who are late or have left, and what happens when the last answer is in.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic

from msgspec import Struct

from kaboom.engine.moves import CLOCK, Seat, one_of
from kaboom.engine.play import Listener, Play, S


class Decision(Struct, Generic[S], frozen=True, kw_only=True):
    """A decision that some seats owe, each for itself: a bid, a card, being ready.

    `seats` are those that still owe it; as soon as none does, `then(play)` is called. Without
    `then` the answers themselves lead on.

    `default(play, seat)` decides for a seat when the `seconds` are over (0: never), or at once if
    the seat has left; without it nobody decides for them. All seats share the time, since a timer
    for each would show who has answered; while it is `held` it stops. Before the default is applied
    everybody is told an event about the seat: of kind `late` or `away` (empty: none).

    The clock's moves are "-1 lapse NAME" when the time is over and "-1 lapse NAME.2" for the absent
    seat 2; a game may spell the latter differently in `each`.
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
        """Return the name under which the clock decides for this seat when it is absent."""
        return self.each.format(name=self.name, seat=seat)


def lapses(decisions: Iterable[Decision[Any]], absent: Sequence[Seat]) -> Iterator[Listener]:
    """Yield the clock's moves: for each decision the end of its time, and one per absent seat."""
    for it in decisions:
        if it.default is None or not it.seats:
            continue
        gone = [it.name_for(seat) for seat in it.seats if seat in absent]
        if it.seconds and it.name not in gone:
            # If everybody who owes it has left, no time runs. The move stays on offer because
            # logs of older matches, in which time still ran, contain it.
            after = it.seconds if len(gone) < len(it.seats) else None
            pick = one_of([it.name])
            yield Listener(CLOCK, "lapse", lapse, pick, after=after, held=it.held, decision=True)
        for name in gone:
            yield Listener(CLOCK, "lapse", lapse, one_of([name]), after=0, held=it.held)


def lapse(play: Play[Any], name: str) -> None:
    """Decide for an absent seat, or for all whose time is over: the name says which."""
    found = lapsing(play.game.decisions(play.state), play.state.absent, name)
    if found is None:
        return
    it, gone = found
    assert it.default is not None
    told = it.away if gone else it.late
    for seat in gone or it.seats:
        if told:
            play.tell(told, seat=seat)
        it.default(play, seat)


def lapsing(
    decisions: Iterable[Decision[S]], absent: Sequence[Seat], name: str
) -> tuple[Decision[S], list[Seat]] | None:
    """Return the decision that a lapse of this name makes, and the absent seats it is made for;
    without any it is made for all whose time is over. None where there is no such decision.
    """
    for it in decisions:
        gone = [seat for seat in it.seats if seat in absent and it.name_for(seat) == name]
        if it.default is not None and (gone or name == it.name):
            return it, gone
    return None


def by_lot(play: Play[Any], seat: Seat) -> None:
    """Decide for a seat at random: a legal choice of its first offer. For use as a `default`."""
    listener = next(it for it in play.game.offers(play.state) if it.seat == seat)
    play.seat = seat
    listener.then(play, *(listener.pick.random(play.chance) or ()))


def go_on(play: Play[Any]) -> None:
    """Call what follows a decision that nobody owes any more; done after every move."""
    if play.game.outcome(play.state) is not None:
        return
    for decision in play.game.decisions(play.state):
        if decision.then is not None and not decision.seats:
            decision.then(play)
            return
