"""The published schemas of the coach; docs/api.md lists the guarantees."""

from typing import Any

from msgspec import Struct

from kaboom.engine.views import Zone
from kaboom.web.api.schemas import VERSION, Move


class CoachDecision(Struct, kw_only=True):
    """One of your decisions: `cost` is how much better the best move was, with 99% certainty
    between `low` and `high`, in the match's `unit`; 0 if that is uncertain (then `mistake` is
    false: as good as any). `closely`: it was played out.
    """

    number: int
    step: int
    move: str
    text: str
    closely: bool
    mistake: bool
    cost: float
    low: float
    high: float
    link: str


class CoachCost(Struct, kw_only=True):
    """The average cost of a decision in a match that ended `at` (seconds since 1970)."""

    match: str
    at: float
    cost: float


class Coaching(Struct, kw_only=True):
    """The coach's judgement of your decisions in a match. `state` is none (request it by POST),
    waiting, working, done or failed; `made` of `steps` are done. `unit` is points, or wins (in 100
    games). `costs` has the average costs of your matches of this game.
    """

    format: str = "kaboom coaching"
    version: int = VERSION
    match: str
    game: str
    seat: int
    state: str
    made: int
    steps: int | None
    text: str
    unit: str
    average: float | None
    decisions: list[CoachDecision]
    costs: list[CoachCost]
    links: dict[str, str]


class CoachMove(Struct, kw_only=True):
    """A considered move: by how much it is worse than the best (`less`, between `low` and `high`
    with 99% certainty), null if it was not played out. `good`: as good as any.
    """

    move: str
    text: str
    less: float | None
    low: float
    high: float
    good: bool


class CoachQuestion(Struct, kw_only=True):
    """One of your decisions as a question: the table as you saw it, what you `chose`, and the
    possible moves. `considered` is empty until requested with `show`, or where nothing was
    better.
    """

    format: str = "kaboom coach question"
    version: int = VERSION
    match: str
    game: str
    number: int
    last: int
    step: int
    asks: bool
    text: str
    chose: str
    names: list[str]
    me: int
    zones: tuple[Zone, ...]
    facts: dict[str, Any]
    recalled: list[str]
    moves: list[Move]
    menu: str
    considered: list[CoachMove]
    deals: int
    reason: str
    links: dict[str, str]


class CoachAnswer(Struct, kw_only=True):
    """The verdict on an answer: good; chosen (you did just that); better than that, but not the
    best; worse, or no better; or unknown (not studied closely, so it does not count as good).
    """

    format: str = "kaboom coach answer"
    version: int = VERSION
    kind: str
    right: bool
    text: str
    links: dict[str, str]
