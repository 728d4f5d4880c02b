"""After a fault, every open page soon shows the current state, without being touched."""

import hashlib
import os
import random
import signal
import sqlite3
import threading
import time
from contextlib import contextmanager

import pytest
from sqlalchemy import text

from kaboom.db.database import Database
from kaboom.tables.service import TableService
from kaboom.web.session import COOKIE
from tests.chaos.pages import Page
from tests.chaos.play import Play
from tests.chaos.test_stores import redis
from tests.support.server import SECRET, HttpClient, Server

__all__ = ["redis"]

ROUNDS = int(os.environ.get("KABOOM_EPISODES", "1"))
SEED = int(os.environ.get("KABOOM_SEED") or random.randrange(10**6))
MOST, USUAL = 20.0, 5.0  # seconds; the second for 99 of 100 pages


@contextmanager
def redis_away(server, redis):
    redis.stop()
    yield
    redis.start()


@contextmanager
def redis_hung(server, redis):
    redis.signal(signal.SIGSTOP)
    yield
    redis.signal(signal.SIGCONT)


@contextmanager
def connections_cut(server, redis):
    yield
    database = Database(server.settings["DATABASE_URL"], SECRET)
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    cut = text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
    database.read(lambda connection: connection.execute(cut).all())
    database.close()


@contextmanager
def store_locked(server, redis):
    path = server.settings["DATABASE_URL"].removeprefix("sqlite:///")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


@contextmanager
def worker_dead(server, redis):
    yield
    os.kill(min(server.workers()), signal.SIGKILL)


@contextmanager
def new_version(server, redis):
    server.process.send_signal(signal.SIGHUP)
    yield


@contextmanager
def server_dead(server, redis):
    server.kill()
    yield
    server.start()


EITHER = [worker_dead, new_version, server_dead]
CASES = {
    "postgresql": [redis_away, redis_hung, connections_cut, *EITHER],
    # `make test` causes faults common to both stores on one only; the server's death on both.
    "sqlite": [store_locked, *(EITHER if ROUNDS > 1 else [server_dead])],
}


@pytest.fixture(params=sorted(CASES))
def case(request, redis):
    """A server with its Redis, and the faults to inject."""
    faults = [fault for _ in range(ROUNDS) for fault in CASES[request.param]]
    random.Random(SEED).shuffle(faults)
    if request.param == "sqlite":
        server = Server(request.getfixturevalue("sqlite_url"))
    else:
        url = request.getfixturevalue("postgres_url")
        server = Server(url, REDIS_URL=redis.url, WEB_CONCURRENCY="2")
    server.start()
    yield server, redis, faults
    server.kill()


def test_every_open_page_is_current_soon_after_each_fault(case):
    server, redis, faults = case
    crowd = Play(server.url, SEED, games=["gops", "kaboom", "karata"])
    closing, late = threading.Event(), {}
    pages = [
        Page(client, people[0].path, closing).follow()
        for people in crowd.tables
        for client in [*(person.browser.client for person in people), HttpClient(server.url)]
    ]
    try:
        for number, fault in enumerate(faults):
            took = episode(server, redis, fault, crowd, pages)
            late[f"{number} {fault.__name__}"] = took
    finally:
        closing.set()
    crowd.judge(server.settings["DATABASE_URL"])
    print(f"KABOOM_SEED={SEED}:", {name: round(max(took), 1) for name, took in late.items()})
    if ROUNDS == 1:
        return  # `make test` checks the final pages; `make soak` measures the delay
    assert max(seconds for took in late.values() for seconds in took) <= MOST
    # Without a server browsers retry less and less often, finally every fifteen seconds.
    served = sorted(s for name, took in late.items() for s in took if "server_dead" not in name)
    assert served[-1 - len(served) // 100] <= USUAL


def episode(server, redis, fault, crowd, pages):
    """Let some players move during a fault; return the seconds until each page was current.

    They count from the end of the fault and the acknowledgement of the last move.
    """
    over = threading.Event()
    movers = [threading.Thread(target=move, args=(people, over)) for people in crowd.tables]
    with fault(server, redis):
        for mover in movers:
            mover.start()
        time.sleep(1)
    for mover in movers:
        mover.join(MOST)
    over.set()
    healed = time.monotonic()
    truth = numbers(server, pages)
    while not all(page.fresh_since(n) for page, n in zip(pages, truth, strict=True)):
        assert time.monotonic() < healed + 2 * MOST, f"seed {SEED}: stale after {fault.__name__}"
        time.sleep(0.05)
    return [max(0.0, page.fresh_since(n) - healed) for page, n in zip(pages, truth, strict=True)]


def move(people, over):
    """Let each player take one action that their page offers."""
    for person in people:
        if person.ask("GET", person.path + "/view", None, over) is not None:
            person.press(over)


def numbers(server, pages):
    """Return the revision each page should show."""
    database = Database(server.settings["DATABASE_URL"], SECRET)
    tables = TableService(database)
    found = [tables.revision(page.path[3:], key_hash(page.client)) for page in pages]
    database.close()
    return found


def key_hash(client):
    """Return the hash by which the store knows a browser, empty without a key."""
    keys = [cookie.value for cookie in client.jar if cookie.name == COOKIE]
    return hashlib.sha256(keys[0].encode()).hexdigest() if keys else ""
