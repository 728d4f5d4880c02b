"""A false statistical claim about strength fails nine times in ten, a true one hardly ever."""

from random import Random

import pytest

from tests.bots.sure import enough, surely_above, surely_below

TRIES = 2000
SPREAD, AHEAD = 0.25, 0.15


def failures(check, mean, bar):
    """Return how many of many tries of a claim about random deals fail."""
    rng, failed = Random(1), 0
    for _ in range(TRIES):
        values = [rng.gauss(mean, SPREAD) for _ in range(enough(SPREAD, AHEAD))]
        try:
            check(values, bar)
        except AssertionError:
            failed += 1
    return failed / TRIES


@pytest.mark.parametrize(("check", "side"), [(surely_above, 1), (surely_below, -1)])
def test_a_wrong_claim_fails_nine_times_in_ten(check, side):
    assert failures(check, 0.4, 0.4) == pytest.approx(0.9, abs=0.03)
    assert failures(check, 0.4 - side * AHEAD, 0.4) == 1


@pytest.mark.parametrize(("check", "side"), [(surely_above, 1), (surely_below, -1)])
def test_a_right_claim_hardly_ever_fails(check, side):
    assert failures(check, 0.4 + side * AHEAD, 0.4) < 0.005


def test_failed_claim_names_its_evidence():
    with pytest.raises(AssertionError, match=r"0\.500 in 2 deals.* the bar is 0\.250"):
        surely_above([0.0, 1.0], 0.25)
