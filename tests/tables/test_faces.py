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
