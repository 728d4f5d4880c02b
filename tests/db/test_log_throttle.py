"""What the log is told while the database cannot be used: once, and when it is over."""

from contextlib import closing

import pytest

from kaboom.db.database import Database, Unavailable
from kaboom.db.log_throttle import SAID_EVERY, Outage
from kaboom.tables.clock.scheduler import Ticker
from kaboom.tables.service import Tables
from tests.support.server import SECRET


def test_the_same_is_said_only_now_and_then(caplog):
    seconds = 0.0
    outage = Outage("the database", "read", lambda: seconds)
    for now in (0, 1, SAID_EVERY - 1, SAID_EVERY, SAID_EVERY + 1):
        seconds = now
        outage.lasts("gone\n  away")
    outage.over()
    outage.over()
    said = "the database cannot be read: gone away; it is tried again"
    assert caplog.messages == [said, said, "the database can be read again"]


def test_all_that_goes_on_by_itself_says_once_that_the_database_is_away(tmp_path, caplog):
    with closing(Database(f"sqlite:///{tmp_path}", SECRET)) as database:
        tables = Tables(database)
        ticker = Ticker(tables)
        for _ in range(3):
            ticker.tick()
            with pytest.raises(Unavailable):
                ticker.heart.beat()
    assert sorted(caplog.messages) == [
        f"the database cannot be {way}: unable to open database file; it is tried again"
        for way in ("read", "written")
    ]
