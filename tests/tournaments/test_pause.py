"""A pause holds all that has not begun; after it everybody has the time they would have had."""

from functools import partial

import pytest

from kaboom.errors import InvalidState
from kaboom.lobby import service as seating
from kaboom.tournaments import organizer
from kaboom.tournaments import service as commands
from kaboom.tournaments.changes import GRACE, look
from kaboom.tournaments.rules.events import Format, Ruling, Verb
from kaboom.tournaments.scheduler import direct_all
from tests.support import tournaments
from tests.support.tournaments import FOUR, all_ready, ended, opened, pods, settled


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


begun = partial(tournaments.begun, format=Format.SWISS)


def paused(tables, code, host):
    organizer.rule(tables, code, host, Ruling(Verb.PAUSE))
    return settled(tables, code)


def undone(tables, code, host):
    """Undo the last ruling; let the director do what is due."""
    last = max(look(tables, code).of.rulings)
    organizer.rule(tables, code, host, Ruling(Verb.UNDO, undone=last))
    return settled(tables, code)


def absent(seen):
    return [number for number, it in seen.of.entrants.items() if it.paused]


@pytest.mark.parametrize("duplicate", [False, True])
def test_nobody_is_absent_from_a_table_that_a_pause_holds(tables, watch, duplicate):
    code, ids = begun(tables, duplicate=duplicate)
    paused(tables, code, ids[0])
    watch.sleep(3600)
    direct_all(tables)
    assert absent(settled(tables, code)) == []
    undone(tables, code, ids[0])
    watch.sleep(GRACE - 1)
    direct_all(tables)
    assert absent(look(tables, code)) == [], "there is as much time as at the start"
    watch.sleep(1)
    direct_all(tables)
    assert len(absent(look(tables, code))) == 4


def test_a_table_at_which_all_are_ready_begins_when_the_pause_is_over(tables):
    code, ids = begun(tables)
    paused(tables, code, ids[0])
    (_, table, _), _ = pods(tables, code)
    first, second = (chair.player for _, chair in tables.look(table).table.sitting())
    seating.ready(tables, table, first)
    with pytest.raises(InvalidState, match="paused"):
        seating.ready(tables, table, second)
    assert not tables.look(table).table.playing
    undone(tables, code, ids[0])
    seating.ready(tables, table, second)
    assert tables.look(table).table.playing


def test_a_pause_holds_the_check_in_and_all_have_what_was_left_of_it(tables, watch):
    code, ids = opened(tables, *FOUR, check_in=20)
    organizer.begin(tables, code, ids[0])
    for one in ids[:2]:
        commands.check_in(tables, code, one)
    watch.sleep(1140)
    paused(tables, code, ids[0])
    watch.sleep(3600)
    assert not settled(tables, code).of.begun
    undone(tables, code, ids[0])
    watch.sleep(59)
    direct_all(tables)
    assert not look(tables, code).of.begun
    for one in ids[2:]:
        commands.check_in(tables, code, one)
    watch.sleep(1)
    direct_all(tables)
    assert len(look(tables, code).of.field) == 4


def test_a_pause_puts_off_the_end_of_the_round_it_fell_into(tables, watch):
    code, ids = begun(tables, game="taken", size=4, limit=10)
    paused(tables, code, ids[0])
    watch.sleep(3600)
    undone(tables, code, ids[0])
    all_ready(tables, code)
    watch.sleep(599)
    direct_all(tables)
    assert [state for _, _, state in pods(tables, code)] == ["playing"]
    watch.sleep(1)
    direct_all(tables)
    assert look(tables, code).of.rounds[0].pods[0].result is not None


def test_what_is_played_in_a_pause_ends_with_its_time(tables, watch):
    code, ids = begun(tables, game="taken", size=4, limit=10)
    all_ready(tables, code)
    paused(tables, code, ids[0])
    watch.sleep(600)
    direct_all(tables)
    assert look(tables, code).of.rounds[0].pods[0].result is not None


def test_who_has_not_come_has_time_again_when_a_result_that_was_set_is_undone(tables, watch):
    code, ids = begun(tables)
    pod = look(tables, code).of.rounds[0].pods[0]
    all_ready(tables, code, missing={ids[number - 1] for number in pod.entrants})
    seats = organizer.places_of(pod.entrants, (1, 2))
    slip = Ruling(Verb.RESULT, "a slip", round=1, pod=0, seats=seats)
    organizer.rule(tables, code, ids[0], slip)
    watch.sleep(3600)
    settled(tables, code)
    undone(tables, code, ids[0])
    watch.sleep(GRACE - 1)
    direct_all(tables)
    assert absent(look(tables, code)) == []
    all_ready(tables, code)
    ended(tables, code)
    assert len(settled(tables, code).of.rounds) == 2
