"""Dealing again what a viewer cannot know: for the `resample` of a game."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from kaboom.engine.rng import Chance

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Unknown(Generic[T]):
    """Cards that lie somewhere unseen: a hand, a stock, the face-down places of a grid.

    Those in `stay` are known to be among them. `fits`, if given, is known of every one of them.
    """

    cards: list[T]
    stay: Sequence[T] = ()
    fits: Callable[[T], bool] | None = None


def redeal_hands(
    chance: Chance,
    hands: Sequence[list[T]],
    viewer: int | None,
    known: Sequence[Collection[T]],
    in_order: Callable[[list[T]], list[T]] = list,
) -> None:
    """Deal all hands but the viewer's out again, in place: what is `known` of each hand stays in
    it, and each is put in order.
    """
    redeal(
        chance,
        [
            Unknown(hand, stay=[card for card in hand if card in known[seat]])
            for seat, hand in enumerate(hands)
            if seat != viewer
        ],
    )
    for hand in hands:
        hand[:] = in_order(hand)


def redeal(chance: Chance, unknown: Iterable[Unknown[T]]) -> None:
    """Shuffle all these cards together and deal them out again, in place, as many to each.

    Places of whose cards something is known (`fits`) are dealt to first, in the order given. If
    one could use up what fits another, it must come after it.
    """
    everywhere = list(unknown)
    deck: list[T] = []
    for each in everywhere:
        moving = list(each.cards)
        for card in each.stay:
            moving.remove(card)
        deck += moving
    deck = chance.shuffled(deck)
    for each in sorted(everywhere, key=lambda each: each.fits is None):
        fitting = [card for card in deck if each.fits is None or each.fits(card)]
        dealt = fitting[: len(each.cards) - len(each.stay)]
        for card in dealt:
            deck.remove(card)
        each.cards[:] = [*each.stay, *dealt]
