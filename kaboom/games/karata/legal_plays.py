"""Legal plays, what answers a bomb, a question or a request, and the effects of plays; pure."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import SUITS, Card, is_joker, is_red, rank_of, suit_of
from kaboom.games.karata.house import House

# An open request: a suit letter, a card (possibly a joker), or nothing.
Request = str | None


class Facing(NamedTuple):
    """What a play must answer: the top card, the pending pick, the open request and more.

    `ground` is the card to match: the top card or, under some options, the card below a joker.
    `question` is True if the last player left a question as the top card. `two` is True if two
    players are in the game.
    """

    top: Card
    ground: Card
    pick: int = 0
    request: Request = None
    question: bool = False
    two: bool = False


class Broken(Struct, frozen=True):
    """The rule that a play breaks, and the index of the card that breaks it.

    `rule` is request, bomb, question, first_card, ace_or_joker_order, answer, sequence, single or
    open.
    """

    rule: str
    index: int


class Effect(Struct, frozen=True):
    """The effects of a legal play, apart from winning."""

    met: bool  # the first card answers the open request
    request: Request  # the new request: the rest of the old one, or the suit of a blocked bomb
    blocked: bool  # an ace stops the pending pick
    pick: int  # cards the next player must draw
    level: int  # what may be requested: 0 nothing, 1 a suit, 2 a card or a suit
    draws: int  # cards the player draws for an unanswered question
    jumps: int
    reverses: bool  # the direction of play is reversed
    again: bool  # the same player gets another turn
    question: bool  # the next player must answer the question

    @property
    def steps(self) -> int:
        """Return the number of seats the turn moves on; 0 is a new turn of the same player."""
        return 0 if self.again else 1 + self.jumps


def alike(one: Card, other: Card) -> bool:
    """Return True if two cards share their rank or their suit."""
    return rank_of(one) == rank_of(other) or suit_of(one) == suit_of(other)


def matches(house: House, card: Card, other: Card) -> bool:
    """Return True if two cards match: by rank or suit, or a joker by its colour (`by_colour`)."""
    if house.by_colour and (is_joker(card) or is_joker(other)):
        return rank_of(card) == rank_of(other) or is_red(card) == is_red(other)
    return alike(card, other)


def meets(card: Card, request: str) -> bool:
    """Return True if the card meets the request."""
    return request in (card, suit_of(card))


# The first card


def first_card_breaks(house: House, facing: Facing, card: Card) -> str | None:
    """Return the rule this card breaks as the first of a play, or None."""
    if facing.request is not None:
        return None if card in house.lifts or meets(card, facing.request) else "request"
    if facing.pick:
        gets_past = card in house.blocks or counters(house, card, facing.top)
        return None if gets_past else "bomb"
    if facing.question:
        return None if answers_for_another(house, card, facing.top) else "question"
    return None if goes_on(house, card, facing.ground) else "first_card"


def goes_on(house: House, card: Card, ground: Card) -> bool:
    """Return True if the card may be played on this one without a bomb, request or question."""
    is_wild = card in house.goes_anywhere or ground in house.takes_anything
    return is_wild or matches(house, card, ground)


def counters(house: House, card: Card, bomb: Card) -> bool:
    """Return True if the card is a bomb that counters this one."""
    if card not in house.bombs:
        return False
    match house.counter:
        case "near":
            return card in house.goes_anywhere or matches(house, card, bomb)
        case "face":
            return rank_of(card) == rank_of(bomb)
        case way:
            return way == "any"


def answers(house: House, card: Card, question: Card) -> bool:
    """Return True if the card may answer the question."""
    return card in house.answers and (card in house.goes_anywhere or matches(house, card, question))


def answers_for_another(house: House, card: Card, question: Card) -> bool:
    """Return True if the card answers the last player's question, whose suit is binding."""
    suits = card in house.goes_anywhere or suit_of(card) == suit_of(question)
    return suits and answers(house, card, question)


# Several cards in one play


def link_breaks(house: House, before: Card, after: Card) -> str | None:
    """Return the rule that `after` breaks when it follows `before` in one play, or None."""
    if before in house.questions:
        return None if answers(house, after, before) else "answer"
    if not house.in_sets:
        return "single"
    if rank_of(before) == rank_of(after):
        return None
    ordered = {"A", "J*"} & {rank_of(before), rank_of(after)}
    return "ace_or_joker_order" if ordered else "sequence"


def misplaced(house: House, facing: Facing, cards: Sequence[Card]) -> Broken | None:
    """Return the first card that breaks a rule at its position, with the rule, or None."""
    if rule := first_card_breaks(house, facing, cards[0]):
        return Broken(rule, 0)
    for index in range(1, len(cards)):
        if rule := link_breaks(house, cards[index - 1], cards[index]):
            return Broken(rule, index)
    return None


def ends_open(house: House, cards: Sequence[Card]) -> bool:
    """Return True if the play leaves a question open where that is not allowed."""
    return house.open_question == "refuse" and cards[-1] in house.questions


def broken(house: House, facing: Facing, cards: Sequence[Card]) -> Broken | None:
    """Return the first rule that the play breaks, or None for a legal play."""
    if wrong := misplaced(house, facing, cards):
        return wrong
    return Broken("open", len(cards) - 1) if ends_open(house, cards) else None


def following(
    house: House, facing: Facing, row: Sequence[Card], hand: Sequence[Card]
) -> list[Card]:
    """Return the cards of the hand that may follow when `row` is already laid down."""
    rest = [card for card in hand if card not in row]
    if row:
        return [card for card in rest if link_breaks(house, row[-1], card) is None]
    return [card for card in rest if first_card_breaks(house, facing, card) is None]


def legal_plays(house: House, facing: Facing, hand: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield every legal play of the hand, each after the shorter ones it extends."""
    rows: list[tuple[Card, ...]] = [()]
    for row in rows:  # grows during the iteration
        for card in following(house, facing, row, hand):
            rows.append((*row, card))
            if not ends_open(house, rows[-1]):
                yield rows[-1]


def within_reach(house: House, facing: Facing, hand: Sequence[Card]) -> list[Card]:
    """Return the cards that a row can contain, even if it may not end with them."""
    found = following(house, facing, (), hand)
    for card in found:  # grows during the iteration
        found += [it for it in hand if it not in found and link_breaks(house, card, it) is None]
    return found


# Effects


def effect_of(house: House, facing: Facing, cards: Sequence[Card]) -> Effect:
    """Return the effect of the play, assuming that it is legal.

    It does not check legality, so a preview made from it does not reveal legality.
    """
    first, last = cards[0], cards[-1]
    pick, request = facing.pick, facing.request
    value = sum(house.worth.get(card, 0) for card in cards)
    met = request is not None and (first not in house.aces or meets(first, request))
    left, value = (None, value) if met else lifted(house, request, value)
    blocked = pick > 0 and first in house.aces
    if blocked:
        value -= 1
        if house.bomb_suit_stays and suit_of(facing.ground) in SUITS:
            left = suit_of(facing.ground)
    kickbacks = count(cards, house.kickbacks)
    again = bool(kickbacks) and (
        house.pairs_play_again if kickbacks % 2 == 0 else house.two_play_again and facing.two
    )
    is_open = last in house.questions
    return Effect(
        met=met,
        request=left,
        blocked=blocked,
        pick=hit(house, 0 if blocked else pick, cards),
        level=min(value, house.most_asked),
        draws=int(is_open and house.open_question == "draw"),
        jumps=count(cards, house.jumps),
        reverses=kickbacks % 2 == 1 and not again,
        again=again,
        question=is_open and house.open_question == "next",
    )


def lifted(house: House, request: Request, value: int) -> tuple[Request, int]:
    """Return what is left of a request, and of the value of the aces, after aces that do not meet
    it.

    A request for a card first becomes one for its suit. Lifting a request for a suit uses up
    `suit_costs`, which may leave nothing for a new request.
    """
    if request is None or value == 0:
        return request, value
    if request in SUITS:
        return None, value - house.suit_costs
    if is_joker(request):  # our choice: no suit is left to request, but the cost is the same
        return None, max(value - 1 - house.suit_costs, 0)
    if value == 1:
        return suit_of(request), 0
    return None, value - 1 - house.suit_costs


def hit(house: House, pick: int, cards: Sequence[Card]) -> int:
    """Return the number of cards the next player has to pick, after countering this pick."""
    last = house.hits.get(cards[-1], 0)
    if not last or not house.adds_up:
        return last
    return pick + sum(house.hits.get(card, 0) for card in cards)


def count(cards: Sequence[Card], of: frozenset[Card]) -> int:
    """Return the number of the cards that are in a set."""
    return sum(card in of for card in cards)


# The next seat


def reached(
    seat: Seat, direction: int, steps: int, seats: int, absent: Collection[Seat]
) -> list[Seat]:
    """Return the present seats that the turn reaches in this many steps from a seat, in order.

    All but the last are jumped. Absent seats are skipped and do not count as steps.
    """
    found: list[Seat] = []
    while len(found) < steps:
        seat = (seat + direction) % seats
        if seat not in absent:
            found.append(seat)
    return found


# Last card and the finish


def may_declare(house: House, hand: Sequence[Card]) -> bool:
    """Return True if a player with this hand may call last card."""
    match house.call:
        case "harmless":
            return bool(hand) and house.harmless.issuperset(hand)
        case "any":
            return bool(hand)
        case way:
            return way == "one" and len(hand) == 1


def finishes(house: House, hand: Sequence[Card], cards: Sequence[Card], last_card: bool) -> bool:
    """Return True if the play wins: the whole hand, on last card, ending with a card that can
    finish.
    """
    called = last_card or house.call == "none"
    return called and len(cards) == len(hand) and cards[-1] in house.endings


def forbidden_finish(
    house: House, hand: Sequence[Card], cards: Sequence[Card], last_card: bool
) -> bool:
    """Return True if strict finish forbids the play, because it leaves no card and does not win.

    A play that ends in an open question is allowed if its draw refills the hand.
    """
    refilled = cards[-1] in house.questions and house.open_question == "draw"
    return len(cards) == len(hand) and not finishes(house, hand, cards, last_card) and not refilled
