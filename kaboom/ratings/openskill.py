"""Ratings: what the places of a match say about how well those at the table play.

After Weng and Lin, A Bayesian Approximation Method for Online Ranking (JMLR 12, 2011), by their
Bradley–Terry model over all pairs, a tie counting half. In a match of k each pair weighs 2/k, or a
match of ten would move everybody by nine at once. A rating is two whole numbers, thousandths of a
point: how well somebody plays (mu), and how uncertain that is (sigma). All is computed in decimals
of a fixed length and rounded after each match, so every machine comes to the same digits.
"""

from collections.abc import Sequence
from decimal import Context, Decimal, localcontext
from typing import NamedTuple

EXACT = Context(prec=34)
MU, SIGMA = 25_000, 8_333  # of somebody of whom nothing is known
BETA = Decimal("4166.667")  # how much chance there is in one match
TAU = Decimal("83.333")  # how much anybody changes from match to match
LEAST = Decimal("0.0001")  # of sigma², so much is left of one at least
FORGOTTEN = 730  # days without a match after which nothing is known again

ENOUGH = 10  # matches before which a rating is provisional
SURE = 5_000  # … and as long as sigma is above this
OFTEN = 5  # from this match of the same people on it weighs less and less


class Rating(NamedTuple):
    """How well somebody plays, and how uncertain that is; thousandths of a point."""

    mu: int = MU
    sigma: int = SIGMA

    @property
    def points(self) -> int:
        """Return the number people read: what somebody plays at least, 1000 at first."""
        return 1000 + (self.mu - 3 * self.sigma) // 25

    @property
    def spread(self) -> int:
        """Return by how much that number may be wrong, as people read it."""
        return self.sigma // 25


def is_provisional(rating: Rating, played: int) -> bool:
    """Say whether too little is known to compare somebody with others."""
    return played < ENOUGH or rating.sigma > SURE


def after_days(rating: Rating, days: int) -> Rating:
    """Return a rating so many days after its last match: less certain, down to nothing known."""
    with localcontext(EXACT):
        unknown = Decimal(SIGMA) ** 2
        grown = Decimal(rating.sigma) ** 2 + unknown * max(0, days) / FORGOTTEN
        return Rating(rating.mu, _whole(min(unknown, grown).sqrt()))


def rated(
    before: Sequence[Rating], places: Sequence[int], nth: int = 1, tau: Decimal = TAU
) -> list[Rating]:
    """Return everybody's rating after a match from those before it and the places (1 is first).

    `nth`: how many matches these very people have had lately, this one too; from the fifth on it
    weighs 1/nth, so that nobody gains by playing the same friends again and again.
    """
    with localcontext(EXACT):
        weight = Decimal(2) / (len(before) * (nth if nth >= OFTEN else 1))
        return [_moved(before, places, seat, weight, tau) for seat in range(len(before))]


def _moved(
    before: Sequence[Rating], places: Sequence[int], seat: int, weight: Decimal, tau: Decimal
) -> Rating:
    """Return the rating of one seat after a match."""
    variances = [Decimal(it.sigma) ** 2 + tau**2 for it in before]
    own = variances[seat]
    gain = loss = Decimal(0)
    for other, rating in enumerate(before):
        if other == seat:
            continue
        spread = (own + variances[other] + 2 * BETA**2).sqrt()
        expected = 1 / (1 + ((rating.mu - before[seat].mu) / spread).exp())
        won = Decimal(2 * (places[seat] < places[other]) + (places[seat] == places[other])) / 2
        gain += own / spread * (won - expected)
        loss += own.sqrt() / spread * (own / spread**2) * expected * (1 - expected)
    left = max(LEAST, 1 - weight * loss)
    return Rating(_whole(before[seat].mu + weight * gain), max(1, _whole((own * left).sqrt())))


def _whole(number: Decimal) -> int:
    return int(number.to_integral_value())
