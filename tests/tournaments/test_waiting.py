"""Tournaments that wait for other tables keep no other tournament from going on."""

import pytest

from kaboom.tournaments import organizer
from kaboom.tournaments import scheduler as director
from kaboom.tournaments.changes import look
from kaboom.tournaments.rules.events import Format
from kaboom.tournaments.scheduler import direct_all
from tests.support.tournaments import all_ready, end, opened, pods, settled


@pytest.fixture
def tables(open_tables, store_url):
    return open_tables(store_url)


def begun(tables, number, **more):
    """Open a tournament of four and let them be ready; return its code."""
    names = [f"{name} {number}" for name in ("Ann", "Ben", "Cat", "Dan")]
    code, ids = opened(tables, *names, format=Format.SWISS, rounds=1, **more)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    all_ready(tables, code)
    settled(tables, code)
    return code


def test_those_whose_results_wait_for_the_last_table_stop_no_other(tables, monkeypatch):
    """As many of them as a director looks at in a row: two here, twenty at a server."""
    monkeypatch.setattr(director, "AT_ONCE", 2)
    waiting = [begun(tables, number, duplicate=True) for number in (1, 2)]
    others = [begun(tables, number) for number in (3, 4)]
    for code in (*waiting, *others):  # of the same cards nothing is told before all have played
        ((_, one, _), (_, two, _)) = pods(tables, code)
        end(tables, one)
        if code in others:
            end(tables, two)
    for _ in range(3):
        direct_all(tables)
    assert [look(tables, code).of.over for code in others] == [True, True]
    for code in waiting:
        end(tables, pods(tables, code)[1][1])
    for _ in range(3):
        direct_all(tables)
    assert all(look(tables, code).of.over for code in waiting)
