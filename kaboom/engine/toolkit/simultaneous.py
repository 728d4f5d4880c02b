"""Secret simultaneous choices by several seats, revealed together when the last one is in.

A game stores them in a list indexed by seat, with None for a missing choice. `missing` returns the
seats for its Decision, whose `then` reveals them all.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from kaboom.engine.moves import Seat
from kaboom.engine.play import Play
from kaboom.engine.views import OPEN

T = TypeVar("T")


def missing(choices: Sequence[object | None]) -> list[Seat]:
    """Return the seats that have not chosen yet."""
    return [seat for seat, choice in enumerate(choices) if choice is None]


def made(choices: Sequence[object | None]) -> list[Seat]:
    """Return the seats that have chosen."""
    return [seat for seat, choice in enumerate(choices) if choice is not None]


def is_still_shown(viewer: Seat | None, chosen: Sequence[Seat]) -> bool:
    """Return True if the result of the last choices is still shown to a viewer.

    It is shown until the viewer has chosen again; to spectators, until any seat has.
    """
    return not chosen if viewer is None or viewer == OPEN else viewer not in chosen


def seal(
    play: Play[Any], choices: list[T | None], seat: Seat, choice: T, *, told: str, whispered: str
) -> None:
    """Store a choice. The event `told` is public. The event `whispered` goes only to the seat, with
    the choice as a string in the fact `card`.
    """
    choices[seat] = choice
    play.tell(told, seat=seat)
    play.whisper(seat, whispered, card=str(choice))


def redraw_several(
    play: Play[Any],
    choices: list[list[T] | None],
    hands: Sequence[Sequence[T]],
    viewer: Seat | None,
    in_order: Callable[[list[T]], list[T]] = list,
) -> None:
    """Replace the others' choices of several cards with the same number of random ones from their
    hands.
    """
    for seat, choice in enumerate(choices):
        if choice is not None and seat != viewer:
            choices[seat] = in_order(play.rng.sample(hands[seat], len(choice)))


def redraw(
    play: Play[Any],
    choices: list[T | None],
    hands: Sequence[Sequence[T]],
    viewer: Seat | None,
) -> None:
    """Replace the others' choices with random ones from their hands, for a game's `resample`."""
    for seat in made(choices):
        if seat != viewer:
            choices[seat] = play.rng.choice(hands[seat])
