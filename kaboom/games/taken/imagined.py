"""A deal as a bot imagines it: the hands of the rivals, and how they play."""

from collections.abc import Sequence
from typing import NamedTuple

from kaboom.games.taken.habits import Way

KEEPS = -1.0  # no slip


class Looks(NamedTuple):
    """The expected immediate cost of each card, and its distance from its row, by card."""

    costs: Sequence[float]
    gaps: Sequence[int]


class Rival(NamedTuple):
    """A rival's hand in an imagined deal, and how it plays.

    The hand is sorted by the way of playing: the preferred one of equally good cards first, or in
    any order. A slip is the relative position in the hand, from 0 to 1, of the card that is played
    instead, or KEEPS. There is one for each round; the last one is for the first round.
    """

    hand: list[int]
    way: Way
    slips: Sequence[float]


class Deal(NamedTuple):
    """An imagined deal; `first` holds the rivals' cards while the bot's card is being tried.

    `high_first` is True if the bot plans to play the highest of equally safe cards first, False for
    the lowest.
    """

    rivals: list[Rival]
    first: list[int]
    high_first: bool


def in_order(hand: list[int], way: Way) -> list[int]:
    """Return a hand sorted for a way of playing."""
    match way:
        case "low" | "lowest":
            hand.sort()
        case "high" | "highest":
            hand.sort(reverse=True)
    return hand


def played(rival: Rival, looks: Looks) -> int:
    """Remove and return the card that a rival plays, given how the cards look."""
    hand, slip = rival.hand, rival.slips[-1]
    if slip >= 0:
        return hand.pop(int(slip * len(hand)))
    if rival.way in ("random", "lowest", "highest"):
        return hand.pop(0)
    values = looks.gaps if rival.way == "nearest" else looks.costs
    card = min(hand, key=values.__getitem__)
    hand.remove(card)
    return card
