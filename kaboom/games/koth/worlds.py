"""Imagined deals of King of the Hill consistent with the play so far, and fast playouts.

Cards are numbers here, and hands are sorted by suit: a playout makes a hundred plays in less than a
millisecond. All players in a playout use simple rules: lead winners, win as cheaply as possible,
give points to friends.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import pairwise

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import Card, pack
from kaboom.games.koth.cards import LOWEST_TRUMP, TRUMP, card_points, trump_ranking
from kaboom.games.koth.state import SEATS

TRUMPS = 4  # the last of the five suits
PLAIN = range(TRUMPS)

Hand = list[list[int]]  # by suit, the lowest first
Cards = Sequence[int]
Shuffled = Callable[[list[int]], list[int]]


class Deck:
    """The cards of a round as numbers, with their values under this trump."""

    def __init__(self, rank: str, suit: str | None) -> None:
        ranking = trump_ranking(rank, suit)
        self.cards = pack()
        self.number = {card: number for number, card in enumerate(self.cards)}
        suits = {name: index for index, name in enumerate(("S", "H", "D", "C", TRUMP))}
        self.suit = [suits[ranking.suits[card]] for card in self.cards]
        self.power = [ranking.powers[card] for card in self.cards]
        self.points = [card_points((card,)) for card in self.cards]
        self.suits = suits
        # Order of discards, and of cards given to a friend
        self.cheap = [
            100 * points + power for points, power in zip(self.points, self.power, strict=True)
        ]
        self.fat = [
            100 * points - power for points, power in zip(self.points, self.power, strict=True)
        ]
        self.thin = [-fat for fat in self.fat]
        ascending = sorted(range(len(self.cards)), key=lambda card: (self.power[card], card))
        self.order = [ascending.index(card) for card in range(len(self.cards))]

    def by_suit(self, cards: Collection[int]) -> Hand:
        """Return the cards as a hand."""
        hand: Hand = [[], [], [], [], []]
        for card in sorted(cards, key=self.order.__getitem__):
            hand[self.suit[card]].append(card)
        return hand


@cache
def deck_of(rank: str, suit: str | None) -> Deck:
    """Return the cards as numbers for this trump."""
    return Deck(rank, suit)


# Imagining the hands


def imagined(
    deck: Deck,
    shuffled: Shuffled,
    unseen: Mapping[Card, int],
    room: Mapping[Seat, int],
    void: Mapping[Seat, Collection[str]],
    held: Mapping[Seat, Sequence[Card]],
) -> dict[Seat, list[int]]:
    """Return a random deal of the unseen cards to the free places.

    If possible, no hand gets a suit it is out of. `held` lists cards known to be held.
    """
    left = dict(room)
    dealt: dict[Seat, list[int]] = {seat: [] for seat in room}
    cards = [deck.number[card] for card, count in unseen.items() for _ in range(count)]
    for seat, known in held.items():
        for shown in known:
            number = deck.number[shown]
            if number in cards and left.get(seat):
                cards.remove(number)
                dealt[seat].append(number)
                left[seat] -= 1
    takers = [
        [seat for seat in room if name not in void.get(seat, ())] or list(room)
        for name in deck.suits
    ]
    counts = [len(may) for may in takers]
    cards = shuffled(cards)
    if min(counts) < len(room):  # cards with the fewest possible hands first
        cards.sort(key=lambda card: counts[deck.suit[card]])
    places = shuffled([seat for seat, count in left.items() for _ in range(count)])
    for given, card in enumerate(cards):
        suit = deck.suit[card]
        if counts[suit] == len(room):  # cards that fit all hands last, in random order
            for rest, seat in zip(cards[given:], places, strict=True):
                dealt[seat].append(rest)
            break
        place = next((place for place, seat in enumerate(places) if seat in takers[suit]), 0)
        dealt[places.pop(place)].append(card)
    return dealt


# Playing out a deal


def challengers_points(
    deck: Deck,
    hands: list[Hand],
    defends: Sequence[bool],
    leader: Seat,
    trick: Sequence[Cards],
    buried: int,
) -> int:
    """Return the challengers' points from this trick on.

    They get double the buried points if they win the last trick.
    """
    power, suits, points = deck.power, deck.suit, deck.points
    score = 0
    plays = list(trick)
    while True:
        if not plays:
            plays = [lead(deck, hands, leader)]
            hands[leader][suits[plays[0][0]]].remove(plays[0][0])
        size, suit = len(plays[0]), suits[plays[0][0]]
        best, on_top, lying = -1, leader, 0
        for place in range(SEATS):
            seat = (leader + place) % SEATS
            if place < len(plays):
                cards = plays[place]
            else:
                ours = defends[on_top] == defends[seat]
                follow = single if size == 1 else pair
                cards = follow(deck, hands[seat], suit, best, ours, place == SEATS - 1, lying)
                for card in cards:
                    hands[seat][suits[card]].remove(card)
            first = cards[0]
            if suits[first] in (suit, TRUMPS) and (size == 1 or first == cards[1]):
                strength = power[first]
                if strength > best:
                    best, on_top = strength, seat
            for card in cards:
                lying += points[card]
        if not defends[on_top]:
            score += lying
        if not any(hands[on_top]):
            return score if defends[on_top] else score + 2 * buried
        leader, plays = on_top, []


def winner_of(
    deck: Deck,
    hands: Mapping[Seat, Hand],
    defends: Sequence[bool],
    leader: Seat,
    trick: Sequence[Cards],
) -> Seat:
    """Return the winner of a trick completed by the remaining seats, without changing any hand."""
    power, suits = deck.power, deck.suit
    size, suit = len(trick[0]), suits[trick[0][0]]
    best, on_top, lying = -1, leader, 0
    for place in range(SEATS):
        seat = (leader + place) % SEATS
        if place < len(trick):
            cards = trick[place]
        else:
            follow = single if size == 1 else pair
            ours = defends[on_top] == defends[seat]
            cards = follow(deck, hands[seat], suit, best, ours, place == SEATS - 1, lying)
        first = cards[0]
        whole = size == 1 or first == cards[1]
        if suits[first] in (suit, TRUMPS) and whole and power[first] > best:
            best, on_top = power[first], seat
        lying += sum(deck.points[card] for card in cards)
    return on_top


def lead(deck: Deck, hands: list[Hand], seat: Seat) -> Cards:
    """Return the card to lead: the highest one left in a plain suit, or else the highest trump
    left, or else a cheap card.
    """
    hand, power = hands[seat], deck.power
    for suit, own in enumerate(hand):  # trumps come last
        if own and all(not each[suit] or power[each[suit][-1]] <= power[own[-1]] for each in hands):
            return (own[-1],)
    plain = [card for suit in PLAIN for card in hand[suit]]
    return (min(plain or hand[TRUMPS], key=deck.cheap.__getitem__),)


def single(
    deck: Deck, hand: Hand, suit: int, best: int, ours: bool, last: bool, lying: int
) -> Cards:
    """Return the card to play when a single card of `suit` was led and `best` is the highest power
    played so far.
    """
    own = hand[suit]
    power = deck.power
    if own:
        if ours and (last or best >= power[own[-1]] or best % LOWEST_TRUMP >= 12):
            return (max(own, key=deck.fat.__getitem__),)
        if power[own[-1]] > best:
            if last:
                return (max((c for c in own if power[c] > best), key=deck.fat.__getitem__),)
            if power[own[-1]] % LOWEST_TRUMP >= 11 or lying:
                return (own[-1],)
        return (min(own, key=deck.cheap.__getitem__),)
    trumps = hand[TRUMPS]
    if not ours and trumps and power[trumps[-1]] > best and (lying or last):
        higher = [card for card in trumps if power[card] > best]
        return (max(higher, key=deck.fat.__getitem__) if last else higher[0],)
    return (thrown(deck, hand, ours),)


def pair(deck: Deck, hand: Hand, suit: int, best: int, ours: bool, last: bool, lying: int) -> Cards:
    """Return the two cards to play when a pair of `suit` was led."""
    own = hand[suit]
    pairs = [card for card, after in pairwise(own) if card == after]
    if pairs:
        higher = [card for card in pairs if deck.power[card] > best]
        card = min(higher or pairs, key=(deck.power if higher else deck.cheap).__getitem__)
        return (card, card)
    key = (deck.thin if ours else deck.cheap).__getitem__
    if len(own) >= 2:
        first, second = sorted(own, key=key)[:2]
        return (first, second)
    trumps = hand[TRUMPS]
    if not own and not ours and lying:
        for card, after in pairwise(trumps):
            if card == after and deck.power[card] > best:
                return (card, card)
    rest = sorted((card for each in hand if each is not own for card in each), key=key)
    return (*own, *rest[: 2 - len(own)])


def thrown(deck: Deck, hand: Hand, ours: bool) -> int:
    """Return the card to discard: points to a friend, none to others, and no trump if possible."""
    plain = [card for suit in PLAIN for card in hand[suit]]
    if ours:
        return max(plain or hand[TRUMPS], key=deck.fat.__getitem__)
    return min(plain or hand[TRUMPS], key=deck.cheap.__getitem__)
