"""Duels: one bot against another in paired matches, with the same deals and seats swapped."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kaboom.engine.bots.bot import Bot, Level
from kaboom.engine.bots.evaluate import Player, interval, played, share_of
from kaboom.engine.game import Game

RANDOM = None  # the policy that makes random legal moves, all equally likely
Policy = Bot[Any] | None


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


def duel(
    game: Game[Any], first: Policy, second: Policy, pairs: int, seats: int, options: Any
) -> Duel:
    """Return the results of `first` against `second`. The two policies alternate seats."""
    results = [pair(game, first, second, number, seats, options) for number in range(pairs)]
    return summed(results)


def pair(
    game: Game[Any], first: Policy, second: Policy, number: int, seats: int, options: Any
) -> tuple[float, float]:
    """Return the first policy's shares of the win in two matches with the same seed but the seats
    swapped.
    """
    seed = number.to_bytes(32, "big")
    shares = []
    for swap in (0, 1):
        own = [seat for seat in range(seats) if seat % 2 == swap]
        ways = [first if seat in own else second for seat in range(seats)]
        players = [Player(way, Level.NORMAL) for way in ways]
        shares.append(share_of(played(game, players, options, seed), own))
    return shares[0], shares[1]


def summed(results: Sequence[tuple[float, float]]) -> Duel:
    """Return the total of the results of all pairs."""
    means = [(one + other) / 2 for one, other in results]
    rate, margin = interval(means)
    each = [share for result in results for share in result]
    won, lost = each.count(1.0), each.count(0.0)
    shared = len(each) - won - lost
    low, high = max(0.0, rate - margin), min(1.0, rate + margin)
    return Duel(len(means), won, shared, lost, rate, low, high)
