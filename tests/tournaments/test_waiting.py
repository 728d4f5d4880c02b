"""Tournaments that wait for other tables do not hold up any other."""

from kaboom.tournaments import organizer, scheduler
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.rules.events import Format
from kaboom.tournaments.scheduler import direct_all
from tests.support.tournaments import all_ready, end, opened, pods, settled


def begun(tables, number, **more):
    """Open a tournament of four and make all ready; return its code."""
    names = [f"{name} {number}" for name in ("Ann", "Ben", "Cat", "Dan")]
    code, ids = opened(tables, *names, format=Format.SWISS, rounds=1, **more)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    all_ready(tables, code)
    settled(tables, code)
    return code


def test_waiting_for_the_last_table_blocks_no_other_result(tables, monkeypatch):
    """It opens as many of them as a scheduler reads in a row: two here, twenty on a server."""
    monkeypatch.setattr(scheduler, "AT_ONCE", 2)
    waiting = [begun(tables, number, duplicate=True) for number in (1, 2)]
    others = [begun(tables, number) for number in (3, 4)]
    for code in (*waiting, *others):  # with shared cards no result is shown before all have played
        ((_, one, _), (_, two, _)) = pods(tables, code)
        end(tables, one)
        if code in others:
            end(tables, two)
    for _ in range(3):
        direct_all(tables)
    assert [get_tournament(tables, code).of.over for code in others] == [True, True]
    for code in waiting:
        end(tables, pods(tables, code)[1][1])
    for _ in range(3):
        direct_all(tables)
    assert all(get_tournament(tables, code).of.over for code in waiting)
