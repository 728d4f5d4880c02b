"""Faces: of the same people each keeps its colour, wherever they sit."""

from itertools import permutations

from kaboom.engine.bots.names import CHARACTERS
from kaboom.engine.table_view import COLOURS, colours


def test_a_face_keeps_its_colour_when_the_seats_are_drawn_anew():
    names = ("Ann", "Robin", "Juma", "Olga", "Chip")
    usual = dict(zip(names, colours(names), strict=True))
    for order in permutations(names):
        assert dict(zip(order, colours(order), strict=True)) == usual


def test_no_two_faces_share_a_colour_while_there_are_enough():
    house = tuple(it.name for it in CHARACTERS)
    assert len(set(colours(house[:COLOURS]))) == COLOURS
    assert all(0 <= it < COLOURS for it in colours(house)), "more than there are: some share one"
