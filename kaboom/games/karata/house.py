"""What each card does at a table: its options, worked out once into tables of cards."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache

from kaboom.engine.toolkit.cards import SUITS, Card, is_joker, pack, rank_of
from kaboom.games.karata.options import Options

CARDS = frozenset(pack())
JOKERS = frozenset(card for card in CARDS if is_joker(card))
NO_CARDS: frozenset[Card] = frozenset()

# Ranks that are not plain. Sources: the seed for Kenya; Matatu as played in Kampala for Uganda.
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

HITS = {"2": 2, "3": 3, "J*": 5}  # how many cards the next player picks for a bomb
POINTS = {"2": 20, "A": 15, "K": 13, "Q": 12, "J": 11, "T": 10, "J*": 50}  # others as numbered


def points_of(card: Card) -> int:
    """Return what a card counts in a hand when somebody cuts."""
    rank = rank_of(card)
    return POINTS[rank] if rank in POINTS else int(rank)


@dataclass(frozen=True, slots=True, eq=False)
class House:
    """The rules of a table as its cards show them; sets are of cards."""

    pack: tuple[Card, ...]
    openers: frozenset[Card]  # may lie on the pile when a game starts
    plain: frozenset[Card]
    aces: frozenset[Card]
    bombs: frozenset[Card]
    jumps: frozenset[Card]
    questions: frozenset[Card]
    kickbacks: frozenset[Card]
    hits: Mapping[Card, int]  # bombs to the cards they make the next player pick
    worth: Mapping[Card, int]  # aces to how many they count as
    goes_anywhere: frozenset[Card]
    takes_anything: frozenset[Card]
    lifts: frozenset[Card]  # may be laid on any request
    blocks: frozenset[Card]  # stop a bomb
    answers: frozenset[Card]  # may answer a question, if they go on it
    endings: frozenset[Card]  # win as the last card
    harmless: frozenset[Card]  # may be held on last card
    by_colour: bool  # jokers match their colour
    looks_under: bool  # what lies under a joker counts
    in_sets: bool
    counter: str
    adds_up: bool
    open_question: str
    bomb_suit_stays: bool  # an ace that blocks a bomb leaves its suit asked for
    most_asked: int  # 1 a suit, 2 a card
    suit_costs: int  # aces it takes to be rid of a request for a suit
    pairs_play_again: bool  # an even number of kickbacks is another turn
    two_play_again: bool  # so is one at a table of two
    call: str
    changed: Mapping[str, bool | int | str]  # options that are not as in Karata classic


# Options that a view tells of at every table, and those that are no rules of play.
TOLD = ("fine", "deal", "games", "turn_seconds", "joker_ignores_request", "strict_finish")
SEATS = "max_players"


def changed(options: Options) -> dict[str, bool | int | str]:
    """Return the options, besides those, that are not as in Karata classic."""
    return {
        option.name: getattr(options, option.name)
        for option in fields(options)
        if option.name not in (*TOLD, SEATS) and getattr(options, option.name) != option.default
    }


@lru_cache(maxsize=500)
def house_of(options: Options) -> House:
    """Return what the cards do with these options."""
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
    """Return the cards of the pack by what they do: plain, or a kind of KENYA or UGANDA."""
    kinds = KENYA if options.ranks == "kenya" else UGANDA
    if options.ranks == "uganda" and not options.jokers:
        kinds = {rank: kind for rank, kind in kinds.items() if rank != "3"}
    every = pack(options.jokers)
    return {
        kind: frozenset(card for card in every if kinds.get(rank_of(card), "plain") == kind)
        for kind in ("plain", *KENYA.values())
    }


def openers(options: Options, plain: frozenset[Card]) -> frozenset[Card]:
    """Return the cards that may open a game. A 7 never does where it may cut: its suit would."""
    opening = plain
    if options.opener == "mild":
        opening |= {card for card in CARDS if rank_of(card) in ("J", "8")}
    if options.cut:
        opening -= {f"7{suit}" for suit in SUITS}
    return opening


def blockers(options: Options, aces: frozenset[Card]) -> frozenset[Card]:
    """Return the aces that stop a bomb: in Uganda the ace of spades, and only with jokers."""
    if options.ranks == "kenya":
        return aces
    return frozenset({"AS"} if options.jokers else ())
