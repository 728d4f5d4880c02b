"""Coaching resumes after a worker dies, runs once, and by one worker at a time."""

import os
import signal
import subprocess
import sys
import time

import pytest

from kaboom.accounts import player_queries
from kaboom.coach import queries
from kaboom.coach.queries import MOST_TRIES, SILENT
from kaboom.coach.runner import Coach
from kaboom.coach.service import ask as ask_for
from kaboom.config import ROOT
from kaboom.records.queries import match_by_code, seat_of
from tests.coach.coaching import HereCoach, coached
from tests.support.finished_matches import play_to_the_end
from tests.support.server import SECRET

ANN = "key of Ann"


@pytest.fixture
def asked(service):
    """A finished match of GOPS for which Ann has requested coaching: its code."""
    return ask(service)


def ask(tables):
    """Play a match and request its coaching; return its code."""
    code, (ann, *_) = play_to_the_end(tables, "gops")
    record = tables.get(code).table.record
    ask_for(tables, record, seat(tables, record, ann), ANN)
    return record


def seat(tables, record, player):
    """Return the seat in which a player sat."""
    return tables.database.read(lambda c: seat_of(c, match_by_code(c, record).id, player))


def found(tables, record):
    """Return the progress of Ann's coaching."""

    def read(connection):
        match, player = match_by_code(connection, record), player_queries.player(connection, ANN)
        return queries.coaching(connection, match.id, player[0])

    return tables.database.read(read)


@pytest.mark.slow
def test_whole_match_is_judged_and_its_cost_stored(service, asked, monkeypatch):
    assert found(service, asked).ended_at is None
    coached(service, monkeypatch)
    it = found(service, asked)
    assert it.ended_at is not None and it.made == it.steps and not it.given_up
    assert [each.step for each in it.judged] == sorted({each.step for each in it.judged})
    assert sum(each.deals > 0 for each in it.judged) == it.steps - len(it.judged) <= 8
    costs = service.database.read(lambda c: queries.average_costs(c, it.player_id, "gops"))
    assert [(each.code, each.cost) for each in costs] == [(asked, it.cost)]
    assert service.database.read(lambda c: queries.average_costs(c, it.player_id, "koth")) == []


@pytest.mark.slow
def test_repeated_request_changes_nothing(service, asked, monkeypatch):
    coached(service, monkeypatch)
    before = found(service, asked)
    ask_for(service, asked, before.seat, ANN)
    assert found(service, asked) == before
    assert not HereCoach(service).coach_next()


class Dies(Exception):
    """The death of a worker."""


@pytest.mark.slow
@pytest.mark.parametrize("steps", [1, 7, 13, 16])
def test_another_worker_resumes_after_a_crash(service, asked, monkeypatch, steps):
    class Mortal(HereCoach):
        def progress(self, task):
            for number, progress in enumerate(super().progress(task), 1):
                yield progress
                if number == steps:
                    raise Dies

    other = ask(service)
    coached(service, monkeypatch)  # both, undisturbed
    whole = found(service, asked)
    service.database.write(lambda c: queries.forget(c, whole.player_id))
    assert found(service, other) is None
    ask_for(service, asked, whole.seat, ANN)
    with pytest.raises(Dies):
        Mortal(service).coach_next()
    half = found(service, asked)
    assert half.made == steps and half.ended_at is None
    assert not HereCoach(service).coach_next(), "the worker may still be alive"
    now = service.now()
    monkeypatch.setattr(service, "now", lambda: now + SILENT + 1)
    assert HereCoach(service).coach_next()
    again = found(service, asked)
    assert again.judged == whole.judged and again.cost == whole.cost and again.tries == 2
    assert again.made == again.steps == whole.steps


def test_stale_worker_changes_nothing(service, asked, monkeypatch):
    late = HereCoach(service)
    taken = service.database.write(lambda c: queries.take(c, "late", service.now()))
    now = service.now()
    monkeypatch.setattr(service, "now", lambda: now + SILENT + 1)
    coached(service, monkeypatch)
    done = found(service, asked)
    assert not late._keep(taken[0], "late", None)
    service.database.write(lambda c: queries.keep(c, taken[0], "late", now, [], 0, 5))
    service.database.write(lambda c: queries.end(c, taken[0], "late", now, 99.0))
    assert found(service, asked) == done


@pytest.mark.slow
def test_job_that_kills_every_worker_is_dropped_and_retryable(service, asked, monkeypatch):
    class Mortal(HereCoach):
        def progress(self, task):
            raise Dies
            yield

    start = service.now()
    for number in range(MOST_TRIES):
        monkeypatch.setattr(service, "now", lambda n=number: start + n * (SILENT + 1))
        with pytest.raises(Dies):
            Mortal(service).coach_next()
    monkeypatch.setattr(service, "now", lambda: start + MOST_TRIES * (SILENT + 1))
    assert not Mortal(service).coach_next()
    it = found(service, asked)
    assert it.given_up and it.cost is None
    ask_for(service, asked, it.seat, ANN)
    coached(service, monkeypatch)
    assert not found(service, asked).given_up


@pytest.mark.slow
def test_separate_process_judges_a_match_at_lowest_priority(service, asked, monkeypatch):
    nice = []
    coach = Coach(service)
    keep = coach._keep

    def kept(*args):
        nice.append(os.getpriority(os.PRIO_PROCESS, coach._process.pid))
        return keep(*args)

    monkeypatch.setattr(coach, "_keep", kept)
    assert coach.coach_next()
    it = found(service, asked)
    assert it.made == it.steps and set(nice) == {19}


WORKER = """
import sys
from kaboom.coach.runner import Coach
from kaboom.coach.service import ask as ask_for
from kaboom.db.database import Database
from kaboom.tables.service import TableService
tables = TableService(Database(sys.argv[1], sys.argv[2]))
Coach(tables).coach_next()
"""


@pytest.mark.slow
def test_killed_worker_leaves_no_process_and_loses_nothing(service, asked, monkeypatch):
    url, secret = service.database.url, SECRET
    worker = subprocess.Popen([sys.executable, "-c", WORKER, url, secret], cwd=ROOT)
    try:
        deadline = time.monotonic() + 60
        while not (found(service, asked).made >= 3):
            assert time.monotonic() < deadline, "it never began"
            time.sleep(0.1)
        children = children_of(worker.pid)
        os.kill(worker.pid, signal.SIGKILL)
    finally:
        worker.kill()
        worker.wait()
    deadline = time.monotonic() + 30
    while any(map(is_alive, children)):
        assert time.monotonic() < deadline, "its process continues without it"
        time.sleep(0.2)
    half = found(service, asked)
    assert half.made >= 3 and half.ended_at is None
    monkeypatch.setattr(service, "now", lambda: time.time() + SILENT + 1)
    coached(service, monkeypatch)
    it = found(service, asked)
    assert it.made == it.steps and it.judged[0].step == half.judged[0].step
    kept = [each for each in half.judged if each.deals]
    assert all(each in it.judged for each in kept)


def children_of(pid):
    """Return the processes that a process has started."""
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(it) for it in file.read().split()]


def is_alive(pid):
    """Return True if a process runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"
