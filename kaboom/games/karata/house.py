"""The effects of cards at a table, computed once from its options."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache

from kaboom.engine.toolkit.cards import SUITS, Card, is_joker, pack, rank_of
from kaboom.games.karata.options import Options

CARDS = frozenset(pack())
JOKERS = frozenset(card for card in CARDS if is_joker(card))
NO_CARDS: frozenset[Card] = frozenset()

# Special ranks. Sources: Karata classic for Kenya; Matatu as played in Kampala for Uganda.
KENYA = {
    "A": "ace",
    "2": "bomb",
    "3": "bomb",
    "J*": "bomb",
    "J": "jump",
    "Q": "question",
    "8": "question",
    "K": "kickback",
}
UGANDA = {"A": "ace", "2": "bomb", "3": "bomb", "J*": "bomb", "8": "jump", "J": "kickback"}

HITS = {"2": 2, "3": 3, "J*": 5}  # number of cards the next player draws for a bomb
POINTS = {"2": 20, "A": 15, "K": 13, "Q": 12, "J": 11, "T": 10, "J*": 50}  # others by their number


def points_of(card: Card) -> int:
    """Return the points of a card in hand when a player cuts."""
    rank = rank_of(card)
    return POINTS[rank] if rank in POINTS else int(rank)


@dataclass(frozen=True, slots=True, eq=False)
class House:
    """The rules of a table in terms of its cards."""

    pack: tuple[Card, ...]
    openers: frozenset[Card]  # may start the pile
    plain: frozenset[Card]
    aces: frozenset[Card]
    bombs: frozenset[Card]
    jumps: frozenset[Card]
    questions: frozenset[Card]
    kickbacks: frozenset[Card]
    hits: Mapping[Card, int]  # cards the next player must draw, by bomb
    worth: Mapping[Card, int]  # value of each ace in requests
    goes_anywhere: frozenset[Card]
    takes_anything: frozenset[Card]
    lifts: frozenset[Card]  # may be played on any request
    blocks: frozenset[Card]  # block a bomb
    answers: frozenset[Card]  # may answer a question, if they match it
    endings: frozenset[Card]  # win as the last card
    harmless: frozenset[Card]  # may be held on last card
    by_colour: bool  # jokers match their colour
    looks_under: bool  # the card under a joker must be matched
    in_sets: bool
    counter: str
    adds_up: bool
    open_question: str
    bomb_suit_stays: bool  # an ace that blocks a bomb requests the suit of the bomb
    most_asked: int  # 1 a suit, 2 a card
    suit_costs: int  # value of aces used up in lifting a request for a suit
    pairs_play_again: bool  # an even number of kickbacks gives another turn
    two_play_again: bool  # with two players, an odd number does so, too
    call: str
    changed: Mapping[str, bool | int | str]  # options that differ from Karata classic


# Options shown at every table, and those that do not affect the rules.
TOLD = ("fine", "deal", "games", "turn_seconds", "joker_ignores_request", "strict_finish")
SEATS = "max_players"


def changed(options: Options) -> dict[str, bool | int | str]:
    """Return the options, except those in TOLD and the number of seats, that differ from Karata
    classic.
    """
    return {
        option.name: getattr(options, option.name)
        for option in fields(options)
        if option.name not in (*TOLD, SEATS) and getattr(options, option.name) != option.default
    }


@lru_cache(maxsize=500)
def house_of(options: Options) -> House:
    """Return the card effects under these options."""
    every, of_kind = frozenset(pack(options.jokers)), by_kind(options)
    plain, aces, questions = of_kind["plain"], of_kind["ace"], of_kind["question"]
    endings = {"plain": plain, "ace": plain | aces, "any": every - questions}[options.end_on]
    answers = {"any": every, "ace": plain | aces, "plain": plain}[options.answer] | questions
    jokers = JOKERS & every
    free_jokers = jokers if options.joker_match != "colour" else NO_CARDS
    return House(
        pack=tuple(pack(options.jokers)),
        openers=openers(options, plain),
        plain=plain,
        aces=aces,
        bombs=of_kind["bomb"],
        jumps=of_kind["jump"],
        questions=questions,
        kickbacks=of_kind["kickback"],
        hits={card: HITS[rank_of(card)] for card in of_kind["bomb"]},
        worth={card: 2 if card == "AS" and options.asks != "suit" else 1 for card in aces},
        goes_anywhere=free_jokers | (aces if options.aces != "match" else NO_CARDS),
        takes_anything=free_jokers | (aces if options.aces == "wild" else NO_CARDS),
        lifts=aces | (jokers if options.joker_ignores_request else NO_CARDS),
        blocks=blockers(options, aces),
        answers=answers,
        endings=endings,
        harmless=questions | endings,
        by_colour=options.joker_match == "colour",
        looks_under=options.joker_match == "under",
        in_sets=options.sets,
        counter=options.counter,
        adds_up=options.add_up,
        open_question=options.open_question,
        bomb_suit_stays=options.aces == "match",
        most_asked=1 if options.asks == "suit" else 2,
        suit_costs=1 if options.asks == "card" else 0,
        pairs_play_again=options.kings_again,
        two_play_again=options.ranks == "uganda",
        call=options.call,
        changed=changed(options),
    )


def by_kind(options: Options) -> dict[str, frozenset[Card]]:
    """Return the cards of the pack by effect: plain, or a kind of KENYA or UGANDA."""
    kinds = KENYA if options.ranks == "kenya" else UGANDA
    if options.ranks == "uganda" and not options.jokers:
        kinds = {rank: kind for rank, kind in kinds.items() if rank != "3"}
    every = pack(options.jokers)
    return {
        kind: frozenset(card for card in every if kinds.get(rank_of(card), "plain") == kind)
        for kind in ("plain", *KENYA.values())
    }


def openers(options: Options, plain: frozenset[Card]) -> frozenset[Card]:
    """Return the cards that may start a game. If a 7 can cut, no 7 may start a game, because the
    opening suit decides which 7 cuts.
    """
    opening = plain
    if options.opener == "mild":
        opening |= {card for card in CARDS if rank_of(card) in ("J", "8")}
    if options.cut:
        opening -= {f"7{suit}" for suit in SUITS}
    return opening


def blockers(options: Options, aces: frozenset[Card]) -> frozenset[Card]:
    """Return the aces that block a bomb: in Uganda only the ace of spades, and only with jokers."""
    if options.ranks == "kenya":
        return aces
    return frozenset({"AS"} if options.jokers else ())
