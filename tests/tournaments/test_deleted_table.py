"""A tournament match whose table was deleted ends with its round, like all others."""

import pytest

from kaboom.tables import start_match
from kaboom.tables.maintenance.interventions import delete
from kaboom.tournaments import organizer
from kaboom.tournaments.changes import GRACE, get_tournament
from kaboom.tournaments.rules.events import Format, Ruling, Verb
from kaboom.tournaments.rules.points import WHOLE
from kaboom.tournaments.scheduler import direct_all
from tests.support.tournaments import all_ready, end, opened, pods, settled

FOUR = ("Ann", "Ben", "Cat", "Dan")


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


@pytest.mark.parametrize("duplicate", [False, True])
def test_match_of_a_deleted_table_ends_at_its_time_limit(tables, fake_clock, duplicate):
    code, ids = opened(tables, *FOUR, format=Format.SWISS, limit=10, duplicate=duplicate)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    all_ready(tables, code)
    settled(tables, code)
    (_, one, _), (_, two, _) = pods(tables, code)
    delete(tables, one)
    end(tables, two)
    fake_clock.sleep(599)
    direct_all(tables)
    assert len(get_tournament(tables, code).of.rounds) == 1, "the organiser can set its result"
    fake_clock.sleep(1)
    for _ in range(3):
        direct_all(tables)
    seen = get_tournament(tables, code)
    assert len(seen.of.rounds) == 2
    round = seen.of.rounds[0]
    shares = seen.of.round_shares(round)
    assert [shares[it] for it in round.pods[0].entrants] == [WHOLE // 2] * 2
    assert not any(it.paused or it.missed for it in seen.of.entrants.values())


@pytest.mark.parametrize("duplicate", [False, True])
def test_table_deleted_before_its_start_ends_after_the_grace(tables, fake_clock, duplicate):
    code, ids = opened(tables, *FOUR, format=Format.SWISS, limit=10, duplicate=duplicate)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    (_, one, _), (_, two, _) = pods(tables, code)
    delete(tables, one)
    for _, occupant in tables.get(two).table.sitting():
        start_match.ready(tables, two, occupant.player)
    fake_clock.sleep(GRACE)
    settled(tables, code)
    end(tables, two)
    seen = settled(tables, code)
    assert len(seen.of.rounds) == 2
    assert not any(it.paused for it in seen.of.entrants.values()), "it was not their fault"


def test_organizers_result_for_a_deleted_table_stands(tables, fake_clock):
    code, ids = opened(tables, *FOUR, format=Format.SWISS, limit=10)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    all_ready(tables, code)
    (_, one, _), (_, two, _) = pods(tables, code)
    delete(tables, one)
    pod = get_tournament(tables, code).of.rounds[0].pods[0]
    seats = organizer.places_of(pod.entrants, (2, 1))
    ruling = Ruling(Verb.RESULT, "as they told me", round=1, pod=0, seats=seats)
    organizer.rule(tables, code, ids[0], ruling)
    end(tables, two)
    fake_clock.sleep(600)
    direct_all(tables)
    seen = settled(tables, code)
    assert seen.of.result(seen.of.rounds[0], 0) == seats and len(seen.of.rounds) == 2
