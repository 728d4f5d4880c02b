"""The fast clock of a match: what it decides for seats that are late or have left.

Its moves are derived from `Game.decisions`. Their verb is `lapse`, as in all stored matches. The
clock of the server (kaboom.tables.clock) plays them when they are due.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kaboom.engine.decisions import Decision
from kaboom.engine.moves import CLOCK, Seat, one_of
from kaboom.engine.play import Listener, Play, S


def timeouts(decisions: Iterable[Decision[Any]], absent: Sequence[Seat]) -> Iterator[Listener]:
    """Yield the moves of the clock: one at the end of each decision's time, and one for each absent
    seat.
    """
    for it in decisions:
        if it.default is None or not it.seats:
            continue
        gone = [it.name_for(seat) for seat in it.seats if seat in absent]
        if it.seconds and it.name not in gone:
            # If every player who owes it has left, no time runs. The move stays on offer because
            # logs of older matches, in which time still ran, contain it.
            after = it.seconds if len(gone) < len(it.seats) else None
            pick = one_of([it.name])
            yield Listener(CLOCK, "lapse", time_out, pick, after=after, held=it.held, decision=True)
        for name in gone:
            yield Listener(CLOCK, "lapse", time_out, one_of([name]), after=0, held=it.held)


def time_out(play: Play[Any], name: str) -> None:
    """Apply the default for an absent seat, or for all seats whose time is over.

    `name` is the name of the decision, or the one that `Decision.name_for` gives an absent seat.
    """
    found = timed_out(play.game.decisions(play.state), play.state.absent, name)
    if found is None:
        return
    it, gone = found
    assert it.default is not None
    told = it.away if gone else it.late
    for seat in gone or it.seats:
        if told:
            play.tell(told, seat=seat)
        it.default(play, seat)


def timed_out(
    decisions: Iterable[Decision[S]], absent: Sequence[Seat], name: str
) -> tuple[Decision[S], list[Seat]] | None:
    """Return the decision with this name and the absent seats it is made for; None if there is
    none.

    If no seats are returned, the decision is made for all seats that still owe it.
    """
    for it in decisions:
        gone = [seat for seat in it.seats if seat in absent and it.name_for(seat) == name]
        if it.default is not None and (gone or name == it.name):
            return it, gone
    return None
