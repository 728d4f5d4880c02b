"""What two workers make of two cores, beside one: tables at full load on PostgreSQL and Redis.

`python -m bench workers`. The two are workers of one server, where players of a table come to both,
and then a server each, where all players of a table come to one, as docs/hosting/nginx.conf leads
them. Clients, PostgreSQL and Redis share the machine with the workers, so moves a second grow by
less than on cores of the workers' own; how much that would be is told by the processor time that a
move takes of them. The database is made and dropped on the server of BENCH_POSTGRES.
"""

import contextlib
import multiprocessing
import os
import shutil
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from bench.room import NAMES, Room, sat_down
from bench.server import Server
from bench.streams import own_redis
from bench.table import Row
from kaboom.db.migrate import upgrade

POSTGRES = os.environ.get("BENCH_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
SECRET = "a-secret-of-the-bench-of-thirty-two-characters"
ROUNDS = 3
SECONDS = 10.0
TABLES = 8  # a process plays at each, as fast as it is answered
TARGET = 1.8


class Played(NamedTuple):
    """Moves a second, and milliseconds of the workers' processor time for each."""

    speed: float
    cpu: float


def rows(folder: Path) -> list[Row]:
    """Return the rows of two workers beside one, in turns: of one server, and of a server each."""
    name = "PostgreSQL and Redis, moves/s at full load: two workers"
    if not shutil.which("redis-server"):
        return [Row(name, "not measured here: no redis-server", f"≥ {TARGET}")]
    try:
        with own_database() as url, own_redis(folder) as port:
            shared = {"DATABASE_URL": url, "SECRET_KEY": SECRET}
            shared["REDIS_URL"] = f"redis://127.0.0.1:{port}/0"
            rounds = [
                [played(folder, shared, workers) for workers in ([1], [2], [1, 1])]
                for _ in range(ROUNDS)
            ]
    except OperationalError:
        return [Row(name, f"not measured here: no PostgreSQL at {POSTGRES}", f"≥ {TARGET}")]
    one, together, apart = zip(*rounds, strict=True)
    return [
        *compared(f"{name} of one server", one, together),
        *compared(f"{name}, each a server, a table at one of them", one, apart),
    ]


def compared(name: str, one: Sequence[Played], two: Sequence[Played]) -> list[Row]:
    """Return how many more moves a second two workers make than one, and what a move takes."""
    gained = [many.speed / few.speed for few, many in zip(one, two, strict=True)]
    dearer = median(many.cpu / few.cpu for few, many in zip(one, two, strict=True))
    spread = f"{min(gained):.2f} to {max(gained):.2f} in {ROUNDS} rounds"
    speeds = " and ".join(f"{median(it.speed for it in each):.0f}" for each in (one, two))
    costs = " and ".join(f"{median(it.cpu for it in each):.1f} ms" for each in (one, two))
    return [
        Row(f"{name}, × one", f"{median(gained):.2f} ({spread}; {speeds})"),
        Row(
            f"{name}, × one, on cores of their own",
            f"{2 / dearer:.2f} (a move takes {costs})",
            f"≥ {TARGET}",
            2 / dearer >= TARGET,
        ),
    ]


def played(folder: Path, shared: dict[str, str], workers: list[int]) -> Played:
    """Let all tables be played at servers with so many workers each, every table at one of them."""
    with ExitStack() as running:
        servers = [
            running.enter_context(Server(folder, WEB_CONCURRENCY=str(count), **shared))
            for count in workers
        ]
        ready, counted = multiprocessing.Barrier(TABLES + 1), multiprocessing.SimpleQueue()
        playing = [
            multiprocessing.Process(
                target=play, args=(servers[table % len(servers)], ready, counted)
            )
            for table in range(TABLES)
        ]
        for process in playing:
            process.start()
        ready.wait(300)
        before, began = sum(server.cpu() for server in servers), time.monotonic()
        moves = sum(counted.get() for _ in playing)
        spent, seconds = sum(server.cpu() for server in servers) - before, time.monotonic() - began
        for process in playing:
            process.join()
    return Played(moves / seconds, spent / moves)


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
