"""Redistribution of cards unknown to a viewer, for the `resample` of a game."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from kaboom.engine.rng import Rng

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Unknown(Generic[T]):
    """Hidden cards in one place: a hand, a stock, the face-down places of a grid.

    Cards in `stay` are known to be there. `fits`, if given, is a condition that all hidden cards
    are known to meet.
    """

    cards: list[T]
    stay: Sequence[T] = ()
    fits: Callable[[T], bool] | None = None


def redeal_hands(
    rng: Rng,
    hands: Sequence[list[T]],
    viewer: int | None,
    known: Sequence[Collection[T]],
    in_order: Callable[[list[T]], list[T]] = list,
) -> None:
    """Redeal every hand except the viewer's, in place. The `known` cards of each hand stay in it,
    and `in_order` arranges each hand.
    """
    redeal(
        rng,
        [
            Unknown(hand, stay=[card for card in hand if card in known[seat]])
            for seat, hand in enumerate(hands)
            if seat != viewer
        ],
    )
    for hand in hands:
        hand[:] = in_order(hand)


def redeal(rng: Rng, unknown: Iterable[Unknown[T]]) -> None:
    """Shuffle all these cards together and deal them again, in place, the same number to each
    place.

    Places with a condition (`fits`) are dealt first, in the order given. If one place could use
    up the cards that another needs, it must come after that one. The previous distribution has no
    influence.
    """
    everywhere = list(unknown)
    deck: list[T] = []
    for each in everywhere:
        moving = list(each.cards)
        for card in each.stay:
            moving.remove(card)
        deck += moving
    deck = rng.shuffled(sorted(deck, key=str))
    for each in sorted(everywhere, key=lambda each: each.fits is None):
        fitting = [card for card in deck if each.fits is None or each.fits(card)]
        dealt = fitting[: len(each.cards) - len(each.stay)]
        for card in dealt:
            deck.remove(card)
        each.cards[:] = [*each.stay, *dealt]
