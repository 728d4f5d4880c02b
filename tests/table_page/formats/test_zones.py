"""Zones in text: short ones are side by side, and no player's cards beside another's."""

from kaboom.engine.table_view import Settings, TablePage
from kaboom.engine.texts import Names
from kaboom.engine.views import Saying, View, Zone
from kaboom.table_page.text import zone_lines
from tests.engine.sealed_bids import SEALED_BIDS, Options


def lines(*zones):
    names, view = Names(("Ann", "Ben"), 0), View(0, zones, Saying("bidding"))
    page = TablePage(
        "CODE", "/t/CODE", SEALED_BIDS, Options(), "1", (), names, Settings(), me=0, view=view
    )
    return list(zone_lines(page, words=False))


def test_grid_rows_are_side_by_side_on_one_line_per_player():
    grids = [Zone(row, seat, ("?", "9C")) for seat in range(2) for row in ("upper", "lower")]
    assert lines(Zone("stock", None, ("?",)), *grids) == [
        "Stock: ?",
        "Upper, yours: ? 9C  Lower, yours: ? 9C",
        "Upper, Ben: ? 9C  Lower, Ben: ? 9C",
    ]


def test_shared_prefix_of_players_is_printed_once():
    assert lines(*(Zone("played", seat, (card,)) for seat, card in enumerate(("KS", "2C")))) == [
        "Played, yours: KS  Played, Ben: 2C"
    ]


def test_long_value_has_its_own_line():
    long = Zone("hand", 0, ("2C", "3C", "4C", "5C", "6C"))
    assert lines(long, Zone("won", 0, ("KS",))) == ["Hand, yours: 2C 3C 4C 5C 6C", "Won, yours: KS"]
