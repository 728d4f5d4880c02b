"""Coaching in the background of a worker: one match at a time, in a process of the lowest priority.

The results are stored after each step, so that another worker can continue if this one dies. Each
write checks that the job still belongs to this worker.
"""

import logging
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection

from kaboom.coach import queries
from kaboom.coach.judged_decision import average
from kaboom.coach.process import Progress, Task
from kaboom.coach.queries import Coaching
from kaboom.db.database import Unavailable
from kaboom.engine.codec import from_json, to_json
from kaboom.records import queries as records
from kaboom.tables.match_record import Record
from kaboom.tables.service import TableService

log = logging.getLogger(__name__)

LOOK = 1.0  # seconds between two polls
LONGEST = 600.0  # seconds for a match before it is retried
PROGRAM = [sys.executable, "-m", "kaboom.coach.process"]
FOLDER = Path(__file__).parents[2]  # the directory that contains the package


class Coach:
    """Runs coaching jobs, one after the other."""

    def __init__(self, tables: TableService) -> None:
        self.tables = tables
        self._wake = threading.Event()
        self._stopped = False
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start in a thread (under gevent, a greenlet)."""
        threading.Thread(target=self._run, name="coach", daemon=True).start()

    def stop(self) -> None:
        """Stop at once; results are stored, and another worker continues."""
        self._stopped = True
        self._wake.set()
        if self._process is not None:
            self._process.kill()

    def _run(self) -> None:
        while not self._stopped:
            try:
                while not self._stopped and self.coach_next():
                    pass
            except Unavailable:  # already logged by the database
                pass
            except Exception:
                log.exception("could not coach a match")
            self._wake.wait(LOOK)

    def coach_next(self) -> bool:
        """Coach the match that has waited longest; return False if none waits."""
        me, now = secrets.token_hex(16), self.tables.now()
        if not self.tables.database.read(queries.waiting):
            return False
        found = self.tables.database.write(lambda connection: queries.take(connection, me, now))
        if found is None:
            return False
        it, code = found
        record = self.tables.database.read(lambda connection: _record(connection, code))
        task = Task(record, it.seat, it.judged, it.made if it.judged else 0)
        if self._judge(it, me, task):
            return self._end(it, me)
        if self._stopped:
            self.tables.database.write(lambda connection: queries.leave(connection, it, me))
        return not self._stopped

    def _judge(self, it: Coaching, me: str, task: Task) -> bool:
        """Judge a match and store the results; return True if it is complete."""
        began, last = time.monotonic(), Progress([], 0, -1)
        with closing(self.progress(task)) as course:
            for progress in course:
                last = progress or last
                kept = self._keep(it, me, progress)
                if self._stopped or not kept or time.monotonic() - began > LONGEST:
                    break
        return last.made == last.steps

    def progress(self, task: Task) -> Generator[Progress | None, None, None]:
        """Yield the progress that the child process reports, or None for a heartbeat."""
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(FOLDER), os.environ.get("PYTHONPATH", "")]),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        with subprocess.Popen(
            PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        ) as process:
            self._process = process
            assert process.stdin
            assert process.stdout
            try:
                process.stdin.write(to_json(task))
                process.stdin.close()
                for line in process.stdout:
                    yield from_json(line, Progress) if line.strip() else None
            except BrokenPipeError:  # it exited early
                pass
            finally:
                process.kill()
                self._process = None

    def _keep(self, it: Coaching, me: str, progress: Progress | None) -> bool:
        now = self.tables.now()

        def work(connection: Connection) -> bool:
            if progress is None:
                return queries.beat(connection, it, me, now)
            what = progress.judged, progress.made, progress.steps
            return queries.keep(connection, it, me, now, *what)

        return self.tables.database.write(work)

    def _end(self, it: Coaching, me: str) -> bool:
        now = self.tables.now()

        def work(connection: Connection) -> None:
            found = queries.coaching(connection, it.match_id, it.player_id)
            whole = found and found.judged is not None and found.made == found.steps
            cost = average(found.judged or ()) if found and whole else None
            queries.end(connection, it, me, now, cost)

        self.tables.database.write(work)
        return True


def _record(connection: Connection, code: str) -> Record:
    """Return the record of a finished match."""
    match = records.match_by_code(connection, code)
    assert match is not None
    return records.record(connection, match)
