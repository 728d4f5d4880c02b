"""Workers that run a knockout of bots are killed again and again: its bracket is as undisturbed.

Kills at every commit of a small one are in tests/tournaments/test_service.py.
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
from kaboom.tables.service import Tables
from kaboom.tournaments import organizer
from kaboom.tournaments import service as commands
from kaboom.tournaments.changes import look
from kaboom.tournaments.rules.events import PodOver
from kaboom.tournaments.rules.rounds import champions
from kaboom.tournaments.scheduler import direct_all
from tests.support.fake_ids import ChosenLots
from tests.support.server import SECRET
from tests.support.tournaments import all_pods, players, settings

pytestmark = pytest.mark.nightly  # takes many minutes

BOTS, KILLS = 64, 200
QUICKEST, SLOWEST = 0.05, 0.6  # seconds a worker lives
FORKED = multiprocessing.get_context("fork")


def service(url):
    return Tables(Database(url, SECRET), pace=Pace.INSTANT)


def opened(url):
    """Open a knockout of bots whose seed is always the same; return its code."""
    tables = Tables(Database(url, SECRET), lots=ChosenLots(seed=lambda: bytes(32)))
    (host,) = players(tables, "Ann")
    code = commands.open(tables, host, settings(limit=0))
    commands.add_bots(tables, code, host, BOTS, Level.EASY)
    organizer.begin(tables, code, host)
    tables.database.close()
    return code


def work(url, code):
    """Be a worker: let all go on until the tournament is over."""
    tables = service(url)
    ticker = Ticker(tables)
    while not look(tables, code).of.ended:
        sleep = ticker.tick()
        direct_all(tables)
        time.sleep(min(sleep, 0.02))
    tables.database.close()


def results(url, code):
    """Return who came to which place at each table, after looking that nothing is there twice."""
    tables = service(url)
    seen = look(tables, code)
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
def test_a_knockout_of_bots_through_kills_has_the_bracket_it_would_have_had(
    kind, request, undisturbed
):
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
