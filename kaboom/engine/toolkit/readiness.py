"""Waiting until all are ready: the decision that every game asks for between its rounds.

State.ready lists the seats that are. The wait is a Decision with the seats that are still to be
ready, `be_ready` as its default, and what comes next in `then`.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from kaboom.engine.moves import Seat
from kaboom.engine.play import Handler, Listener, Play


def still_to_be_ready(
    seats: int, ready: Collection[Seat], absent: Collection[Seat] = ()
) -> list[Seat]:
    """Return the seats that are neither ready nor absent: those the others wait for."""
    return [seat for seat in range(seats) if seat not in ready and seat not in absent]


def ready(play: Play[Any]) -> None:
    """Say that you are ready."""
    be_ready(play, play.seat)


def be_ready(play: Play[Any], seat: Seat) -> None:
    """Count a seat as ready."""
    play.state.ready.append(seat)
    play.tell("ready", seat=seat)


def readying(seats: Iterable[Seat], about: str, then: Handler = ready) -> Iterator[Listener]:
    """Yield what these seats may do: say that they are ready."""
    for seat in seats:
        yield Listener(seat, "ready", then, about=about)
