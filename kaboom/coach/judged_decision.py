"""The stored form of a judged decision, and the verdict on an answer. Pure data."""

from collections.abc import Sequence
from math import fsum

from msgspec import Struct

from kaboom.engine.moves import Move
from kaboom.engine.views import Saying

CLOSELY = 8  # maximum number of decisions played out per match


class Weighed(Struct):
    """A candidate move.

    `first` is the bot's first estimate, in the bot's own unit. `less` is the measured loss against
    the best move, with the 99% confidence interval `low` to `high`. It is None if the move was not
    played out. The loss of a mistake is measured in separate deals, which did not select it.
    """

    move: str  # in log notation: "0 bid 9S"
    first: float | None = None
    less: float | None = None
    low: float = 0.0
    high: float = 0.0

    @property
    def sure(self) -> bool:
        """Return True if the move was played out and is certainly worse than the best one."""
        return self.less is not None and self.low > 0

    @property
    def equal(self) -> bool:
        """Return True if the move was played out and may be as good as the best one."""
        return self.less is not None and self.low <= 0


class Judged(Struct):
    """A decision with its candidate moves, best first.

    `first` is the cost estimated at first glance. The costliest decisions by that estimate are
    played out in `deals` random deals consistent with what the seat knew; for a mistake, `deals`
    counts those in which its cost was measured. `reason` is the bot's reason for the best move, as
    a `Saying`.
    """

    step: int
    before: int
    move: str
    first: float
    moves: list[Weighed]
    deals: int = 0
    reason: Saying | None = None
    about: str = ""  # the `about` of the move's offer, for its wording
    least: float = 0.0  # the least loss that counts, in the game's unit

    @property
    def own(self) -> Weighed | None:
        """Return the candidate for the move that was made, or None if that move was not
        considered.
        """
        return next((it for it in self.moves if it.move == self.move), None)

    @property
    def is_mistake(self) -> bool:
        """Return True if the confidence interval of the decision's cost is above zero, the cost is
        worth mentioning, and the bot’s first estimate does not contradict it.
        """
        own = self.own
        if not self.deals or own is None or own.less is None:
            return False
        best, mine = self.moves[0].first, own.first
        agrees = best is None or mine is None or best >= mine
        return own.sure and own.less >= self.least and agrees

    @property
    def cost(self) -> float:
        """Return the cost of a mistake in the game's unit, or 0."""
        own = self.own
        return own.less if self.is_mistake and own and own.less is not None else 0.0


GOOD, CHOSEN, BETTER, WORSE, UNKNOWN = "good", "chosen", "better", "worse", "unknown"


def kind_of(judged: Judged, move: Move, same: Sequence[str]) -> str:
    """Return the verdict on an answer: GOOD, CHOSEN, BETTER, WORSE or UNKNOWN.

    `same` lists the moves with the same effect as the answer. An answer is GOOD if it may be as
    good as the best move and is no worse than the move made.
    """
    found = next((it for it in judged.moves if it.move in same), None)
    own = judged.own
    if judged.move in same:
        return CHOSEN if judged.is_mistake else GOOD
    if found is None or found.less is None:
        return UNKNOWN
    mine = own.less if own and own.less is not None else 0.0
    if found.equal and found.less <= mine:
        return GOOD
    return BETTER if found.less < mine and found.high < mine else WORSE


def closely(all_judged: Sequence[Judged]) -> list[int]:
    """Return the indexes of the decisions to play out, those that cost most at first glance, in
    descending order.
    """
    wanted = [place for place, it in enumerate(all_judged) if it.first > 0]
    wanted.sort(key=lambda place: (-all_judged[place].first, place))
    return wanted[:CLOSELY]


def average(all_judged: Sequence[Judged]) -> float | None:
    """Return the mean cost of the decisions, or None if there are none."""
    if not all_judged:
        return None
    return fsum(it.cost for it in all_judged) / len(all_judged)
