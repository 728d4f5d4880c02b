"""The results of paired matches between two policies."""

import pytest

from kaboom.engine.bots.duel import Duel, summed


def test_results_are_summed_over_pairs():
    assert summed([(1.0, 1.0), (1.0, 0.0)]) == Duel(2, 3, 0, 1, 0.75, pytest.approx(0.26), 1.0)
    assert summed([(0.5, 0.5)]) == Duel(1, 0, 2, 0, 0.5, 0.5, 0.5)


def test_duel_result_is_printed_with_its_interval():
    text = str(summed([(1.0, 0.5), (1.0, 0.0)]))
    assert text == "62.5% (95%: 38.0% to 87.0%) in 4 matches: won 2, shared 1, lost 1"
