"""What games with tricks share: whose turn it is, following suit, and which card wins.

A trick is the cards on the table in the order they were played, the leader's first. A game says
once what beats what (a `Ranking`), and asks these functions the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kaboom.core.cards import Card, pack
from kaboom.core.moves import Seat

LOW_TO_HIGH = "23456789TJQKA"  # the ranks of a suit as most games with tricks order them
CANNOT_WIN = -1  # the strength of a card that is neither of the suit led nor a trump


@dataclass(frozen=True, slots=True)
class Ranking:
    """What beats what: the suit each card belongs to, and its power, from 0 up.

    The suit need not be the printed one: a joker may be a trump. The cards of the suit `trump` win
    over all others, so the power of each must be above that of every card that is no trump; with
    `trump` None no suit does. Other powers are compared within a suit only. Cards of equal power
    are allowed: the one played first is higher.
    """

    suits: Mapping[Card, str]
    powers: Mapping[Card, int]
    trump: str | None = None


def plain_ranking(trump: str | None = None, low_to_high: str = LOW_TO_HIGH) -> Ranking:
    """Return the ranking of 52 cards by their printed suits, as in Whist or, with no trump, Hearts.

    `trump` is a suit letter; `low_to_high` are the letters of all thirteen ranks.
    """
    cards = pack(jokers=False)
    above = len(low_to_high)
    return Ranking(
        suits={card: card[1] for card in cards},
        powers={c: low_to_high.index(c[0]) + (above if c[1] == trump else 0) for c in cards},
        trump=trump,
    )


def player_at(leader: Seat, place: int, seats: int) -> Seat:
    """Return who plays the card at a place of the trick; the leader's place is 0.

    With the number of cards played so far as the place, it is whose turn it is; with the place of
    the winning card, it is who wins the trick.
    """
    return (leader + place) % seats


def of_suit(ranking: Ranking, cards: Sequence[Card], suit: str) -> list[Card]:
    """Return those of the cards that belong to a suit, in their order."""
    return [card for card in cards if ranking.suits[card] == suit]


def may_follow(ranking: Ranking, hand: Sequence[Card], led: Card) -> list[Card]:
    """Return what a hand may play to a led card: a card of its suit if it has one, otherwise any.

    They come in the order of the hand, equal cards of two packs as often as they are held.
    """
    return of_suit(ranking, hand, ranking.suits[led]) or list(hand)


def strength(ranking: Ranking, led: Card, card: Card) -> int:
    """Return how strong a card is in a trick: its power if it can win, otherwise CANNOT_WIN.

    Only a trump or a card of the suit led can win.
    """
    suit = ranking.suits[card]
    if suit in (ranking.trump, ranking.suits[led]):
        return ranking.powers[card]
    return CANNOT_WIN


def winner(ranking: Ranking, trick: Sequence[Card]) -> int:
    """Return the place of the card that wins a trick, or so far would; the leader's is 0.

    Raises ValueError when nobody has played to it yet.
    """
    return first_best([strength(ranking, trick[0], card) for card in trick])


def first_best(strengths: Sequence[int]) -> int:
    """Return the place of the greatest strength, the earliest of equal ones.

    It is for games that lead more than one card at a time: such a game says how strong a whole play
    is. Raises ValueError when there is none.
    """
    return strengths.index(max(strengths))
