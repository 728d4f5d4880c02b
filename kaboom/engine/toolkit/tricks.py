"""Shared parts of trick-taking games: turn order, following suit, and the winning card.

A trick consists of the cards on the table in playing order, the leader's first. A game defines once
which card beats which (a `Ranking`), and passes it to these functions. A game in which every player
plays one card to each trick can store tricks and hands as a `TrickTaking`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct

from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import Card, pack, sign
from kaboom.engine.toolkit.readiness import still_to_be_ready
from kaboom.engine.views import Points, Saying, View, Zone

# Sentences for a game's words: status lines, with the facts `seat`, `led` and `points` (of the
# trick on the table); events; a line between two deals; and the points beside a name.
SAYINGS = {
    "lead": N_("{seat:name} leads."),
    "lead.you": N_("Your turn: lead a card."),
    "lead_next": N_("{seat:name} takes the trick: {points:points}."),  # as the event
    "lead_next.you": N_("Your turn: you have taken the trick ({points:points}). Lead a card."),
    "follow": N_("{seat:name} is next: the {led:card} was led."),
    "follow.you": N_("Your turn: play to the {led:card}."),
    "follow_suit": N_("{seat:name} is next: the {led:card} was led."),
    "follow_suit.you": N_("Your turn: follow suit to the {led:card}."),
    "void": N_("{seat:name} is next: the {led:card} was led."),
    "void.you": N_("Your turn: you have no {led:suit}, so play any card."),
    "played": N_("{seat:name} plays the {card:card}."),
    "played.you": N_("You play the {card:card}."),
    "trick_taken": N_("{seat:name} takes the trick: {points:points}."),
    "trick_taken.you": N_("You take the trick: {points:points}."),
    "deal_over": N_("Points in this deal: {gained:scores}. In all: {scores:scores}."),
    "between_deals": N_("The deal is over."),
    "has_points": N_("Points: {score}"),
    "has_more_points": N_("Points: {score} (+{gained})"),
    "has_card": "{score} (+{gained}: {card})",  # shorter, for phones
}
# The zones of a trick-taking game, described for API clients, and their names on a page.
ZONES = {
    "played": "The card that a seat has played to this trick.",
    "hand": "A player’s cards; yours alone are face up.",
    "taken": "The cards that a player has taken in this deal, face down.",
}
ZONE_NAMES = (N_("Played"), N_("Hand"), N_("Taken"))
# The marks of `laid_out`, described for API clients, and their names on a page.
MARKS = {
    "led": "The card led to the trick.",
    "highest": "The card that wins the trick so far.",
    "won": "The card that has won the trick.",
    "led, highest": "The card led, if it still wins the trick.",
}
MARK_NAMES = (N_("led"), N_("highest"), N_("won"), N_("led, highest"))

LOW_TO_HIGH = "23456789TJQKA"  # the ranks of a suit in the order of most trick-taking games
CANNOT_WIN = -1  # the strength of a card that is neither a trump nor of the suit led


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranking of cards: the suit of each and its power, from 0 up.

    The suit need not be the printed one: a joker may be a trump. Cards of the suit `trump` beat all
    others, so each must have a higher power than any other card. With `trump` None, there are no
    trumps. Other powers are only compared within a suit. If cards have equal power, the one played
    first wins.
    """

    suits: Mapping[Card, str]
    powers: Mapping[Card, int]
    trump: str | None = None


def plain_ranking(trump: str | None = None, low_to_high: str = LOW_TO_HIGH) -> Ranking:
    """Return the ranking of 52 cards by their printed suits, as in Whist or, with no trump, Hearts.

    `trump` is a suit letter; `low_to_high` has the letters of all thirteen ranks.
    """
    cards = pack(jokers=False)
    above = len(low_to_high)
    return Ranking(
        suits={card: card[1] for card in cards},
        powers={c: low_to_high.index(c[0]) + (above if c[1] == trump else 0) for c in cards},
        trump=trump,
    )


def player_at(leader: Seat, place: int, seats: int) -> Seat:
    """Return the seat that plays the card at a position of the trick; the leader's is 0.

    The number of cards played so far gives the seat to play next. The position of the winning card
    gives the winner.
    """
    return (leader + place) % seats


def of_suit(ranking: Ranking, cards: Sequence[Card], suit: str) -> list[Card]:
    """Return the cards of a suit, in their order."""
    return [card for card in cards if ranking.suits[card] == suit]


def may_follow(ranking: Ranking, hand: Sequence[Card], led: Card) -> list[Card]:
    """Return the cards that may follow: those of the suit led if any, otherwise the whole hand.

    They are in the order of the hand; identical cards from two packs are repeated.
    """
    return of_suit(ranking, hand, ranking.suits[led]) or list(hand)


def strength(ranking: Ranking, led: Card, card: Card) -> int:
    """Return the strength of a card in a trick: its power if it can win, otherwise CANNOT_WIN.

    Only a trump or a card of the suit led can win.
    """
    suit = ranking.suits[card]
    if suit in (ranking.trump, ranking.suits[led]):
        return ranking.powers[card]
    return CANNOT_WIN


def winner(ranking: Ranking, trick: Sequence[Card]) -> int:
    """Return the position of the card that wins the trick so far; the leader's is 0.

    Raises ValueError for an empty trick.
    """
    return first_best([strength(ranking, trick[0], card) for card in trick])


def laid_out(ranking: Ranking, cards: Sequence[Card | None], leader: Seat) -> Iterator[Zone]:
    """Yield the trick as zones "played" in the middle of the table, one for each seat.

    `cards` are listed by seat. The card led is marked, and so is the best one of at least two. Once
    all have played, only the best one is, as having won. `leader` is the seat whose card led, or
    the winner's.
    """
    played = [card for card in (*cards[leader:], *cards[:leader]) if card]
    marks = {leader: "led"}
    if len(played) > 1:
        best = player_at(leader, winner(ranking, played), len(cards))
        marks[best] = "led, highest" if best == leader else "highest"
        if len(played) == len(cards):
            marks = {best: "won"}
    for seat, card in enumerate(cards):
        zone = Zone.up("played", seat, [card] if card else [], middle=True)
        yield zone.marked(zone.places, marks[seat]) if seat in marks else zone


def last_taker(view: View) -> Seat | None:
    """Return the seat that has taken the last trick of a deal; None while hands hold cards."""
    if any(zone.cards for zone in view.zones_named("hand")):
        return None
    return next((it.owner for it in view.zones if "won" in it.marks.values()), None)


def turn_kind(ranking: Ranking, hand: Sequence[Card] | None, led: Card | None, played: bool) -> str:
    """Return the kind of the status line, one of SAYINGS, while a player is awaited.

    `hand` is that player's, or None for viewers who do not see it: only those who do learn that
    suit must be followed, or cannot be. `led` is None before the lead, and `played` True if the
    last trick lies.
    """
    if led is None:
        return "lead_next" if played else "lead"
    if hand is None:
        return "follow"
    held = len(of_suit(ranking, hand, ranking.suits[led]))
    return "void" if not held else "follow_suit" if held < len(hand) else "follow"


def points_beside(score: Points, gained: Points, card: Card | None = None) -> Saying:
    """Return the points beside a name, and those of this deal if there are others.

    `card` is a costly card that the seat has taken in this deal, if it is to be named.
    """
    if card and gained:
        return Saying("has_card", {"score": score, "gained": gained, "card": sign(card)})
    if gained in (0, score):
        return Saying("has_points", {"score": score})
    return Saying("has_more_points", {"score": score, "gained": gained})


def first_best(strengths: Sequence[int]) -> int:
    """Return the position of the greatest strength, the earliest of equal ones.

    It is for games in which several cards are led at a time and the strength is that of the whole
    play. Raises ValueError for an empty sequence.
    """
    return strengths.index(max(strengths))


def sorted_hand(ranking: Ranking, cards: Iterable[Card], suits: str = "CDSH") -> list[Card]:
    """Return cards sorted as a hand: by suit, in this order, each from low to high."""
    return sorted(cards, key=lambda card: (suits.index(ranking.suits[card]), ranking.powers[card]))


class TrickTaking(Struct, kw_only=True):
    """Hands and tricks of a game of several deals, in which each player plays one card to a trick.

    A game's state is a subclass with additional fields. Lists are indexed by seat, except `ready`
    and `absent`. A complete trick stays on the table, with its winner as `leader`, until that seat
    leads to the next. Between deals, the table waits until all are ready
    (engine/toolkit/readiness.py).
    """

    scores: list[int]  # the points from the finished deals
    deal: int = 0
    hands: list[list[Card]] = []
    leader: Seat = 0
    trick: list[Card | None] = []  # None for a seat that has not played
    taken: list[list[Card]] = []
    ready: list[Seat] = []
    absent: list[Seat] = []

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Begin the next deal with these hands; no card is played or taken yet."""
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
        """Return the card led; None before the lead."""
        return None if self.complete else self.trick[self.leader]

    @property
    def turn(self) -> Seat:
        """Return the seat whose turn it is to play."""
        place = 0 if self.complete else len(self.played)
        return player_at(self.leader, place, len(self.hands))

    def lay(self, ranking: Ranking, card: Card) -> bool:
        """Play a card for the seat whose turn it is.

        Return True if it completes the trick, so that its winner is now the leader.
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

    def doing(self, ranking: Ranking, viewer: Seat | None) -> str:
        """Return the kind of the viewer's status line, one of SAYINGS."""
        hand = self.hands[viewer] if viewer == self.turn else None
        return turn_kind(ranking, hand, self.led, bool(self.played))

    def won(self) -> list[list[Card]]:
        """Return the cards each seat has taken, including a complete trick on the table."""
        last = self.played if self.complete else []
        return [
            cards + (last if seat == self.leader else []) for seat, cards in enumerate(self.taken)
        ]
