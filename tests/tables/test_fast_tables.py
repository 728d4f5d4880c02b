"""Tables that move automatically faster than a page needs to follow."""

import pytest
from msgspec import Raw

from kaboom.tables.clock.timers import flows
from kaboom.tables.table import Table, Timer


@pytest.mark.parametrize(
    ("timers", "expected"),
    [
        ({}, False),
        ({"deal 7": 0.3}, True),
        ({"deal 7": 0.05}, True),
        ({"deal 7": 0.5}, False),
        ({"lapse 7": 10}, False),
        ({"lapse 7.2": 0}, False),  # decided for a player who left: a fast move
        ({"bot 1 abc": 0.1}, False),
        ({"lapse 7": 10, "deal 7": 0.3}, True),
        ({"pass 7": 0.3}, False),  # a deadline, however short
    ],
)
def test_only_quick_automatic_steps_are_merged(timers, expected):
    table = Table(chairs=[], options=Raw(b"{}"), host=1)
    table.timers = {
        text: Timer(given, decision="pass" in text, due=1000.0) for text, given in timers.items()
    }
    assert flows(table, 0.34) is expected
