"""Readiness: the decision between rounds that waits until all players are ready.

State.ready lists the seats that are ready. The wait is a Decision with the other seats, with
`be_ready` as its default, and with the next step in `then`.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from kaboom.engine.moves import Seat
from kaboom.engine.play import Handler, Listener, Play


def still_to_be_ready(
    seats: int, ready: Collection[Seat], absent: Collection[Seat] = ()
) -> list[Seat]:
    """Return the seats that are neither ready nor absent."""
    return [seat for seat in range(seats) if seat not in ready and seat not in absent]


def ready(play: Play[Any]) -> None:
    """Mark a seat as ready."""
    be_ready(play, play.seat)


def be_ready(play: Play[Any], seat: Seat) -> None:
    """Mark a seat as ready, for use as a `default`."""
    play.state.ready.append(seat)
    play.tell("ready", seat=seat)


def readying(seats: Iterable[Seat], about: str, then: Handler = ready) -> Iterator[Listener]:
    """Yield the listeners with which these seats declare that they are ready."""
    for seat in seats:
        yield Listener(seat, "ready", then, about=about)
