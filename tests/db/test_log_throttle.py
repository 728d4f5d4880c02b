"""An unusable database is logged once, and its recovery once."""

from contextlib import closing

import pytest

from kaboom.db.database import Database, Unavailable
from kaboom.db.log_throttle import SAID_EVERY, LogThrottle
from kaboom.tables.clock.scheduler import Ticker
from kaboom.tables.service import TableService
from tests.support.server import SECRET


def test_repeated_message_is_throttled(caplog):
    seconds = 0.0
    outage = LogThrottle("the database", "read", lambda: seconds)
    for now in (0, 1, SAID_EVERY - 1, SAID_EVERY, SAID_EVERY + 1):
        seconds = now
        outage.lasts("gone\n  away")
    outage.over()
    outage.over()
    said = "the database cannot be read: gone away; retrying"
    assert caplog.messages == [said, said, "the database can be read again"]


def test_background_jobs_log_an_outage_once(tmp_path, caplog):
    with closing(Database(f"sqlite:///{tmp_path}", SECRET)) as database:
        tables = TableService(database)
        ticker = Ticker(tables)
        for _ in range(3):
            ticker.tick()
            with pytest.raises(Unavailable):
                ticker.heart.beat()
    assert sorted(caplog.messages) == [
        f"the database cannot be {way}: unable to open database file; retrying"
        for way in ("read", "written")
    ]
