"""Deadlines: several workers race for each and are killed midway; each deadline is handled once."""

import os
import random
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from kaboom.accounts import players as players_module
from kaboom.db.database import Database
from kaboom.engine.moves import CLOCK
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.records.verify import check
from kaboom.table_page import service as match
from kaboom.tables import start_match
from kaboom.tables.service import TableService
from tests.chaos.play import matches_of
from tests.conftest import sqlite_url
from tests.support.effort import often, some
from tests.support.server import ROOT, SECRET

__all__ = ["sqlite_url"]  # in memory: no power is cut here

TABLES = int(os.environ.get("KABOOM_TIMED_TABLES", often("3", soak="10")))  # on each store
KILLS = int(os.environ.get("KABOOM_CLOCK_KILLS", often("2", soak="4")))  # at least
WORKERS = 2
SEED = int(os.environ.get("KABOOM_SEED") or random.randrange(10**6))

# King of the Hill deals a hundred cards by the clock; then all five players time out together.
DEALT, INTERVAL = 100, 0.1
SILENT = {"deal_interval": INTERVAL, "last_call_seconds": 0}
NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve")


@pytest.fixture
def tables(store_url):
    database = Database(store_url, SECRET)
    yield TableService(database)
    database.close()


@pytest.fixture
def clocks(store_url):
    """Workers on the store, in separate processes."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.chaos.clocks", store_url, str(WORKERS)],
        cwd=ROOT,
        start_new_session=True,
    )
    yield process
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def dealing(tables):
    """Begin a match at this many tables; return their codes."""
    koth = GAMES["koth"]
    players = [players_module.player(tables, name, name)[0] for name in NAMES]
    codes = []
    for _ in range(TABLES):
        code = lobby.open(tables, "koth", koth.options(**SILENT), players[0], NAMES[0])
        for player, name in zip(players[1:], NAMES[1:], strict=True):
            lobby.sit(tables, code, player, name)
        start_match.start(tables, code, players[0])
        for player in players:
            ready(tables, code, player)
        codes.append(code)
    return codes


def ready(tables, code, player):
    seen = tables.get(code)
    seat = seen.table.seat_of(player)
    token = seen.prompts[seat].offer("ready").token
    match.submit(
        tables, code, player, "ready", token, f"ready {seat}", 1, seen.table.revision(seat)
    )


def kill_one(clocks, rng):
    """Kill a worker; return True if there was one."""
    born = Path(f"/proc/{clocks.pid}/task/{clocks.pid}/children").read_text().split()
    if not born:
        return False
    os.kill(int(rng.choice(born)), signal.SIGKILL)
    return True


@pytest.mark.parametrize("store_url", some(["postgresql", "sqlite"]), indirect=True)
def test_each_deadline_fires_once_whichever_worker_dies(tables, clocks):
    rng = random.Random(SEED)
    codes = dealing(tables)
    killed, began, left = 0, time.monotonic(), codes
    while left or killed < KILLS:
        assert time.monotonic() < began + 60 + 4 * TABLES, (
            f"seed {SEED}: {len(left)} tables are still waiting"
        )
        time.sleep(rng.uniform(0.1, 0.8))
        killed += killed < KILLS and kill_one(clocks, rng)
        left = [code for code in left if tables.get(code).table.timers]
    took = time.monotonic() - began
    late = []
    for code in codes:
        ((_, log),) = matches_of(tables.database, code)
        at = [row.at for row in log if row.text.startswith(f"{CLOCK} deal ")]
        assert [row.text for row in log][-DEALT:] == [f"{CLOCK} deal {n + 1}" for n in range(DEALT)]
        assert len(at) == DEALT, f"seed {SEED}: {len(at)} of {DEALT} deadlines were met"
        late += [after - before - INTERVAL for before, after in pairwise(at)]
        assert check(tables, code).wrong == []
    late.sort()
    assert late[0] > -0.001, f"seed {SEED}: a deadline was met before its time"
    print(
        f"KABOOM_SEED={SEED}: {DEALT * TABLES} deadlines, {killed} kills in {took:.0f} s; "
        f"late p99 {late[-len(late) // 100]:.2f} s, at most {late[-1]:.2f} s"
    )
