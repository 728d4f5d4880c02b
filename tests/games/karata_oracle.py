"""An independent implementation of Karata's rules of play.

It shares no code with the game. Where the game asks "does this card fit?", the oracle computes the
set of all fitting cards out of the 54 and looks the card up. Where the game counts, the oracle
iterates.
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


class Ways(NamedTuple):
    """The options of a table, with the names and values of the game's options."""

    joker_ignores_request: bool = False
    jokers: bool = True
    sets: bool = True
    answer: str = "any"
    open_question: str = "draw"
    counter: str = "near"
    add_up: bool = False
    kings_again: bool = True
    aces: str = "wild"
    asks: str = "card"
    joker_match: str = "free"
    ranks: str = "kenya"


CLASSIC = Ways()


class Verdict(NamedTuple):
    """`breaks` and `at` name a broken rule and the card; the rest describes a legal play."""

    breaks: str = ""
    at: int = 0
    request: str = "-"  # the open request
    asks: int = 0  # 0 nothing, 1 a suit, 2 a card or a suit
    pick: int = 0  # cards for the next player to pick
    draws: int = 0
    moves: int = 1  # seats by which the turn advances; 0 is another turn of the same player
    flips: bool = False
    leaves: bool = False  # a question, to the next player


def cards_of(*faces):
    """Return all cards with these faces."""
    return {face + suit for face in faces for suit in SUITS}


def bombs(ways):
    threes = ways.ranks == "kenya" or ways.jokers
    return cards_of("2", "3") | JOKERS if threes else cards_of("2")


def questions(ways):
    return QUESTIONS if ways.ranks == "kenya" else set()


def jumpers(ways):
    return cards_of("J" if ways.ranks == "kenya" else "8")


def turners(ways):
    return cards_of("K" if ways.ranks == "kenya" else "J")


def plain(ways):
    return ALL - ACES - JOKERS - bombs(ways) - questions(ways) - jumpers(ways) - turners(ways)


def answerable(ways):
    """Return the cards that can be answers."""
    every = {"any": ALL, "ace": plain(ways) | ACES, "plain": plain(ways)}
    return every[ways.answer] | questions(ways)


def roamers(ways):
    """Return the cards that may be played on anything."""
    aces = set() if ways.aces == "match" else ACES
    return aces | (set() if ways.joker_match == "colour" else JOKERS)


def takers(ways):
    """Return the cards on which anything may be played."""
    aces = ACES if ways.aces == "wild" else set()
    return aces | (set() if ways.joker_match == "colour" else JOKERS)


def stoppers(ways):
    """Return the aces that stop a bomb."""
    if ways.ranks == "kenya":
        return ACES
    return {"AS"} if ways.jokers else set()


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


RED = {card for card in ALL if card == "RJ" or card[1] in "HD"}


@cache
def fitting(card, ways):
    """Return the cards of its face or suit, and those of its colour for jokers by colour."""
    found = same_face(card) | same_suit(card)
    if ways.joker_match == "colour":
        coloured = RED if card in RED else ALL - RED
        found = found | (coloured if card in JOKERS else coloured & JOKERS)
    return found


def wanted(request):
    """Return the cards that meet the request."""
    return same_suit("A" + request) if request in SUITS else {request}


@cache
def openers(top, pick, request, ways=CLASSIC, under=None, left=False):
    """Return every card that may start a play, and the rule that excludes the others."""
    if request != "-":
        extra = JOKERS if ways.joker_ignores_request else set()
        return wanted(request) | ACES | extra, "request"
    if pick:
        return passers(top, ways) | stoppers(ways), "bomb"
    if left:
        return (same_suit(top) | roamers(ways)) & answerable(ways), "question"
    ground = under or top
    if ground in takers(ways):
        return ALL, "first_card"
    return fitting(ground, ways) | roamers(ways), "first_card"


def passers(top, ways):
    """Return the bombs that pass a bomb on."""
    if ways.counter == "none":
        return set()
    if ways.counter == "any":
        return bombs(ways)
    if ways.counter == "face":
        return same_face(top) & bombs(ways)
    return bombs(ways) & (fitting(top, ways) | (JOKERS & roamers(ways)))


@cache
def followers(card, ways=CLASSIC):
    """Return every card that may be laid on this one within a play."""
    if card in questions(ways):
        return (fitting(card, ways) | roamers(ways)) & answerable(ways)
    return same_face(card) if ways.sets else set()


def judge(top, pick, request, play, ways=CLASSIC, under=None, left=False, two=False):
    """Return the verdict on a play; `request` is "-", a suit or a card.

    `under` is the card under a joker on top; `left` says that the last player left the question on
    top to this one, `two` that two players are left.
    """
    may_open, shut_out_by = openers(top, pick, request, ways, under, left)
    if play[0] not in may_open:
        return Verdict(shut_out_by, 0)
    for at in range(1, len(play)):
        lower, upper = play[at - 1 : at + 1]
        if upper in followers(lower, ways):
            continue
        if lower in questions(ways):
            return Verdict("answer", at)
        if not ways.sets:
            return Verdict("single", at)
        if {lower, upper} & (ACES | JOKERS):
            return Verdict("ace_or_joker_order", at)
        return Verdict("sequence", at)
    if ways.open_question == "refuse" and play[-1] in questions(ways):
        return Verdict("open", len(play) - 1)
    return effects(pick, request, play, ways, under or top, two)


def effects(pick, request, play, ways, ground, two):
    tokens = []  # one for each point of ace value
    direction, moves = 1, 1
    turns = 0
    hits = 0
    for card in play:
        if card == "AS" and ways.asks != "suit":
            tokens += ["ace", "ace"]
        elif card in ACES:
            tokens += ["ace"]
        elif card in jumpers(ways):
            moves += 1
        elif card in turners(ways):
            direction = -direction
            turns += 1
        elif card in bombs(ways):
            hits += 5 if card in JOKERS else int(card[0])
    if turns and direction == 1 and ways.kings_again:
        moves = 0
    if turns and direction == -1 and two and ways.ranks == "uganda":
        direction, moves = 1, 0

    if request != "-" and (play[0] in wanted(request) or play[0] in JOKERS):
        request = "-"
    dear = ways.asks == "card"  # an ace that ends a suit request is used up
    while request != "-" and tokens:
        if request in SUITS:
            request = "-"
            if dear:
                tokens.pop()
        elif request in JOKERS:
            tokens.pop()
            request = "-"
            if tokens and dear:  # the second level of the joker
                tokens.pop()
        else:
            tokens.pop()
            request = request[1]
    if pick and play[0] in ACES:
        tokens.pop()
        if ways.aces == "match" and ground not in JOKERS:
            request = ground[1]

    top = play[-1]
    next_pick = 0
    if top in bombs(ways):
        next_pick = 5 if top in JOKERS else int(top[0])
        if ways.add_up:
            next_pick = hits + pick
    asks = min(len(tokens), 1 if ways.asks == "suit" else 2)
    is_open = top in questions(ways)
    draws = int(is_open and ways.open_question == "draw")
    leaves = is_open and ways.open_question == "next"
    return Verdict("", 0, request, asks, next_pick, draws, moves, direction == -1, leaves)


def next_seat(seat, seats, absent, direction, verdict):
    """Return the next seat after a play, iterating over the present players."""
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
