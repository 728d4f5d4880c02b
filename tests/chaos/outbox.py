"""A worker that processes the outbox of notifications, and is killed at a named point.

`python -m tests.chaos.outbox URL POINT AHEAD FILE`: its clock is AHEAD seconds ahead, and each
notification it sends is a line of FILE.
"""

import os
import signal
import sys
import time
from pathlib import Path

from kaboom.db.database import Database
from kaboom.notifications.outbox import Notification, Outbox
from kaboom.tables.service import TableService
from tests.support.server import SECRET

POINTS = ("begun", "written down", "leased", "answered", "noted")


def see_to(url: str, point: str, ahead: float, file: Path) -> None:
    """Process the outbox once, unless killed at the point."""

    def pass_by(here: str) -> None:
        if here == point:
            os.kill(os.getpid(), signal.SIGKILL)

    def send(call: Notification) -> None:
        pass_by("leased")
        with file.open("a") as lines:
            lines.write(f"{call.address}\n")
        pass_by("answered")

    tables = TableService(Database(url, SECRET), now=lambda: time.time() + ahead)
    calls = Outbox(tables, send, spawn=lambda work: work())
    pass_by("begun")
    calls.sweep()
    pass_by("written down")
    calls.tick()
    pass_by("noted")
    tables.database.close()


if __name__ == "__main__":
    see_to(sys.argv[1], sys.argv[2], float(sys.argv[3]), Path(sys.argv[4]))
