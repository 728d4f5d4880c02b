"""Avatars: as long as the people at a table stay the same, each keeps their colour, wherever they
sit."""

from itertools import permutations

from kaboom.engine.bots.names import CHARACTERS
from kaboom.engine.toolkit.avatars import COLOURS, colours


def test_avatar_keeps_its_color_when_seats_are_redrawn():
    names = ("Ann", "Robin", "Juma", "Olga", "Chip")
    usual = dict(zip(names, colours(names), strict=True))
    for order in permutations(names):
        assert dict(zip(order, colours(order), strict=True)) == usual


def test_avatars_have_distinct_colors_while_they_last():
    house = tuple(it.name for it in CHARACTERS)
    assert len(set(colours(house[:COLOURS]))) == COLOURS
    assert all(0 <= it < COLOURS for it in colours(house)), "more than there are: some share one"


def test_person_keeps_their_color_beside_bots():
    for person in ("Wanda", "Ann", "Zoe"):
        for bots in permutations(("Robin", "Chip", "Wanja", "Olga"), 2):
            found = colours((*bots, person), ("easy", "hard", ""))
            assert found[-1] == colours((person,))[0]
            assert len(set(found)) == 3
