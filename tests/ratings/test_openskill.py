"""Ratings: a reference's test vectors, an independent implementation, and invariants."""

import math
from decimal import Context, Decimal, getcontext, setcontext
from itertools import pairwise, product

import pytest

from kaboom.ratings.openskill import (
    MU,
    SIGMA,
    Rating,
    after_days,
    is_provisional,
    rated,
)

NONE = Decimal(0)


def by_floats(before, places, weight, tau):
    """Return the same by float arithmetic, from the paper's algorithm 1."""
    beta = 25 / 6
    found = []
    for i, (mu, sigma) in enumerate(before):
        mu, own = mu / 1000, (sigma / 1000) ** 2 + tau**2
        omega = delta = 0.0
        for q, (mu_q, sigma_q) in enumerate(before):
            if q == i:
                continue
            c = math.sqrt(own + (sigma_q / 1000) ** 2 + tau**2 + 2 * beta**2)
            p = 1 / (1 + math.exp((mu_q / 1000 - mu) / c))
            s = 1.0 if places[i] < places[q] else 0.5 if places[i] == places[q] else 0.0
            omega += own / c * (s - p)
            delta += math.sqrt(own) / c * own / c**2 * p * (1 - p)
        found.append((mu + weight * omega, math.sqrt(own * max(0.0001, 1 - weight * delta))))
    return found


# Answers of openskill.py's BradleyTerryFull (its own tests, version 1): free for all, new players,
# tau 0, each pair with weight 1.
KNOWN = {
    2: [(27.63523138347365, 8.065506316323548), (22.36476861652635, 8.065506316323548)],
    3: [(30.2704627669473, 7.788474807872566), (25.0, 7.788474807872566)],
    4: [(32.90569415042095, 7.5012190693964005), (27.63523138347365, 7.5012190693964005)],
    5: [(35.5409255338946, 7.202515895247076), (30.2704627669473, 7.202515895247076)],
}


@pytest.mark.parametrize("seats", KNOWN)
def test_float_reference_gives_known_answers(seats):
    new = [(25_000, 25_000 / 3)] * seats
    found = by_floats(new, list(range(1, seats + 1)), 1.0, 0.0)
    for (mu, sigma), (known_mu, known_sigma) in zip(found, KNOWN[seats], strict=False):
        assert (mu, sigma) == (pytest.approx(known_mu), pytest.approx(known_sigma))
    ours = rated([Rating()] * 2, (1, 2), tau=NONE)
    assert ours == [Rating(27_635, 8_065), Rating(22_365, 8_065)]


def test_float_reference_gives_known_answers_with_ties():
    """Three matches with ties among five players, from its own tests."""
    state = dict.fromkeys(range(5), (25000.0, 25000 / 3))

    def match(names, places):
        found = by_floats([state[name] for name in names], places, 1.0, 0.0)
        for name, (mu, sigma) in zip(names, found, strict=True):
            state[name] = (mu * 1000, sigma * 1000)

    match([0, 1, 2, 3, 4], [1, 2, 2, 4, 4])
    match([4, 2, 1], [1, 2, 2])
    match([3, 1, 2, 0], [1, 1, 3, 3])
    expected = [
        (27.643471362, 6.716636758),
        (28.84497938, 6.310098392),
        (20.705805441, 6.310098392),
        (24.387640207, 6.668755907),
        (23.354955778, 6.854096855),
    ]
    for name, (mu, sigma) in enumerate(expected):
        assert state[name] == (pytest.approx(mu * 1000), pytest.approx(sigma * 1000))


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 10])
def test_our_arithmetic_equals_the_second_implementation(seats):
    before = [Rating(MU + 700 * seat, SIGMA - 611 * seat) for seat in range(seats)]
    for shift, nth in product(range(seats), (1, 4, 5, 9)):
        places = [1 + (seat * 2 + shift) % seats // 2 for seat in range(seats)]
        weight = 2 / seats / (nth if nth > 4 else 1)
        expected = by_floats(before, places, weight, 1 / 12)
        for ours, (mu, sigma) in zip(rated(before, places, nth), expected, strict=True):
            assert abs(ours.mu - mu * 1000) < 0.51
            assert abs(ours.sigma - sigma * 1000) < 0.51


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 8, 10])
def test_lower_place_never_gains_more_and_full_tie_is_neutral(seats):
    new = [Rating()] * seats
    for cut in range(1, seats + 1):
        places = [1 if seat < cut else seat + 1 for seat in range(seats)]
        moved = rated(new, places)
        gains = sorted(zip(places, (it.mu for it in moved), strict=True))
        assert all(a[1] >= b[1] for a, b in pairwise(gains))
        assert abs(sum(it.mu - MU for it in moved)) <= seats  # one player's gain is another's loss
    assert {it.mu for it in rated(new, [1] * seats)} == {MU}


def test_repeated_matches_change_ratings_less_and_less():
    steps = [rated([Rating()] * 2, (1, 2), nth)[0].mu - MU for nth in range(1, 12)]
    assert steps[0] == steps[3]
    assert all(later < earlier for earlier, later in pairwise(steps[3:]))
    assert steps[9] == pytest.approx(steps[0] / 10, abs=1)


def test_inactive_player_only_becomes_uncertain_again():
    known = Rating(30_000, 2_000)
    assert after_days(known, 0) == known
    sigmas = [after_days(known, days).sigma for days in (1, 30, 365, 730, 5000)]
    assert sigmas == sorted(sigmas) and sigmas[-1] == SIGMA
    assert {after_days(known, days).mu for days in (1, 730, 5000)} == {30_000}
    assert after_days(known, -3) == known  # a clock that was set back


def test_rating_has_points_a_spread_and_may_be_provisional():
    assert (Rating().points, Rating().spread) == (1000, 333)
    assert Rating(30_000, 2_000).points == 1960
    assert is_provisional(Rating(30_000, 2_000), 9)
    assert is_provisional(Rating(30_000, 5_001), 50)
    assert not is_provisional(Rating(30_000, 5_000), 10)


def test_digits_are_independent_of_the_threads_decimal_context():
    expected = rated([Rating(), Rating(31_000, 3_000), Rating(20_000, 7_000)], (2, 1, 2))
    kept = getcontext()
    try:
        setcontext(Context(prec=6))
        again = rated([Rating(), Rating(31_000, 3_000), Rating(20_000, 7_000)], (2, 1, 2))
    finally:
        setcontext(kept)
    assert again == expected
