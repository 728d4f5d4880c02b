"""Workers are killed while they notify players: each turn is notified exactly once."""

import signal
import subprocess
import sys
import time

import pytest

from kaboom.db.database import Database
from kaboom.notifications import channels
from kaboom.notifications.outbox import LEASE, PATIENCE
from kaboom.tables.service import TableService
from tests.chaos.outbox import POINTS, see_to
from tests.support.effort import LONG
from tests.support.server import SECRET
from tests.tables.test_service import playing

ADDRESS = "https://hook.example.org/ann"


# tests/notifications/test_outbox.py kills the others within one process.
@pytest.mark.parametrize("point", POINTS if LONG else ["leased"])
def test_killed_worker_neither_loses_nor_duplicates_an_alert(point, sqlite_url, tmp_path):
    """Only a worker killed between the receiver's answer and its own record can notify twice."""
    tables = TableService(Database(sqlite_url, SECRET))
    _, (ann, _) = playing(tables, "Ann", "Ben")
    channels.add(tables, ann, "json", ADDRESS, "en", "https://cards.example.org")
    tables.database.close()
    calls = tmp_path / "calls"

    began = time.time()
    see_to(sqlite_url, "", 0, calls)  # the turn has just begun: its player is not notified yet
    assert not calls.exists()
    if point == "begun":  # nothing was written yet
        database = Database(sqlite_url, SECRET)
        database.write(lambda connection: connection.exec_driver_sql("DELETE FROM calls"))
        database.close()
    later = PATIENCE + 1 if point in ("leased", "answered", "noted") else 0
    command = [sys.executable, "-m", "tests.chaos.outbox"]
    given = [sqlite_url, point, str(later), str(calls)]
    killed = subprocess.run([*command, *given], timeout=60, check=False)
    assert killed.returncode == -signal.SIGKILL
    for ahead in (LEASE + 20, 3600):
        see_to(sqlite_url, "", ahead + time.time() - began, calls)
    assert calls.read_text().splitlines() == [ADDRESS] * (2 if point == "answered" else 1)
