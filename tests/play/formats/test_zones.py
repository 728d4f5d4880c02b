"""Zones in text: what is short stands side by side, and nobody's cards beside another's."""

from kaboom.engine.table_view import Settings, TablePage
from kaboom.engine.texts import Names
from kaboom.engine.views import Saying, View, Zone
from kaboom.play.text import _zones
from tests.engine.sealed_bids import SEALED_BIDS, Options


def lines(*zones):
    names, view = Names(("Ann", "Ben"), 0), View(0, zones, Saying("bidding"))
    page = TablePage(
        "CODE", "/t/CODE", SEALED_BIDS, Options(), "1", (), names, Settings(), me=0, view=view
    )
    return list(_zones(page, words=False))


def test_the_rows_of_a_grid_stand_beside_each_other_each_player_on_a_line():
    grids = [Zone(row, seat, ("?", "9C")) for seat in range(2) for row in ("upper", "lower")]
    assert lines(Zone("stock", None, ("?",)), *grids) == [
        "Stock: ?",
        "Upper, yours: ? 9C  Lower, yours: ? 9C",
        "Upper, Ben: ? 9C  Lower, Ben: ? 9C",
    ]


def test_the_same_before_each_player_stands_on_one_line():
    assert lines(*(Zone("played", seat, (card,)) for seat, card in enumerate(("KS", "2C")))) == [
        "Played, yours: KS  Played, Ben: 2C"
    ]


def test_what_is_long_has_a_line_of_its_own():
    long = Zone("hand", 0, ("2C", "3C", "4C", "5C", "6C"))
    assert lines(long, Zone("won", 0, ("KS",))) == ["Hand, yours: 2C 3C 4C 5C 6C", "Won, yours: KS"]
