"""A pause stops everything that has not begun; afterwards every player has as much time left as
before.
"""

from functools import partial

import pytest

from kaboom.errors import InvalidState
from kaboom.tables import start_match
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments_service
from kaboom.tournaments.changes import GRACE, get_tournament
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
    """Undo the last ruling; run what is due."""
    last = max(get_tournament(tables, code).of.rulings)
    organizer.rule(tables, code, host, Ruling(Verb.UNDO, undone=last))
    return settled(tables, code)


def absent(seen):
    return [number for number, it in seen.of.entrants.items() if it.paused]


@pytest.mark.parametrize("duplicate", [False, True])
def test_pause_makes_no_entrant_absent(tables, fake_clock, duplicate):
    code, ids = begun(tables, duplicate=duplicate)
    paused(tables, code, ids[0])
    fake_clock.sleep(3600)
    direct_all(tables)
    assert absent(settled(tables, code)) == []
    undone(tables, code, ids[0])
    fake_clock.sleep(GRACE - 1)
    direct_all(tables)
    assert absent(get_tournament(tables, code)) == [], "there is as much time as at the start"
    fake_clock.sleep(1)
    direct_all(tables)
    assert len(absent(get_tournament(tables, code))) == 4


def test_ready_table_begins_when_the_pause_ends(tables):
    code, ids = begun(tables)
    paused(tables, code, ids[0])
    (_, table, _), _ = pods(tables, code)
    first, second = (occupant.player for _, occupant in tables.get(table).table.sitting())
    start_match.ready(tables, table, first)
    with pytest.raises(InvalidState, match="paused"):
        start_match.ready(tables, table, second)
    assert not tables.get(table).table.playing
    undone(tables, code, ids[0])
    start_match.ready(tables, table, second)
    assert tables.get(table).table.playing


def test_pause_holds_check_in_and_returns_the_time_left(tables, fake_clock):
    code, ids = opened(tables, *FOUR, check_in=20)
    organizer.begin(tables, code, ids[0])
    for one in ids[:2]:
        tournaments_service.check_in(tables, code, one)
    fake_clock.sleep(1140)
    paused(tables, code, ids[0])
    fake_clock.sleep(3600)
    assert not settled(tables, code).of.begun
    undone(tables, code, ids[0])
    fake_clock.sleep(59)
    direct_all(tables)
    assert not get_tournament(tables, code).of.begun
    for one in ids[2:]:
        tournaments_service.check_in(tables, code, one)
    fake_clock.sleep(1)
    direct_all(tables)
    assert len(get_tournament(tables, code).of.field) == 4


def test_a_pause_puts_off_the_end_of_the_round_it_fell_into(tables, fake_clock):
    code, ids = begun(tables, game="taken", size=4, limit=10)
    paused(tables, code, ids[0])
    fake_clock.sleep(3600)
    undone(tables, code, ids[0])
    all_ready(tables, code)
    fake_clock.sleep(599)
    direct_all(tables)
    assert [state for _, _, state in pods(tables, code)] == ["playing"]
    fake_clock.sleep(1)
    direct_all(tables)
    assert get_tournament(tables, code).of.rounds[0].pods[0].result is not None


def test_match_played_in_a_pause_ends_with_its_time(tables, fake_clock):
    code, ids = begun(tables, game="taken", size=4, limit=10)
    all_ready(tables, code)
    paused(tables, code, ids[0])
    fake_clock.sleep(600)
    direct_all(tables)
    assert get_tournament(tables, code).of.rounds[0].pods[0].result is not None


def test_undone_result_restores_the_no_shows_grace(tables, fake_clock):
    code, ids = begun(tables)
    pod = get_tournament(tables, code).of.rounds[0].pods[0]
    all_ready(tables, code, missing={ids[number - 1] for number in pod.entrants})
    seats = organizer.places_of(pod.entrants, (1, 2))
    slip = Ruling(Verb.RESULT, "a slip", round=1, pod=0, seats=seats)
    organizer.rule(tables, code, ids[0], slip)
    fake_clock.sleep(3600)
    settled(tables, code)
    undone(tables, code, ids[0])
    fake_clock.sleep(GRACE - 1)
    direct_all(tables)
    assert absent(get_tournament(tables, code)) == []
    all_ready(tables, code)
    ended(tables, code)
    assert len(settled(tables, code).of.rounds) == 2
