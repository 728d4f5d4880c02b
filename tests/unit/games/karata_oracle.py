"""A second reading of Karata's rule book, sections 5 and 6, written apart from the game.

It shares no code with the game. Where the game asks "does this card fit?", this names the set of
all cards that would, out of the 54, and looks the card up; where the game counts, this walks.
"""

from functools import cache
from typing import NamedTuple

FACES = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
SUITS = ["S", "H", "D", "C"]
ALL = {face + suit for face in FACES for suit in SUITS} | {"BJ", "RJ"}
JOKERS = {"BJ", "RJ"}
ACES = {card for card in ALL - JOKERS if card.startswith("A")}
TWOS_AND_THREES = {card for card in ALL - JOKERS if card[0] in "23"}
QUESTIONS = {card for card in ALL - JOKERS if card[0] in "Q8"}


class Verdict(NamedTuple):
    """`breaks` and `at` name a broken rule and the card; the rest is what a legal play does."""

    breaks: str = ""
    at: int = 0
    request: str = "-"  # what stays open
    asks: int = 0  # 0 nothing, 1 a suit, 2 a card or a suit
    pick: int = 0  # for the next player
    draws: int = 0
    moves: int = 1  # seats the turn goes on; 0 is the same player's new turn
    flips: bool = False


@cache
def same_face(card):
    if card in JOKERS:
        return set(JOKERS)
    return {card[0] + suit for suit in SUITS}


@cache
def same_suit(card):
    if card in JOKERS:
        return {card}
    return {face + card[1] for face in FACES}


@cache
def openers(top, pick, request, joker_ignores_request=False):
    """Return every card that may start a play, and the name of the rule that shuts out others."""
    if request != "-":
        wanted = same_suit("A" + request) if request in SUITS else {request}
        return wanted | ACES | (JOKERS if joker_ignores_request else set()), "request"
    if pick:
        helps = set(JOKERS)
        if top not in JOKERS:
            helps |= TWOS_AND_THREES & (same_face(top) | same_suit(top))
        return helps | ACES, "bomb"
    if top in JOKERS | ACES:
        return ALL, "first_card"
    return same_face(top) | same_suit(top) | ACES | JOKERS, "first_card"


@cache
def followers(card):
    """Return every card that may be laid on this one within a play."""
    if card in QUESTIONS:
        return same_face(card) | same_suit(card) | ACES | JOKERS
    return same_face(card)


def judge(top, pick, request, play, joker_ignores_request=False):
    """Return the verdict on a play; `request` is "-", a suit or a card."""
    may_open, shut_out_by = openers(top, pick, request, joker_ignores_request)
    if play[0] not in may_open:
        return Verdict(shut_out_by, 0)
    for at in range(1, len(play)):
        lower, upper = play[at - 1 : at + 1]
        if upper in followers(lower):
            continue
        if lower in QUESTIONS:
            return Verdict("answer", at)
        if {lower, upper} & (ACES | JOKERS):
            return Verdict("ace_or_joker_order", at)
        return Verdict("sequence", at)
    return effects(pick, request, play)


def effects(pick, request, play):
    tokens = []  # one for each point of ace value
    direction, moves = 1, 1
    kings = 0
    for card in play:
        if card == "AS":
            tokens += ["ace", "ace"]
        elif card in ACES:
            tokens += ["ace"]
        elif card in same_face("JS"):
            moves += 1
        elif card in same_face("KS"):
            direction = -direction
            kings += 1
    if kings and direction == 1:
        moves = 0

    is_met = request != "-" and play[0] in (
        same_suit("A" + request) if request in SUITS else {request}
    )
    if is_met or (request != "-" and play[0] in JOKERS):
        request = "-"
    while request != "-" and tokens:
        tokens.pop()
        if request in SUITS:
            request = "-"
        elif request in JOKERS:
            request = "-"
            if tokens:  # the second level of the joker
                tokens.pop()
        else:
            request = request[1]
    if pick and tokens:
        tokens.pop()

    top = play[-1]
    next_pick = 5 if top in JOKERS else int(top[0]) if top in TWOS_AND_THREES else 0
    asks = min(len(tokens), 2)
    draws = 1 if top in QUESTIONS else 0
    return Verdict("", 0, request, asks, next_pick, draws, moves, direction == -1)


def next_seat(seat, seats, absent, direction, verdict):
    """Return the seat whose turn it is after a play, by going round the ring of those present."""
    ring = [s for s in range(seats) if s not in absent]
    if (direction == -1) != verdict.flips:
        ring.reverse()
    return ring[(ring.index(seat) + verdict.moves) % len(ring)]


def line(top, pick, request, play, verdict):
    """Return one line of the table of cases."""
    asked = f"{top} {pick or '-'} {request}"
    if verdict.breaks:
        return f"{asked} | {' '.join(play)} | breaks {verdict.breaks} at {verdict.at + 1}"
    effect = [f"moves {verdict.moves}"]
    effect += [f"request {verdict.request}"] * (verdict.request != "-")
    effect += [f"asks {verdict.asks}"] * (verdict.asks > 0)
    effect += [f"pick {verdict.pick}"] * (verdict.pick > 0)
    effect += [f"draws {verdict.draws}"] * (verdict.draws > 0)
    effect += ["flips"] * verdict.flips
    return f"{asked} | {' '.join(play)} | {', '.join(effect)}"


def read(text):
    """Return (top, pick, request, play, verdict) of one line of the table."""
    before, cards, said = (part.strip() for part in text.split("|"))
    top, pick, request = before.split()
    position = top, 0 if pick == "-" else int(pick), request, tuple(cards.split())
    if said.startswith("breaks"):
        _, rule, _, at = said.split()
        return (*position, Verdict(rule, int(at) - 1))
    words = dict((*part.split(), True)[:2] for part in said.split(", "))
    return (
        *position,
        Verdict(
            request=words.get("request", "-"),
            asks=int(words.get("asks", 0)),
            pick=int(words.get("pick", 0)),
            draws=int(words.get("draws", 0)),
            moves=int(words["moves"]),
            flips="flips" in words,
        ),
    )
