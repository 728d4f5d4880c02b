"""What games with tricks share: whose turn it is, following suit, and which card wins.

A trick is the cards on the table in the order they were played, the leader's first. A game says
once what beats what (a `Ranking`), and asks these functions the rest. A game in which everybody
plays one card to each trick can keep it, with the hands, as a `TrickTaking`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct

from kaboom.engine.i18n import mark
from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import Card, pack
from kaboom.engine.toolkit.readiness import still_to_be_ready

# Sentences for a game's words: of what is going on, with the facts `seat`, `led` and, of the trick
# that lies there, `points`; of what has happened; and of what is said between two deals.
SAYINGS = {
    "lead": mark("{seat:name} leads."),
    "lead.you": mark("Your turn: lead a card."),
    "lead_next": mark("{seat:name} has taken the trick ({points:points}) and leads."),
    "lead_next.you": mark("Your turn: you have taken the trick ({points:points}). Lead a card."),
    "follow": mark("{seat:name} plays to the {led:card}."),
    "follow.you": mark("Your turn: play to the {led:card}."),
    "played": mark("{seat:name} plays the {card:card}."),
    "played.you": mark("You play the {card:card}."),
    "trick_taken": mark("{seat:name} takes the trick: {points:points}."),
    "trick_taken.you": mark("You take the trick: {points:points}."),
    "deal_over": mark("The deal is over: {scores:scores}."),
    "be_ready": mark("Your turn: the deal is over, {scores:scores}. Say when you are ready."),
    "between_deals": mark("The deal is over, {scores:scores}. Waiting for {waiting:names}."),
}
# What the zones of such a game are, for programs; and their names on a page, for the catalogue.
ZONES = {
    "played": "The card that a seat has played to this trick.",
    "hand": "A player’s cards; yours alone are face up.",
    "taken": "The cards that a player has taken in this deal, face down.",
}
ZONE_NAMES = (mark("Played"), mark("Hand"), mark("Taken"))

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


def sorted_hand(ranking: Ranking, cards: Iterable[Card], suits: str = "CDSH") -> list[Card]:
    """Return cards as a hand is held: suit by suit, in this order, each from low to high."""
    return sorted(cards, key=lambda card: (suits.index(ranking.suits[card]), ranking.powers[card]))


class TrickTaking(Struct, kw_only=True):
    """Hands and tricks of a game of several deals with one card of each player per trick.

    A game's state is a class below it, and adds what else there is. Lists are by seat, but for
    `ready` and `absent`. A complete trick lies there, with its winner as `leader`, until that seat
    leads to the next. Between deals the table waits until all are ready (core/readiness.py).
    """

    scores: list[int]  # of the deals that are over
    deal: int = 0
    hands: list[list[Card]] = []
    leader: Seat = 0
    trick: list[Card | None] = []  # None where a seat has not played
    taken: list[list[Card]] = []
    ready: list[Seat] = []
    absent: list[Seat] = []

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Begin the next deal with these hands; nothing is played or taken yet."""
        self.deal, self.ready = self.deal + 1, []
        self.hands = [list(hand) for hand in hands]
        self.trick, self.taken = [None] * len(hands), [[] for _ in hands]

    @property
    def unready(self) -> list[Seat]:
        """Return the seats the next deal is waiting for."""
        return still_to_be_ready(len(self.hands), self.ready, self.absent)

    @property
    def complete(self) -> bool:
        """Return True if all have played to the trick."""
        return None not in self.trick

    @property
    def played(self) -> list[Card]:
        """Return the cards of the trick, the leader's first."""
        return [card for card in (*self.trick[self.leader :], *self.trick[: self.leader]) if card]

    @property
    def led(self) -> Card | None:
        """Return what the others play to; None before the lead."""
        return None if self.complete else self.trick[self.leader]

    @property
    def turn(self) -> Seat:
        """Return whose turn it is to play."""
        place = 0 if self.complete else len(self.played)
        return player_at(self.leader, place, len(self.hands))

    def lay(self, ranking: Ranking, card: Card) -> bool:
        """Play a card of the seat on turn; return whether that completes the trick, so that its
        winner is now the leader.
        """
        seat = self.turn
        if self.complete:
            self.taken[self.leader] += self.played
            self.trick = [None] * len(self.hands)
        self.hands[seat].remove(card)
        self.trick[seat] = card
        if self.complete:
            place = winner(ranking, self.played)
            self.leader = player_at(self.leader, place, len(self.hands))
        return self.complete

    @property
    def doing(self) -> str:
        """Return what is going on, as one of SAYINGS."""
        return "follow" if self.led else "lead_next" if self.played else "lead"

    def won(self) -> list[list[Card]]:
        """Return what each seat has taken, with the trick that lies there if it is complete."""
        last = self.played if self.complete else []
        return [
            cards + (last if seat == self.leader else []) for seat, cards in enumerate(self.taken)
        ]
