"""The order of a player's hand: by suit or rank, high cards left or right, trumps first or last."""

import pytest

from kaboom.engine.toolkit.hand_order import in_players_order
from kaboom.engine.toolkit.tricks import plain_ranking
from kaboom.engine.views import EMPTY, OPEN, Saying, View, Zone
from kaboom.games.koth.cards import trump_ranking

HEARTS = plain_ranking("H")
TWO_OF_SPADES = trump_ranking("2", "S")


def laid(cards, *how, ranking=None, viewer=0):
    """Return the cards of a seat's hand in that order, identified by the places in its moves."""
    view = View(viewer, (Zone.up("hand", 0, cards.split()),), Saying("now"))
    return " ".join(in_players_order(view, *how, ranking).zone("hand", 0).places)


@pytest.mark.parametrize(
    ("cards", "how", "ranking", "expected"),
    [
        ("3C KD AS KS 3H", ("", "right", "last"), None, "3C KD AS KS 3H"),
        ("3C KD AS KS 3H", ("suit", "", ""), None, "KS AS 3H 3C KD"),
        ("3C KD AS KS 3H", ("suit", "right", ""), None, "AS KS 3H 3C KD"),
        ("3C KD AS KS 3H", ("rank", "", ""), None, "KS KD 3H 3C AS"),
        ("3C KD AS KS 3H", ("rank", "right", ""), None, "AS 3H 3C KS KD"),
        ("3C KD AS KS 3H", ("rank", "", ""), HEARTS, "3H AS KS KD 3C"),
        ("3C KD AS KS 3H", ("suit", "", "last"), HEARTS, "AS KS 3C KD 3H"),
        ("7 104 12", ("rank", "", ""), None, "104 12 7"),
        ("7 104 12", ("suit", "right", ""), None, "7 12 104"),
        ("BJ 4C RJ", ("rank", "", ""), None, "RJ BJ 4C"),
        ("4C BJ RJ", ("suit", "right", ""), None, "BJ RJ 4C"),
        ("KH 2H AS 2H BJ", ("suit", "", ""), TWO_OF_SPADES, "BJ 2H 2H AS KH"),
        ("KH 2H 2D 2H 2S AS", ("rank", "right", "last"), TWO_OF_SPADES, "KH AS 2H 2H 2D 2S"),
    ],
)
def test_hand_keeps_the_chosen_order(cards, how, ranking, expected):
    assert laid(cards, *how, ranking=ranking) == expected


@pytest.mark.parametrize("viewer", [None, 1, OPEN])
def test_other_hands_stay_unchanged(viewer):
    assert laid("3C KD AS", "rank", "", "", viewer=viewer) == "3C KD AS"


def test_an_empty_place_moves_with_its_card():
    hand = Zone("hand", 0, ("3C", EMPTY, "AS"), ("3C", "KD", "AS"))
    zone = in_players_order(View(0, (hand,), Saying("now")), "rank", "", "").zones[0]
    assert (zone.cards, zone.places) == ((EMPTY, "3C", "AS"), ("KD", "3C", "AS"))
