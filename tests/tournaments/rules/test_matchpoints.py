"""Results on shared cards: compared by seat, scaled by Neuberg's formula, exact."""

from fractions import Fraction
from itertools import product

import pytest

from kaboom.tournaments.rules.events import How, SeatResult
from kaboom.tournaments.rules.matchpoints import AVERAGE_PLUS, HALF, board_shares, neuberg, rounded
from kaboom.tournaments.rules.points import WHOLE

# Results of a seat, how many tables there were, and the points each has of 2N - 2, by hand: without
# missing results two for each worse and one for each equal one; else (x + 1)N/m - 1, as published
# by the English Bridge Union (a board of 9 played 8 times: a top is 15 7/8 of 16, a bottom 1/8).
BY_HAND = [
    ([10, 20, 20, 30], 4, "0 3 3 6"),
    ([5, 5, 5], 3, "2 2 2"),
    ([1, 2], 2, "0 2"),
    ([7], 2, "1"),
    ([7], 9, "8"),
    ([10, 20, 20, 30], 5, "1/4 4 4 31/4"),
    ([0, 1, 2, 3, 4, 5, 6, 7], 9, "1/8 19/8 37/8 55/8 73/8 91/8 109/8 127/8"),
    ([-60, 130, 130, 400, 420], 7, "2/5 23/5 23/5 44/5 58/5"),
]


@pytest.mark.parametrize(("scores", "tables", "points"), BY_HAND)
def test_neuberg_formula_gives_the_known_results(scores, tables, points):
    wanted = [Fraction(it) / (2 * tables - 2) for it in points.split()]
    assert neuberg(scores, tables) == wanted


def test_missing_results_scale_the_known_ones():
    """By brute force: where N is a multiple of m, N results are written out and compared."""
    for count, times in product(range(1, 5), range(1, 4)):
        tables = count * times
        if tables < 2:
            continue
        for scores in product(range(3), repeat=count):
            written = list(scores) * times
            for mine, found in zip(scores, neuberg(scores, tables), strict=True):
                worse = sum(it < mine for it in written)
                equal = sum(it == mine for it in written) - 1
                assert found == Fraction(2 * worse + equal, 2 * tables - 2)


def test_seat_averages_one_half_in_any_case():
    for tables, count in product(range(2, 12), range(1, 12)):
        if count <= tables:
            found = neuberg([it * it % 5 for it in range(count)], tables)
            assert sum(found) == Fraction(count, 2)
            assert all(0 <= it <= 1 for it in found)


def seat(entrant, score=None, how=How.PLAYED, place=1):
    return SeatResult(entrant, how, place, score)


def test_entrants_are_compared_within_the_same_seat():
    tables = [
        [seat(1, 30), seat(2, 9, place=2)],
        [seat(3, 20), seat(4, 9, place=2)],
        [seat(5, 10, place=2), seat(6, 50)],
    ]
    assert board_shares(tables, 2) == {
        1: WHOLE, 3: HALF, 5: 0, 2: WHOLE // 4, 4: WHOLE // 4, 6: WHOLE,
    }  # fmt: skip


def test_entrant_without_a_result_is_not_compared():
    """A bot, a leaver, a no-show, a player without an opponent, a match without a result."""
    tables = [
        [seat(1, 30), seat(2, 9), seat(0)],
        [seat(3, 20), seat(4, 9, How.LEFT), seat(0), seat(5, how=How.ABSENT, place=0)],
        [seat(6, how=How.THROUGH)],
        [seat(7), seat(8)],
        [],
    ]
    found = board_shares(tables, 3)
    assert [found[it] for it in (1, 3)] == [WHOLE, 0]
    assert found[2] == HALF  # the only result of that seat at two tables
    assert [found[it] for it in (4, 5, 6, 7, 8)] == [0, 0, AVERAGE_PLUS, HALF, HALF]


def test_organizers_result_is_scored_by_its_places():
    ruled = [seat(1, how=How.RULED), seat(2, how=How.RULED, place=2)]
    found = board_shares([ruled, [seat(3, 5), seat(4, 5)], [seat(5, 6), seat(6, 5)]], 2)
    assert [found[it] for it in (1, 2, 3, 5, 4)] == [WHOLE, 0, 0, WHOLE, HALF]


def test_single_table_is_scored_by_its_places():
    assert board_shares([[seat(1, 5, place=2), seat(2, 9)]], 2) == {1: 0, 2: WHOLE}
    with_left = [[seat(1, 5, place=1), seat(2, 9, How.LEFT)], [seat(3, how=How.THROUGH)]]
    assert board_shares(with_left, 2) == {1: WHOLE, 2: 0, 3: AVERAGE_PLUS}


def test_shares_are_rounded_to_whole_numbers_halves_up():
    assert [rounded(Fraction(it, 2 * WHOLE)) for it in (0, 1, 2, 3)] == [0, 1, 1, 2]
