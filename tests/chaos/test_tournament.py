"""Workers that run a knockout of bots are killed again and again: the bracket stays the same.

tests/tournaments/test_service.py kills at every commit of a small one.
"""

import multiprocessing
import random
import shutil
import time

import pytest

from kaboom.db.database import Database
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import Pace
from kaboom.tables.clock.scheduler import Ticker
from kaboom.tables.service import TableService
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.rules.events import PodOver
from kaboom.tournaments.rules.pairing import champions
from kaboom.tournaments.scheduler import direct_all
from tests.support.fake_ids import FakeIds
from tests.support.server import SECRET
from tests.support.tournaments import all_pods, players, settings

pytestmark = pytest.mark.nightly  # takes many minutes

BOTS, KILLS = 64, 200
QUICKEST, SLOWEST = 0.05, 0.6  # seconds a worker lives
FORKED = multiprocessing.get_context("fork")


def service(url):
    return TableService(Database(url, SECRET), pace=Pace.INSTANT)


def opened(url):
    """Open a knockout of bots with a fixed seed; return its code."""
    tables = TableService(Database(url, SECRET), ids=FakeIds(seed=lambda: bytes(32)))
    (host,) = players(tables, "Ann")
    code = tournaments.open(tables, host, settings(limit=0))
    tournaments.add_bots(tables, code, host, BOTS, Level.EASY)
    organizer.begin(tables, code, host)
    tables.database.close()
    return code


def work(url, code):
    """Work until the tournament is over."""
    tables = service(url)
    ticker = Ticker(tables)
    while not get_tournament(tables, code).of.ended:
        sleep = ticker.tick()
        direct_all(tables)
        time.sleep(min(sleep, 0.02))
    tables.database.close()


def results(url, code):
    """Return the places at each table after checking for duplicates."""
    tables = service(url)
    seen = get_tournament(tables, code)
    pods = all_pods(tables, seen.row.id)
    tables.database.close()
    found = [it.event for it in seen.log if isinstance(it.event, PodOver)]
    keys = [(it.round, it.pod) for it in found]
    assert len(keys) == len(set(keys)) == len(pods) == BOTS - 1
    assert {state for _, _, state in pods} == {"done"}
    assert [it.seq for it in seen.log] == list(range(1, len(seen.log) + 1))
    (champion,) = champions(seen.of)
    return champion, sorted((it.round, it.pod, it.seats) for it in found)


@pytest.fixture
def undisturbed(migrated_sqlite, tmp_path):
    file = tmp_path / "undisturbed.sqlite3"
    shutil.copy(migrated_sqlite, file)
    url = f"sqlite:///{file}"
    code = opened(url)
    work(url, code)
    return results(url, code)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_knockout_interrupted_by_kills_has_the_same_bracket(kind, request, undisturbed):
    url = request.getfixturevalue("sqlite_url" if kind == "sqlite" else "postgres_url")
    code, dice, kills = opened(url), random.Random(1), 0
    began = time.time()
    while True:
        worker = FORKED.Process(target=work, args=(url, code))
        worker.start()
        worker.join(dice.uniform(QUICKEST, SLOWEST) if kills < KILLS else None)
        if worker.exitcode is not None:
            assert worker.exitcode == 0
            break
        worker.kill()
        worker.join()
        kills += 1
    print(f"{kind}: {BOTS} bots, {kills} kills, {time.time() - began:.0f} s")
    assert kills
    assert results(url, code) == undisturbed
