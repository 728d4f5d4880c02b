"""A tournament with too few players waits before it ends: absent ones can return."""

from functools import partial

import pytest

from kaboom.tournaments import service as tournaments_service
from kaboom.tournaments.changes import GRACE, get_tournament
from kaboom.tournaments.rules.events import Format
from kaboom.tournaments.scheduler import direct_all
from tests.support import tournaments
from tests.support.tournaments import all_ready, settled


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


begun = partial(tournaments.begun, format=Format.SWISS)


@pytest.mark.parametrize("format", [Format.SWISS, Format.LEAGUE])
def test_short_field_waits_for_absent_entrants(tables, fake_clock, format):
    code, ids = begun(tables, format=format, between=15)
    all_ready(tables, code, missing=set(ids[1:]))
    fake_clock.sleep(GRACE)
    seen = settled(tables, code)
    assert seen.of.active() == [1] and not seen.of.over
    fake_clock.sleep(15 * 60 - 1)
    direct_all(tables)
    assert not get_tournament(tables, code).of.over
    tournaments_service.come_back(tables, code, ids[1])
    fake_clock.sleep(1)
    direct_all(tables)
    seen = get_tournament(tables, code)
    assert len(seen.of.rounds) > 1, "both of them continue"


def test_short_field_ends_unless_entrants_return_by_next_round(tables, fake_clock):
    code, ids = begun(tables, between=15)
    all_ready(tables, code, missing=set(ids[1:]))
    fake_clock.sleep(GRACE)
    settled(tables, code)
    fake_clock.sleep(15 * 60)
    direct_all(tables)
    assert get_tournament(tables, code).of.over
