"""The results of a duel: two policies in paired matches, with the same deals and seats swapped."""

from collections.abc import Sequence
from dataclasses import dataclass

from kaboom.engine.bots.evaluate import interval


@dataclass(frozen=True, slots=True)
class Duel:
    """The results of the first policy in `pairs` pairs of matches.

    `won`, `shared` and `lost` count the matches that its seats won alone, that both policies
    shared, and that the other policy's seats won alone. `rate` is its mean share of the win, 0.5
    between equals; `low` to `high` is the 95% confidence interval. The independent samples are the
    pairs, not their matches.
    """

    pairs: int
    won: int
    shared: int
    lost: int
    rate: float
    low: float
    high: float

    def __str__(self) -> str:
        return (
            f"{self.rate:.1%} (95%: {self.low:.1%} to {self.high:.1%})"
            f" in {2 * self.pairs} matches: won {self.won}, shared {self.shared}, lost {self.lost}"
        )


def summed(results: Sequence[tuple[float, float]]) -> Duel:
    """Return the total of the results of all pairs: the first policy's shares of the win in both
    matches.
    """
    means = [(one + other) / 2 for one, other in results]
    rate, margin = interval(means)
    each = [share for result in results for share in result]
    won, lost = each.count(1.0), each.count(0.0)
    shared = len(each) - won - lost
    low, high = max(0.0, rate - margin), min(1.0, rate + margin)
    return Duel(len(means), won, shared, lost, rate, low, high)
