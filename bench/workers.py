"""What two workers make of two cores, beside one: tables at full load on PostgreSQL and Redis.

`python -m bench workers`. Clients, PostgreSQL and Redis share the machine with the workers, so
moves a second grow by less than on cores of the workers' own; how much that would be is told by the
processor time that a move takes of them. The database is made and dropped on the server
of BENCH_POSTGRES.
"""

import contextlib
import multiprocessing
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from bench.room import NAMES, Room, sat_down
from bench.server import Server
from bench.streams import own_redis
from bench.table import Row, short
from kaboom.store.migrate import upgrade

POSTGRES = os.environ.get("BENCH_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
SECRET = "a-secret-of-the-bench-of-thirty-two-characters"
ROUNDS = 3
SECONDS = 10.0
TABLES = 8  # a process plays at each, as fast as it is answered
TARGET = 1.8


def rows(folder: Path) -> list[Row]:
    """Return the row of two workers beside one, in turns."""
    name = "two workers beside one, PostgreSQL and Redis, moves/s at full load"
    if not shutil.which("redis-server"):
        return [Row(name, "not measured here: no redis-server", f"≥ {TARGET}")]
    try:
        with own_database() as url, own_redis(folder) as port:
            shared = {"DATABASE_URL": url, "SECRET_KEY": SECRET}
            shared["REDIS_URL"] = f"redis://127.0.0.1:{port}/0"
            rounds = [[played(folder, shared, count) for count in (1, 2)] for _ in range(ROUNDS)]
    except OperationalError:
        return [Row(name, f"not measured here: no PostgreSQL at {POSTGRES}", f"≥ {TARGET}")]
    (one, one_cpu), (two, two_cpu) = (
        [median(each) for each in zip(*column, strict=True)] for column in zip(*rounds, strict=True)
    )
    gained = [two[0] / one[0] for one, two in rounds]
    spread = f"{min(gained):.2f} to {max(gained):.2f} in {ROUNDS} rounds"
    figure = f"{median(gained):.2f} ({spread}; {one:.0f} and {two:.0f})"
    dearer = median(two[1] / one[1] for one, two in rounds)
    more = f"{one_cpu:.1f} ms and {two_cpu:.1f} ms: {short(2 / dearer)} × on cores of their own"
    return [
        Row(name, figure, f"≥ {TARGET}", median(gained) >= TARGET),
        Row("CPU of a move with two workers, × with one", f"{dearer:.2f} ({more})"),
    ]


def played(folder: Path, shared: dict[str, str], workers: int) -> tuple[float, float]:
    """Return moves a second, and milliseconds of the workers' processor time for each."""
    with Server(folder, WEB_CONCURRENCY=str(workers), **shared) as server:
        ready, counted = multiprocessing.Barrier(TABLES + 1), multiprocessing.SimpleQueue()
        playing = [
            multiprocessing.Process(target=play, args=(server, ready, counted))
            for _ in range(TABLES)
        ]
        for process in playing:
            process.start()
        ready.wait(300)
        before, began = server.cpu(), time.monotonic()
        moves = sum(counted.get() for _ in playing)
        spent, seconds = server.cpu() - before, time.monotonic() - began
        for process in playing:
            process.join()
    return moves / seconds, spent / moves


def play(server: Server, ready: Any, counted: Any) -> None:
    """Play at a table as fast as it answers, from when all are `ready`; tell how many moves."""
    room = Room(server, sat_down(server, "kaboom", NAMES, rounds="20"))
    room.listen()
    ready.wait()
    until, moves = time.monotonic() + SECONDS, 0
    while time.monotonic() < until:
        room.play_by_streams()
        moves += 1
    counted.put(moves)


@contextlib.contextmanager
def own_database() -> Iterator[str]:
    """Make a database with our schema; yield its address. Raises OperationalError where none is."""
    admin = create_engine(
        POSTGRES.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT"
    )
    name = f"kaboom_bench_{uuid.uuid4().hex[:12]}"
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    url = f"{POSTGRES.rsplit('/', 1)[0]}/{name}"
    try:
        upgrade(url, SECRET)
        yield url
    finally:
        with admin.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        admin.dispose()
