"""A tournament of which too few are left rests before it ends: who was absent can come back."""

from functools import partial

import pytest

from kaboom.tournaments import service as commands
from kaboom.tournaments.changes import GRACE, look
from kaboom.tournaments.rules.events import Format
from kaboom.tournaments.scheduler import direct_all
from tests.support import tournaments
from tests.support.tournaments import all_ready, settled


@pytest.fixture
def tables(open_tables, sqlite_url):
    return open_tables(sqlite_url)


begun = partial(tournaments.begun, format=Format.SWISS)


@pytest.mark.parametrize("format", [Format.SWISS, Format.LEAGUE])
def test_a_tournament_of_which_too_few_are_left_waits_for_who_was_absent(tables, watch, format):
    code, ids = begun(tables, format=format, between=15)
    all_ready(tables, code, missing=set(ids[1:]))
    watch.sleep(GRACE)
    seen = settled(tables, code)
    assert seen.of.active() == [1] and not seen.of.over
    watch.sleep(15 * 60 - 1)
    direct_all(tables)
    assert not look(tables, code).of.over
    commands.come_back(tables, code, ids[1])
    watch.sleep(1)
    direct_all(tables)
    seen = look(tables, code)
    assert len(seen.of.rounds) > 1, "the two of them go on"


def test_it_is_over_when_nobody_has_come_back_before_the_next_round(tables, watch):
    code, ids = begun(tables, between=15)
    all_ready(tables, code, missing=set(ids[1:]))
    watch.sleep(GRACE)
    settled(tables, code)
    watch.sleep(15 * 60)
    direct_all(tables)
    assert look(tables, code).of.over
