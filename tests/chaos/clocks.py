"""Workers that only run the clock; a dead one is replaced at once.

`python -m tests.chaos.clocks URL WORKERS`. They are forked from a process that has imported
everything.
"""

import os
import sys

from kaboom.db.database import Database
from kaboom.tables.clock.scheduler import Ticker
from kaboom.tables.service import TableService
from tests.support.server import SECRET


def serve(url: str, workers: int) -> None:
    """Keep this many workers alive, forever."""
    alive = 0
    while True:
        while alive < workers:
            if not os.fork():
                Ticker(TableService(Database(url, SECRET))).run()
            alive += 1
        os.wait()
        alive -= 1


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
