"""The stored state of a match of Kaboom: places, the steps of a round, and the cards."""

from typing import TypeVar

from msgspec import Struct, field

from kaboom.engine.moves import Seat
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.toolkit.readiness import still_to_be_ready
from kaboom.games.kaboom.options import Options

GRID = 6  # slots 0 1 2 are the top row, 3 4 5 the bottom row, nearest to the owner
SEATS = 6

Place = str  # "1.4" is slot 4 of seat 1

PASS = "pass"  # the answer of a seat that declines to flip

MOST_SLOTS = 54  # places of a grid: it never holds more cards than the pack

# Every possible place, by owner; building them for each offer would be too slow
PLACES = tuple(tuple(f"{owner}.{slot}" for slot in range(MOST_SLOTS)) for owner in range(SEATS))
WHERE = {place: (o, slot) for o, own in enumerate(PLACES) for slot, place in enumerate(own)}


class Discard(Struct, array_like=True):
    """A card on the discard pile. Its running number is unique in a match."""

    card: Card
    number: int
    flipped_by: Seat | None = None


# Steps


class Step(Struct, kw_only=True):
    """A step of the match. `number` is incremented with every decision.

    `resumed` counts how often the giving of a card interrupted this decision. The timer stays the
    same, but a press from before the interruption is rejected after it.
    """

    number: int = 0
    resumed: int = 0


class Peeking(Step, tag="peek"):
    pass


class FirstMove(Step, tag="first_move"):
    pass


class ReplaceTaken(Step, tag="replace_taken"):
    card: Card


class Drawn(Step, tag="drawn"):
    card: Card


class Ability(Step, tag="ability"):
    card: Card
    picks: list[Place] = field(default_factory=list)


class AfterAbility(Step, tag="after_ability"):
    card: Card


class ReplaceDrawn(Step, tag="replace_drawn"):
    card: Card
    used: bool  # the ability was used, so the kind of the card is public


class Give(Step, tag="give"):
    seat: Seat
    place: Place


class Collecting(Step, tag="collecting"):
    """Patient flips are being collected. All lists are indexed by seat, so none reveals the order
    of answers.
    """

    order: list[Seat]  # random order, drawn before any choice; hidden
    answers: list[str | None]  # a place, PASS or None; sealed
    asked: list[bool]  # requests for more time; sealed
    longer: bool = False  # the time was extended


class LastFlips(Step, tag="last_flips"):
    pass


class RoundOver(Step, tag="round_over"):
    pass


AnyStep = (
    Peeking
    | FirstMove
    | ReplaceTaken
    | Drawn
    | Ability
    | AfterAbility
    | ReplaceDrawn
    | Give
    | Collecting
    | LastFlips
    | RoundOver
)


class State(Struct):
    options: Options
    totals: list[int]
    seen: list[dict[Place, Card]]  # faces currently shown, by viewer; spectators last
    grids: list[list[Card | None]] = field(default_factory=list)
    stock: list[Card] = field(default_factory=list)  # the next card last
    discards: list[Discard] = field(default_factory=list)  # the top last
    steps: list[AnyStep] = field(default_factory=list)  # a give is on top of the step it interrupts
    round: int = 0
    turn: Seat = 0
    declared_by: Seat | None = None
    ready: list[Seat] = field(default_factory=list)
    peeked: list[Seat] = field(default_factory=list)
    marks: dict[Place, str] = field(default_factory=dict)  # the last change of each place, public
    sums: list[int] = field(default_factory=list)  # the sums of the last round
    scores: list[int] = field(default_factory=list)  # the scores of the last round
    absent: list[Seat] = field(default_factory=list)
    abandoned: bool = False
    decisions: int = 0  # running number of the last decision
    discarded: int = 0  # running number of the last discard
    collected: int = 0  # running number of the discard that flips were last collected for
    board: bool = False  # other tables play this deal, too: the stock is a sorted set
    stocks: int = 0  # number of new stocks on a board; each has new lists for the seats


def is_patient(s: State) -> bool:
    """Return True if flips are collected, rather than made at any time."""
    return s.options.flips == "patient"


def unready(s: State) -> list[Seat]:
    """Return the seats that the first turn or the next round is waiting for."""
    return still_to_be_ready(len(s.grids), s.ready, s.absent)


# Moving between steps


def next_decision(s: State) -> int:
    """Return a running number that no decision has had yet."""
    s.decisions += 1
    return s.decisions


def enter(s: State, step: AnyStep) -> None:
    """Enter another step: a new decision with a new number."""
    step.number = next_decision(s)
    s.steps[-1] = step


S = TypeVar("S", bound=Step)


def current(s: State, kind: type[S]) -> S:
    """Return the current step, which must be of this kind, because other kinds are not on offer."""
    step = s.steps[-1]
    assert isinstance(step, kind)
    return step


def decided(s: State, seat: Seat | None = None) -> None:
    """Hide the cards that the spectators and, if given, the seat were shown until this decision."""
    s.seen[-1].clear()
    if seat is not None:
        s.seen[seat].clear()


def on_top(s: State) -> str:
    """Return what identifies an offer to take the top discard or to flip onto it: "17.4H"."""
    top = s.discards[-1]
    return f"{top.number}.{top.card}"


def about(step: Step) -> str:
    """Return what identifies a turn's offer: this decision, and the count of its resumptions."""
    return f"{step.number}.{step.resumed}"
