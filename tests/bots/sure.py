"""Statistical claims about the strength of bots.

The mean of a few deals varies from sample to sample. `surely_above` fails nine times in ten for a
bot that is no better than the bar. `enough(sd, ahead)` returns the number of deals at which a bot
as good as measured fails once in a thousand changes to its deals. Claims that need too many deals
for `make test` are in `make soak` only.
"""

from collections.abc import Sequence
from math import ceil
from statistics import NormalDist

from kaboom.engine.bots.evaluate import NORMAL_95, interval

NINE_IN_TEN = NormalDist().inv_cdf(0.9)
ONCE_IN_A_THOUSAND = NormalDist().inv_cdf(0.999)


def surely_above(values: Sequence[float], bar: float) -> None:
    """Assert that the mean of per-deal values lies above a bar."""
    mean, half = interval(values)
    low = mean - half * NINE_IN_TEN / NORMAL_95
    said = f"{mean:.3f} in {len(values)} deals, so surely {low:.3f} at least; the bar is {bar:.3f}"
    print(said)
    assert low > bar, said


def surely_below(values: Sequence[float], bar: float) -> None:
    """Assert that the mean of per-deal values lies below a bar."""
    surely_above([-value for value in values], -bar)


def enough(spread: float, ahead: float) -> int:
    """Return the number of deals needed for a standard deviation and a margin above the bar."""
    return ceil(((NINE_IN_TEN + ONCE_IN_A_THOUSAND) * spread / ahead) ** 2)
