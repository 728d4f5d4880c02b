"""An outage while tables wait for their players does not shorten the three minutes."""

import pytest

from kaboom.tables.clock.scheduler import Heartbeat
from kaboom.tables.clock.table_time import EVERY
from kaboom.tables.clock.table_time import GRACE as GIVEN
from kaboom.tournaments import organizer
from kaboom.tournaments.changes import GRACE, get_tournament
from kaboom.tournaments.rules.events import Format
from kaboom.tournaments.scheduler import direct_all
from tests.support.tournaments import opened, pods, settled


@pytest.mark.parametrize("duplicate", [False, True])
def test_outage_in_the_grace_makes_no_player_absent(tables, fake_clock, duplicate):
    heart = Heartbeat(tables)

    def served(seconds):
        for _ in range(int(seconds // EVERY)):
            fake_clock.sleep(EVERY)
            heart.beat()
            direct_all(tables)

    def absent():
        return [it.number for it in get_tournament(tables, code).of.entrants.values() if it.paused]

    heart.beat()
    code, ids = opened(tables, "Ann", "Ben", "Cat", "Dan", format=Format.SWISS, duplicate=duplicate)
    organizer.begin(tables, code, ids[0])
    settled(tables, code)
    served(90)
    fake_clock.sleep(3600)  # no server runs
    heart.beat()
    served(GRACE - 90 + GIVEN - EVERY)
    assert absent() == [] and {state for _, _, state in pods(tables, code)} == {"open"}
    served(EVERY)
    assert len(absent()) == 4
