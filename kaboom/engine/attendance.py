"""Leaving and returning: the two clock moves with which the table reports absent players."""

from collections.abc import Iterator, Sequence
from typing import Any

from kaboom.engine.moves import CLOCK, Seat, one_of
from kaboom.engine.play import Listener, Play

LEAVE, RETURN = "leave", "return"


def attendance(absent: Sequence[Seat], seats: int) -> Iterator[Listener]:
    """Yield a listener for moves like "-1 leave 2", whose options are all present seats, and one
    for moves like "-1 return 2", whose options are all absent seats.
    """
    gone = sorted(absent)
    present = [str(seat) for seat in range(seats) if seat not in gone]
    if present:
        yield Listener(CLOCK, LEAVE, leave, one_of(present))
    if gone:
        yield Listener(CLOCK, RETURN, come_back, one_of([str(seat) for seat in gone]))


def leave(play: Play[Any], seat: str) -> None:
    """Mark a seat as absent, tell all players, and call the game's `left`."""
    play.state.absent.append(int(seat))
    play.tell("left", seat=int(seat))
    play.game.left(play, int(seat))


def over_when_alone(play: Play[Any], seat: Seat) -> None:
    """End a match with fewer than two present players. For use as the `left` of a game whose state
    has a `stage` that can be "over".
    """
    state = play.state
    if play.game.seated(state) - len(state.absent) < 2:
        state.stage = "over"


def come_back(play: Play[Any], seat: str) -> None:
    """Mark a seat as present again, tell all players, and call the game's `returned`."""
    play.state.absent.remove(int(seat))
    play.tell("returned", seat=int(seat))
    play.game.returned(play, int(seat))
