"""A worker that sees to the outbox of calls, and is killed at a named point of the way.

`python -m tests.chaos.outbox URL POINT AHEAD FILE`: its clock is AHEAD seconds ahead, and
each call it makes is a line of FILE.
"""

import os
import signal
import sys
import time
from pathlib import Path

from kaboom.db.database import Database
from kaboom.notifications.outbox import Call, TurnCalls
from kaboom.tables.service import Tables
from tests.support.server import SECRET

POINTS = ("begun", "written down", "leased", "answered", "noted")


def see_to(url: str, point: str, ahead: float, file: Path) -> None:
    """See to the outbox once, unless it is killed on the way."""

    def pass_by(here: str) -> None:
        if here == point:
            os.kill(os.getpid(), signal.SIGKILL)

    def send(call: Call) -> None:
        pass_by("leased")
        with file.open("a") as lines:
            lines.write(f"{call.address}\n")
        pass_by("answered")

    tables = Tables(Database(url, SECRET), now=lambda: time.time() + ahead)
    calls = TurnCalls(tables, send, spawn=lambda work: work())
    pass_by("begun")
    calls.sweep()
    pass_by("written down")
    calls.tick()
    pass_by("noted")
    tables.database.close()


if __name__ == "__main__":
    see_to(sys.argv[1], sys.argv[2], float(sys.argv[3]), Path(sys.argv[4]))
