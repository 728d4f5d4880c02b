"""The sentence at the end of a match."""

import pytest

from kaboom.engine.outcome_text import how, place_of, title
from kaboom.engine.texts import Names
from kaboom.engine.views import Outcome

ANN, BEN, CID = range(3)


def names(me=None):
    return Names(("Ann", "Ben", "Cid"), me)


@pytest.mark.parametrize(("me", "said"), [(ANN, "Ben wins"), (BEN, "You win!"), (None, "Ben wins")])
def test_single_winner_is_named(me, said):
    assert title(Outcome((3, 9, 5), (3, 1, 2)), names(me)) == said


@pytest.mark.parametrize(
    ("me", "said"),
    [
        (ANN, "You and Cid win together"),
        (CID, "You and Ann win together"),
        (BEN, "Ann and Cid win together"),
        (None, "Ann and Cid win together"),
    ],
)
def test_reader_comes_first_among_two_winners(me, said):
    assert title(Outcome((9, 1, 9), (1, 3, 1)), names(me)) == said


def test_match_in_which_all_tie_names_nobody():
    assert title(Outcome((9, 9, 9), (1, 1, 1)), names(ANN)) == "A tie"


@pytest.mark.parametrize("reason", ["abandoned", "deck_exhausted"])
def test_unfinished_match_has_no_winner(reason):
    ended = Outcome((0, 0, 0), (1, 1, 1), reason)
    assert title(ended, names(ANN)) == "No winner"
    assert how(ended, names(ANN))


@pytest.mark.parametrize(
    ("scores", "places", "said"),
    [
        ((30, 41, 12), (2, 1, 3), "41 points, 11 more than you."),
        ((30, 21, 52), (2, 1, 3), "21 points, 9 fewer than you."),
        ((52, 1, 30), (3, 1, 2), "1 point, 29 fewer than Cid."),
        ((9, 1, 9), (1, 3, 1), "9 points each."),
        ((9, 9, 9), (1, 1, 1), "9 points each."),
        ((5, 5, 9), (2, 1, 3), "5 points."),  # the other player had left
    ],
)
def test_win_by_points_is_stated(scores, places, said):
    assert how(Outcome(scores, places), names(ANN)) == said
    if places.count(1) > 1:
        assert how(Outcome(scores, places, "draw"), names(ANN)) == said


def test_win_by_another_count_is_stated():
    ended = Outcome((7, 9, 8), (3, 1, 2))
    assert how(ended, names(CID), ["Rank 7", "Rank 9", "Rank 8"]) == (
        "Rank 9, ahead of you (Rank 8)."
    )


def test_forfeit_is_named():
    assert how(Outcome((3, 9, 5), (3, 1, 2), "forfeit"), names()) == "Won by forfeit."


def test_shared_place_is_called_shared():
    counted = ["2 cards", "0 cards", "2 cards"]
    said = "Place 2 of 3, shared: 2 cards."
    assert place_of(ANN, Outcome((0, 1, 0), (2, 1, 2)), names(ANN), counted) == said
    unshared = Outcome((1, 2, 0), (2, 1, 3))
    assert place_of(ANN, unshared, names(ANN), counted) == "Place 2 of 3: 2 cards."
