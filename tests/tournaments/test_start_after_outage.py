"""An outage while tables wait for their players takes nothing from the three minutes."""

import pytest

from kaboom.tables.clock.scheduler import Heart
from kaboom.tables.clock.table_time import EVERY
from kaboom.tables.clock.table_time import GRACE as GIVEN
from kaboom.tournaments import organizer
from kaboom.tournaments.changes import GRACE, look
from kaboom.tournaments.rules.events import Format
from kaboom.tournaments.scheduler import direct_all
from tests.support.tournaments import opened, pods, settled


@pytest.mark.parametrize("duplicate", [False, True])
def test_nobody_is_absent_because_of_an_outage_within_the_three_minutes(tables, watch, duplicate):
    heart = Heart(tables)

    def served(seconds):
        for _ in range(int(seconds // EVERY)):
            watch.sleep(EVERY)
            heart.beat()
            direct_all(tables)

    def absent():
        return [it.number for it in look(tables, code).of.entrants.values() if it.paused]

    heart.beat()
    code, ids = opened(tables, "Ann", "Ben", "Cat", "Dan", format=Format.SWISS, duplicate=duplicate)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    served(90)
    watch.sleep(3600)  # nobody serves
    heart.beat()
    served(GRACE - 90 + GIVEN - EVERY)
    assert absent() == [] and {state for _, _, state in pods(tables, code)} == {"open"}
    served(EVERY)
    assert len(absent()) == 4
