"""Choices made in secret by all at once, and shown together when the last one is in.

A game keeps them in a list by seat, None where one is missing. `missing` are the seats of its
Decision, whose `then` shows them all.
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
    """Say whether a viewer is still shown what was decided by the last choices: until they have
    chosen anew; for spectators, until any seat has.
    """
    return not chosen if viewer is None or viewer == OPEN else viewer not in chosen


def seal(
    play: Play[Any], choices: list[T | None], seat: Seat, choice: T, *, told: str, whispered: str
) -> None:
    """Store a choice. All are told that it was made (event `told`), and its own seat what it is
    (event `whispered`, whose fact `card` is the choice as text).
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
    """Replace the others' choices of several cards by as many random ones from their hands."""
    for seat, choice in enumerate(choices):
        if choice is not None and seat != viewer:
            choices[seat] = in_order(play.chance.sample(hands[seat], len(choice)))


def redraw(
    play: Play[Any],
    choices: list[T | None],
    hands: Sequence[Sequence[T]],
    viewer: Seat | None,
) -> None:
    """Replace the others' choices by random ones from their hands: for a game's `resample`."""
    for seat in made(choices):
        if seat != viewer:
            choices[seat] = play.chance.one_of(hands[seat])
