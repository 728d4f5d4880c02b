"""Workers that run the clock and nothing else; one that dies is replaced at once.

`python -m tests.chaos.clocks URL WORKERS`. They are forked from a process
that has imported all.
"""

import os
import sys

from kaboom.db.database import Database
from kaboom.tables.clock.scheduler import Ticker
from kaboom.tables.service import Tables
from tests.support.server import SECRET


def serve(url: str, workers: int) -> None:
    """Keep so many workers alive, for ever."""
    alive = 0
    while True:
        while alive < workers:
            if not os.fork():
                Ticker(Tables(Database(url, SECRET))).run()
            alive += 1
        os.wait()
        alive -= 1


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
