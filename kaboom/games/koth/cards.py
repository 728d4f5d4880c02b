"""The cards of King of the Hill: their points, pairs, and the trumps of a round."""

from collections.abc import Mapping, Sequence
from functools import cache

from kaboom.engine.toolkit.cards import JOKERS, Card, pack, rank_of
from kaboom.engine.toolkit.tricks import LOW_TO_HIGH, Ranking

CARD_POINTS = {"5": 5, "T": 10, "K": 10}

TRUMP = "trump"  # the suit of all trumps, which count as one suit for following
ACE = 14
LOWEST_TRUMP = 20  # the power of the lowest trump, above all plain cards
SHOWN_SUITS = "SHCD"  # black and red alternate, as in a sorted hand


def card_points(cards: Sequence[Card]) -> int:
    """Return the points of the cards: five for a 5, ten for a 10 or a king."""
    return sum(CARD_POINTS.get(card[0], 0) for card in cards)


def pairs_in(cards: Sequence[Card]) -> list[Card]:
    """Return the cards held twice. With two packs, a pair is two cards of the same rank and
    suit.
    """
    return [card for card in dict.fromkeys(cards) if cards.count(card) == 2]


@cache
def trump_ranking(rank: str, suit: str | None) -> Ranking:
    """Return the suit and power of every card for a trump rank and suit (None: not chosen yet).

    Trumps have powers from LOWEST_TRUMP up. Cards of the trump rank off the trump suit are equal.
    """
    suits: dict[Card, str] = {}
    powers: dict[Card, int] = {}
    for card in pack():
        if card in JOKERS:
            power = 43 if card == "RJ" else 42
        elif rank_of(card) == rank:
            power = 41 if card[1] == suit else 40
        else:
            power = LOW_TO_HIGH.index(card[0]) + (LOWEST_TRUMP if card[1] == suit else 0)
        suits[card] = TRUMP if power >= LOWEST_TRUMP else card[1]
        powers[card] = power
    return Ranking(suits, powers, TRUMP)


@cache
def hand_order(rank: str, suit: str | None) -> Mapping[Card, tuple[int, int, int]]:
    """Return every card's place in a sorted hand: trumps first, then by suit, high to low."""
    ranking = trump_ranking(rank, suit)
    order: dict[Card, tuple[int, int, int]] = {}
    for card, power in ranking.powers.items():
        shown = 4 if card in JOKERS else SHOWN_SUITS.index(card[1])
        order[card] = (0 if ranking.suits[card] == TRUMP else 1 + shown, -power, shown)
    return order
