"""Places at the end of a match."""

from kaboom.engine.views import Outcome, outcome_of, places


def test_equal_scores_share_a_place():
    assert places([5, 9, 5, 2]) == (2, 1, 2, 4)
    assert places([5, 9, 5, 2], lowest_wins=True) == (2, 4, 2, 1)


def test_absent_player_is_never_first():
    assert places([5, 9, 4], absent=[1]) == (1, 2, 3)
    assert places([5, 9, 4], lowest_wins=True, absent=[2]) == (1, 3, 2)


def test_absent_seat_ranks_behind_a_present_one_on_a_tie():
    assert places([9, 5, 5, 5], absent=[2]) == (1, 2, 4, 2)


def test_scores_alone_rank_if_all_are_absent():
    assert places([5, 9], absent=[0, 1]) == (2, 1)


def test_scores_alone_rank_if_no_player_is_left():
    assert places((3, 5), absent=(0, 1)) == (2, 1)
    assert places((3, 5), lowest_wins=True, absent=(0, 1)) == (1, 2)


def test_outcome_of_scores_is_a_win_a_draw_or_abandoned():
    assert outcome_of((3, 9, 5)) == Outcome((3, 9, 5), (3, 1, 2), "won")
    assert outcome_of((3, 9, 3), lowest_wins=True) == Outcome((3, 9, 3), (1, 3, 1), "draw")
    assert outcome_of((3, 9, 5), absent=[0, 1]).reason == "abandoned"
    assert outcome_of((3, 9, 5), absent=[1]).winners == (2,)
