"""Paired matches between two policies: fair, repeatable, and limited to each seat's view."""

import pytest

from kaboom.engine.bots.duel import RANDOM, Duel, duel, pair, summed
from kaboom.games import GAMES, sample
from tests.engine.sealed_bids import SEALED_BIDS, Options


def test_a_policy_against_itself_wins_exactly_half():
    result = duel(SEALED_BIDS, RANDOM, RANDOM, 20, 2, Options())
    assert (result.rate, result.low, result.high) == (0.5, 0.5, 0.5)
    assert result.won == result.lost


def test_a_pair_is_the_same_match_with_the_seats_swapped():
    one, other = pair(SEALED_BIDS, RANDOM, RANDOM, 7, 2, Options())
    assert one + other == 1


def test_results_are_summed_over_pairs():
    assert summed([(1.0, 1.0), (1.0, 0.0)]) == Duel(2, 3, 0, 1, 0.75, pytest.approx(0.26), 1.0)
    assert summed([(0.5, 0.5)]) == Duel(1, 0, 2, 0, 0.5, 0.5, 0.5)


def test_duel_result_is_printed_with_its_interval():
    text = str(summed([(1.0, 0.5), (1.0, 0.0)]))
    assert text == "62.5% (95%: 38.0% to 87.0%) in 4 matches: won 2, shared 1, lost 1"


@pytest.mark.parametrize("key", [key for key in ("gops", "taken") if key in GAMES])
def test_bots_duel_with_random_players(key):
    game = GAMES[key]
    options = game.options(**sample(key).short)
    assert duel(game, game.bot, RANDOM, 1, game.seats(options)[0], options).pairs == 1
