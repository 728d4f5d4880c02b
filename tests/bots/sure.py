"""Claims about how strong bots are, as sure as they sound.

A mean of some deals says little by itself: the next ones say something else. `surely_above` holds
where a bot that is truly no better than the bar would fail nine times in ten. That takes enough
deals: `enough(sd, ahead)` says how many, so that a bot as good as was measured fails once in a
thousand changes that deal it other cards. What would take too many at the gate is in `make soak`
alone.
"""

from collections.abc import Sequence
from math import ceil
from statistics import NormalDist

from kaboom.engine.bots.evaluate import NORMAL_95, interval

NINE_IN_TEN = NormalDist().inv_cdf(0.9)
ONCE_IN_A_THOUSAND = NormalDist().inv_cdf(0.999)


def surely_above(values: Sequence[float], bar: float) -> None:
    """Check that values, one for each deal, lie above a bar in the mean."""
    mean, half = interval(values)
    low = mean - half * NINE_IN_TEN / NORMAL_95
    said = f"{mean:.3f} in {len(values)} deals, so surely {low:.3f} at least; the bar is {bar:.3f}"
    print(said)
    assert low > bar, said


def surely_below(values: Sequence[float], bar: float) -> None:
    """Check that values, one for each deal, lie below a bar in the mean."""
    surely_above([-value for value in values], -bar)


def enough(spread: float, ahead: float) -> int:
    """Return how many deals are needed where values spread so (standard deviation) and their true
    mean lies so far above the bar.
    """
    return ceil(((NINE_IN_TEN + ONCE_IN_A_THOUSAND) * spread / ahead) ** 2)
