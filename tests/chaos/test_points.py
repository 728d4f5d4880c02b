"""Workers die at named points between a press and its answer: no move is lost or doubled."""

import os
import random
import time
from collections import Counter

import pytest

from kaboom.games import GAMES
from tests.chaos.play import Play
from tests.chaos.points import POINTS
from tests.support.effort import often, some
from tests.support.server import Server

DEATHS = int(os.environ.get("KABOOM_DEATHS", often("3", soak="6")))  # of workers, on each store
SEED = int(os.environ.get("KABOOM_SEED") or random.randrange(10**6))


@pytest.fixture
def server(store_url, tmp_path):
    running = Server(store_url, FAULTS=str(tmp_path), FAULT_SEED=str(SEED))
    running.command = ["-m", "tests.chaos.points"]
    running.start()
    yield running
    running.kill()


def deaths(tmp_path):
    file = tmp_path / "deaths"
    return Counter(file.read_text().splitlines() if file.exists() else [])


@pytest.mark.parametrize("store_url", some(["postgresql", "sqlite"]), indirect=True)
def test_workers_dying_at_any_point_lose_or_double_no_move(server, store_url, tmp_path):
    print(f"KABOOM_SEED={SEED}")
    play = Play(server.url, SEED, games=often(1, soak=3) * [*GAMES])
    with play:
        play.goes_on(20)
        (tmp_path / "armed").touch()
        began = time.monotonic()
        while deaths(tmp_path).total() < DEATHS:
            assert time.monotonic() < began + 60 + 3 * DEATHS, f"seed {SEED}: too slow"
            time.sleep(0.05)
        took = time.monotonic() - began
        (tmp_path / "armed").unlink()
        play.goes_on(10)
    moves, matches = play.judge(store_url)
    died = deaths(tmp_path)
    print(f"{died.total()} deaths in {took:.0f} s, {moves} moves acknowledged")
    print(f"of {matches} matches: {dict(died)}")
    assert moves > DEATHS
    assert died.total() < 60 or set(died) == set(POINTS)
