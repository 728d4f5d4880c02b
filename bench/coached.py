"""The duration of moves while the coach is working, compared with that while it is not.

`python -m bench.coached --turns 4 --seconds 20 --tables 4` serves this checkout, plays matches of
Kaboom, and lets four people with open streams move at each of the tables, twice a second,
alternately with and without matches being coached. It measures the time from a press until all the
others have the changed view. It prints the median and 99th percentile of each turn in milliseconds,
and the ratio of both figures with and without the coach.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median, quantiles

from sqlalchemy import Connection

from bench.checkout import SECRET, here
from bench.compare import ratio
from bench.room import Room
from kaboom.accounts import player_queries
from kaboom.coach import queries, service
from kaboom.db.database import Database
from kaboom.records.queries import match_by_code
from kaboom.tables.service import TableService
from tests.support.finished_matches import play_to_the_end

KEY = "key of Ann"
PAUSE = 0.5  # seconds between two moves at a table
PATIENCE = 600.0  # seconds for the coach to begin or finish a match


def main() -> None:
    """Measure alternately with and without the coach, and print the results."""
    parser = argparse.ArgumentParser(prog="bench.coached", description=__doc__)
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--matches", type=int, default=6, help="coached one after the other")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kaboom-bench-") as name:
        url = f"sqlite:///{name}/kaboom.sqlite3"
        with here().serve(Path(name), url) as server:
            database = Database(url, SECRET)
            tables = TableService(database)
            rooms = [Room(server) for _ in range(asked.tables)]
            for room in rooms:
                room.listen()
            pairs = []
            for turn in range(asked.turns):
                _until(lambda: tables.database.read(queries.waiting) == 0)
                matches = [finished(tables) for _ in range(asked.matches)]
                quiet = pressed(rooms, asked.seconds)
                with coaching(tables, matches):
                    busy = pressed(rooms, asked.seconds)
                pairs.append((busy, quiet))
                print(f"turn {turn + 1}: with {busy[0]:.0f}, {busy[1]:.0f} ms; without"
                      f" {quiet[0]:.0f}, {quiet[1]:.0f} ms", flush=True)  # fmt: skip
            for place, figure in enumerate(("median", "99th percentile")):
                found = ratio([(one[place], other[place]) for one, other in pairs])
                print(f"{figure}: {found.middle:.2f} ({found.low:.2f} to {found.high:.2f})")
            for room in rooms:
                room.close()
            database.close()


def finished(tables: TableService) -> str:
    """Play a match between Ann and bots at random; return its record's code."""
    code, _players = play_to_the_end(tables, "kaboom")
    return tables.get(code).table.record


def pressed(rooms: Sequence[Room], seconds: float) -> tuple[float, float]:
    """Let people move for this many seconds; return the median and the 99th percentile in
    milliseconds.
    """
    until = time.monotonic() + seconds
    with ThreadPoolExecutor(len(rooms)) as pool:
        found = [it for times in pool.map(partial(_moves, until), rooms) for it in times]
    return median(found), quantiles(found, n=100)[98]


def _moves(until: float, room: Room) -> list[float]:
    """Return the milliseconds that each move at a table took."""
    found = []
    while time.monotonic() < until:
        mover, move = room.choose()
        room.settle()
        began = time.monotonic()
        room.press(mover, move)
        found.append(1000 * (time.monotonic() - began))
        time.sleep(PAUSE)
    return found


@contextmanager
def coaching(tables: TableService, matches: Sequence[str]) -> Iterator[None]:
    """Coach matches while something is measured.

    Raises RuntimeError if the coach does not start, or finishes before the measurement.
    """
    for match in matches:
        service.ask(tables, match, 0, KEY)
    _until(lambda: _state(tables, matches[0]).made > 0)
    yield
    if tables.database.read(queries.waiting) == 0:
        raise RuntimeError("the coach finished too early; raise --matches")


def _state(tables: TableService, match: str) -> queries.Coaching:
    def read(connection: Connection) -> queries.Coaching:
        row, player = match_by_code(connection, match), player_queries.player(connection, KEY)
        assert row is not None
        assert player is not None
        found = queries.coaching(connection, row.id, player[0])
        assert found is not None
        return found

    return tables.database.read(read)


def _until(ready: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not ready():
        if time.monotonic() > until:
            raise RuntimeError("the coach did not start")
        time.sleep(0.2)


if __name__ == "__main__":
    main()
