"""The order in which players see their own hand, according to their settings, in every game.

It only affects the page. Moves name cards and places, not positions on the page, so no offer, token
or rule depends on the order. It is computed from the player's own view.
"""

from collections.abc import Sequence

from msgspec import structs

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import JOKERS, RANKS, Card
from kaboom.engine.toolkit.tricks import Ranking
from kaboom.engine.views import DOWN, EMPTY, View, Zone

HAND = "hand"  # the name of the zone to sort
SHOWN_SUITS = "SHCD"  # black and red alternate


def in_players_order(
    view: View, order: str, high: str, trumps: str, ranking: Ranking | None = None
) -> View:
    """Return a view with the viewer's own hand in the player's order.

    `order` is "suit", "rank", or empty to keep the game's order. The highest card of each suit or
    rank is on the left, or on the right if `high` is "right". Trumps come first, or last if
    `trumps` is "last". `ranking` defines the trumps and the order of cards.
    """
    found = hand_of(view, view.viewer)
    if not order or found is None:
        return view
    lie = order_of(known_cards(found), order, high, trumps, ranking)
    zone = structs.replace(
        found,
        cards=tuple(found.cards[it] for it in lie),
        places=tuple(found.places[it] for it in lie) if found.places else (),
    )
    zones = tuple(zone if it is found else it for it in view.zones)
    return structs.replace(view, zones=zones)


def hand_of(view: View, seat: Seat | None) -> Zone | None:
    """Return the hand of a seat, if it has one and this view shows its cards."""
    if seat is None or seat < 0:
        return None
    for zone in view.zones:
        if zone.name == HAND and zone.owner == seat and DOWN not in zone.cards:
            return zone
    return None


def known_cards(hand: Zone) -> Sequence[Card]:
    """Return the cards of a hand; a card that is elsewhere at the moment is identified by its
    empty place.
    """
    places = hand.places or hand.cards
    return [
        place if card == EMPTY else card for card, place in zip(hand.cards, places, strict=True)
    ]


def order_of(
    cards: Sequence[Card], order: str, high: str, trumps: str, ranking: Ranking | None = None
) -> list[int]:
    """Return the current position of each card in the sorted hand; identical cards keep their
    order.
    """

    def place(number: int) -> tuple[bool, int, int, int, int]:
        card = cards[number]
        suit = _suit(card, ranking)
        is_trump = ranking is not None and ranking.trump is not None and suit == ranking.trump
        power = _power(card, ranking)
        if high != "right":
            power = -power
        first = is_trump == (trumps == "last")
        group = 0 if is_trump else _group(suit)
        printed = _group(_suit(card, None))
        by_rank = order == "rank"
        return card == EMPTY, first, *((power, group) if by_rank else (group, power)), printed

    return sorted(range(len(cards)), key=place)


def _suit(card: Card, ranking: Ranking | None) -> str:
    """Return the suit of a card by the game's ranking, or else the printed one."""
    if ranking is not None and card in ranking.suits:
        return ranking.suits[card]
    if card in JOKERS or card == EMPTY or card.isdigit():
        return ""
    return card[-1]


def _group(suit: str) -> int:
    """Return the position of a suit in a sorted hand; cards without a suit come first."""
    return SHOWN_SUITS.find(suit) if suit else -1


def _power(card: Card, ranking: Ranking | None) -> int:
    """Return the power of a card by the game's ranking, or else its number or rank with the ace
    low.
    """
    if ranking is not None and card in ranking.powers:
        return ranking.powers[card]
    if card.isdigit():
        return int(card)
    return len(RANKS) + JOKERS.index(card) if card in JOKERS else RANKS.find(card[0])
