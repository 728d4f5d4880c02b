"""Ratings: estimates of how well players play, from their places in matches.

After Weng and Lin, A Bayesian Approximation Method for Online Ranking (JMLR 12, 2011), with their
Bradley–Terry model over all pairs; a tie counts half. In a match of k players, each pair has the
weight 2/k. Otherwise, a match of ten would change every rating as much as nine matches. A rating is
two whole numbers, thousandths of a point: how well a player plays (mu), and how uncertain that is
(sigma). Everything is computed in decimals of a fixed precision and rounded after each match, so
every machine gets the same digits.
"""

from collections.abc import Sequence
from decimal import Context, Decimal, localcontext
from typing import NamedTuple

EXACT = Context(prec=34)
MU, SIGMA = 25_000, 8_333  # a player about whom nothing is known
BETA = Decimal("4166.667")  # the influence of chance on one match
TAU = Decimal("83.333")  # how much any player's skill changes from match to match
LEAST = Decimal("0.0001")  # the smallest factor by which a match may multiply sigma²
FORGOTTEN = 730  # days without a match after which sigma is again that of a new player

ENOUGH = 10  # matches before which a rating is provisional
SURE = 5_000  # … and as long as sigma is above this
OFTEN = 5  # from this match of the same people on, each weighs less than the one before


class Rating(NamedTuple):
    """A player's skill (mu) and its uncertainty (sigma), in thousandths of a point."""

    mu: int = MU
    sigma: int = SIGMA

    @property
    def points(self) -> int:
        """Return the displayed rating: a lower bound of the player's skill, 1000 at first."""
        return 1000 + (self.mu - 3 * self.sigma) // 25

    @property
    def spread(self) -> int:
        """Return the uncertainty of the displayed rating."""
        return self.sigma // 25


def is_provisional(rating: Rating, played: int) -> bool:
    """Return True if the rating is still too uncertain for comparisons."""
    return played < ENOUGH or rating.sigma > SURE


def after_days(rating: Rating, days: int) -> Rating:
    """Return a rating this many days after its last match, with more uncertainty."""
    with localcontext(EXACT):
        unknown = Decimal(SIGMA) ** 2
        grown = Decimal(rating.sigma) ** 2 + unknown * max(0, days) / FORGOTTEN
        return Rating(rating.mu, _whole(min(unknown, grown).sqrt()))


def rated(
    before: Sequence[Rating], places: Sequence[int], nth: int = 1, tau: Decimal = TAU
) -> list[Rating]:
    """Return every player's rating after a match, from the ratings before it and the places (1 is
    first).

    `nth` is the number of matches that these same people have played lately, including this one;
    from the fifth on, it weighs 1/nth, so that no player gains by playing the same friends again
    and again.
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
