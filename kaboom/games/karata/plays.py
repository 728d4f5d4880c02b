"""What may be played and what it does: sections 5 and 6 of the rule book as pure functions."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from kaboom.core.cards import SUITS, Card, is_joker, rank_of, suit_of

# An open request: a suit letter, a card (a joker too), or nothing.
Request = str | None

PLAIN = ("4", "5", "6", "7", "9", "T")
BOMBS = {"2": 2, "3": 3, "J*": 5}  # the face to the number of cards the next player picks
QUESTIONS = ("Q", "8")
NOT_ON_LAST_CARD = ("A", "2", "3", "J*", "J", "K")


class Broken(Struct, frozen=True):
    """The rule of section 5 that a play breaks, and the index of the card that breaks it.

    `rule` is request, bomb, first_card, ace_or_joker_order, answer or sequence.
    """

    rule: str
    index: int


class Effect(Struct, frozen=True):
    """What a legal play does (section 6), apart from winning."""

    met: bool  # the first card answers the open request
    request: Request  # what is left of the open request
    blocked: bool  # an ace stops the pending pick
    pick: int  # cards the next player has to pick
    level: int  # what may be asked for: 0 nothing, 1 a suit, 2 a card or a suit
    draws: int  # cards the player draws for an unanswered question
    jacks: int
    kings: int

    @property
    def reverses(self) -> bool:
        """Say whether the direction of play turns."""
        return self.kings % 2 == 1

    @property
    def steps(self) -> int:
        """Return how many seats the turn moves on; 0 is a new turn of the same player."""
        return 0 if self.kings and not self.reverses else 1 + self.jacks


def is_plain(card: Card) -> bool:
    """Say whether the card is one that can start and end a game."""
    return rank_of(card) in PLAIN


def is_ace(card: Card) -> bool:
    """Say whether the card is an ace."""
    return rank_of(card) == "A"


def is_question(card: Card) -> bool:
    """Say whether the card wants an answer."""
    return rank_of(card) in QUESTIONS


def alike(one: Card, other: Card) -> bool:
    """Say whether two cards share their face or their suit."""
    return rank_of(one) == rank_of(other) or suit_of(one) == suit_of(other)


def meets(card: Card, request: str) -> bool:
    """Say whether the card is what was asked for."""
    return card == request or (request in SUITS and suit_of(card) == request)


# 5.1 The first card


def first_card_breaks(
    card: Card, top: Card, pick: int, request: Request, joker_ignores_request: bool = False
) -> str | None:
    """Return the rule this card breaks as the first of a play, or None."""
    if is_ace(card):
        return None  # seed: "Aces can play anywhere"
    if request is not None:
        ignored = joker_ignores_request and is_joker(card)
        return None if ignored or meets(card, request) else "request"
    if pick:
        counters = is_joker(card) or (rank_of(card) in BOMBS and alike(card, top))
        return None if counters else "bomb"
    if is_joker(card) or is_joker(top) or is_ace(top) or alike(card, top):
        return None
    return "first_card"


# 5.2 Every further card


def link_breaks(before: Card, after: Card) -> str | None:
    """Return the rule that `after` breaks when it follows `before` in one play, or None."""
    wild = is_ace(after) or is_joker(after)
    if is_question(before):
        return None if wild or alike(before, after) else "answer"
    if rank_of(before) == rank_of(after):
        return None
    if wild or is_ace(before) or is_joker(before):
        return "ace_or_joker_order"
    return "sequence"


def broken(
    top: Card,
    pick: int,
    request: Request,
    cards: Sequence[Card],
    joker_ignores_request: bool = False,
) -> Broken | None:
    """Return the first rule of section 5 that the play breaks, or None for a legal play."""
    rule = first_card_breaks(cards[0], top, pick, request, joker_ignores_request)
    if rule:
        return Broken(rule, 0)
    for index in range(1, len(cards)):
        if rule := link_breaks(cards[index - 1], cards[index]):
            return Broken(rule, index)
    return None


def following(
    row: Sequence[Card],
    hand: Sequence[Card],
    top: Card,
    pick: int,
    request: Request,
    joker_ignores_request: bool = False,
) -> list[Card]:
    """Return the cards of the hand that may follow when `row` is already laid down."""
    rest = [card for card in hand if card not in row]
    if row:
        return [card for card in rest if link_breaks(row[-1], card) is None]
    return [
        card
        for card in rest
        if first_card_breaks(card, top, pick, request, joker_ignores_request) is None
    ]


def legal_plays(
    hand: Sequence[Card],
    top: Card,
    pick: int,
    request: Request,
    joker_ignores_request: bool = False,
) -> Iterator[tuple[Card, ...]]:
    """Yield every legal play of the hand, each after the shorter ones it extends."""
    rows: list[tuple[Card, ...]] = [()]
    for row in rows:  # grows while being read
        for card in following(row, hand, top, pick, request, joker_ignores_request):
            rows.append((*row, card))
            yield rows[-1]


# 6. Effects


def effect_of(pick: int, request: Request, cards: Sequence[Card]) -> Effect:
    """Return what the play does, assuming that it is legal.

    It does not check legality, so a preview made from it gives nothing away about legality.
    """
    first, last = cards[0], cards[-1]
    value = sum(2 if card == "AS" else 1 for card in cards if is_ace(card))
    met = request is not None and (not is_ace(first) or meets(first, request))
    left = None if met else request
    if left is not None:  # every ace takes one level off a request that stays open
        levels = 1 if left in SUITS else 2
        # house: a joker has no suit left to ask for
        left = None if value >= levels or is_joker(left) else suit_of(left)
        value = max(value - levels, 0)
    blocked = pick > 0 and is_ace(first)
    if blocked:
        value -= 1
    ranks = [rank_of(card) for card in cards]
    return Effect(
        met=met,
        request=left,
        blocked=blocked,
        pick=BOMBS.get(rank_of(last), 0),
        level=min(value, 2),
        draws=int(is_question(last)),
        jacks=ranks.count("J"),
        kings=ranks.count("K"),
    )


def evaluate(
    top: Card,
    pick: int,
    request: Request,
    cards: Sequence[Card],
    joker_ignores_request: bool = False,
) -> Effect | Broken:
    """Return what the play does, or the rule it breaks."""
    wrong = broken(top, pick, request, cards, joker_ignores_request)
    return wrong or effect_of(pick, request, cards)


# 4.3 and 7: last card and the finish


def may_declare(hand: Sequence[Card]) -> bool:
    """Say whether a player with this hand is asked for last card."""
    return bool(hand) and not any(rank_of(card) in NOT_ON_LAST_CARD for card in hand)


def finishes(hand: Sequence[Card], cards: Sequence[Card], last_card: bool) -> bool:
    """Say whether the play wins: the whole hand, on last card, with a plain card at its end."""
    return last_card and len(cards) == len(hand) and is_plain(cards[-1])


def forbidden_finish(hand: Sequence[Card], cards: Sequence[Card], last_card: bool) -> bool:
    """Say whether strict finish forbids the play: it leaves no card and does not win.

    A play that ends in an open question is fine, since its draw refills the hand.
    """
    return (
        len(cards) == len(hand)
        and not finishes(hand, cards, last_card)
        and not is_question(cards[-1])
    )
