"""The clock: each due item, at any table, is handled by the first worker that gets to it.

A heartbeat alongside it records that this worker is serving. While no worker serves, no player's
clock runs.
"""

import logging
import random
import threading
import time
from math import inf

from sqlalchemy import Connection

from kaboom.accounts.merge import continue_all_merges
from kaboom.db.database import Unavailable
from kaboom.tables import jobs, queries
from kaboom.tables.clock import table_time
from kaboom.tables.maintenance.cleanup import expire, tidy
from kaboom.tables.service import TableService

log = logging.getLogger(__name__)

LONGEST_SLEEP = 1.0  # seconds until the clock checks for what another worker left undone
EXPIRY_EVERY = 3600.0  # seconds
EXPIRY_AGAIN = 10.0  # … while there is more to delete
MERGE_EVERY = 20.0  # seconds
AT_ONCE = 50  # due tables handled at a time, the longest overdue first
IN_A_ROW = 10  # items handled at one table before the next table
REST_AFTER_FAILURE = 30.0  # seconds before a table, or a cleanup, that failed is tried again
SET_BACK = 2  # heartbeats after which an unchanged one in the future counts as stale


class Ticker:
    """The clock of a worker, in a thread of its own; `expect()` wakes it in time."""

    def __init__(self, tables: TableService, expire_days: float = 0) -> None:
        self.tables = tables
        self.expire_days = expire_days
        self.heart = Heartbeat(tables)
        self.runners = [runner(tables) for runner in jobs.runners]
        self._next_expiry = self._next_merge = -inf
        self._wake = threading.Event()
        self._stopped = False
        self._next_look = inf
        self._resting: dict[str, float] = {}

    def start(self) -> None:
        """Start ticking in a thread (under gevent, a greenlet)."""
        threading.Thread(target=self.run, name="clock", daemon=True).start()

    def stop(self) -> None:
        """Stop ticking; a move being made is finished first."""
        self._stopped = True
        self._wake.set()
        self.heart.stop()
        for runner in self.runners:
            runner.stop()

    def expect(self, due_in: float | None) -> None:
        """Wake up within this many seconds, or earlier if that was already planned."""
        if due_in is not None and time.monotonic() + due_in < self._next_look:
            self._wake.set()

    def run(self) -> None:
        """Run the clock until it is stopped; also start the heartbeat and the other background
        jobs.
        """
        self.heart.start()
        for runner in self.runners:
            runner.start()
        while not self._stopped:
            self._next_look = inf  # whatever is expected during the tick causes another one
            self._wake.clear()
            sleep = self.tick()
            self._next_look = time.monotonic() + sleep
            self._wake.wait(sleep)

    def tick(self) -> float:
        """Handle everything that is due; return the maximum number of seconds until the
        next tick.
        """
        self._forget_rested()
        try:
            # Tables waiting to be tried again are still due: they must not crowd out the others.
            codes = self.tables.due(AT_ONCE + len(self._resting))
            random.shuffle(codes)  # so that workers do not wait for the lock of the same table
            for code in codes:
                self._run_due_items(code)
            self._expire()
            self._merge()
            due_in = self.tables.due_in()
        except Unavailable:  # already logged by the database
            return LONGEST_SLEEP
        except Exception:
            log.exception("the clock could not read the tables")
            return LONGEST_SLEEP
        if due_in is None:
            return LONGEST_SLEEP
        # A minimum, so that a table waiting to be tried again does not make the clock spin.
        return min(LONGEST_SLEEP, max(due_in, 0.02))

    def _expire(self) -> None:
        """Delete a batch of expired data, and run again soon while there is more."""
        if time.monotonic() < self._next_expiry:
            return
        # If it fails, the clock continues with everything else.
        self._next_expiry = time.monotonic() + REST_AFTER_FAILURE
        gone = expire(self.tables, self.expire_days) + tidy(self.tables)
        self._next_expiry = time.monotonic() + (EXPIRY_AGAIN if gone else EXPIRY_EVERY)

    def _merge(self) -> None:
        """Continue account merges that have begun."""
        if time.monotonic() >= self._next_merge:
            self._next_merge = time.monotonic() + MERGE_EVERY
            continue_all_merges(self.tables)

    def _forget_rested(self) -> None:
        """Forget the failures of tables that may now be tried again."""
        now = time.monotonic()
        self._resting = {code: until for code, until in self._resting.items() if until > now}

    def _run_due_items(self, code: str) -> None:
        """Handle up to IN_A_ROW due items of a table; let a table that fails rest for a while."""
        if code in self._resting:
            return
        try:
            for _ in range(IN_A_ROW):
                if self._stopped or not self.tables.run_due(code):
                    return
        except Exception as error:
            if not isinstance(error, Unavailable):  # already logged by the database
                log.exception("the clock failed at table %s", code)
            self._resting[code] = time.monotonic() + REST_AFTER_FAILURE


class Heartbeat:
    """The heartbeat of a worker that has a clock (see kaboom.tables.clock.table_time).

    It has its own thread, so that a backlog of the clock does not look like an outage.
    """

    def __init__(self, tables: TableService) -> None:
        self.tables = tables
        self._stop = threading.Event()
        self._found: queries.Pulse | None = None
        self._unchanged = 0  # heartbeats since the stored one last changed

    def start(self) -> None:
        """Start the thread (under gevent, a greenlet)."""
        threading.Thread(target=self._run, name="heart", daemon=True).start()

    def stop(self) -> None:
        """Stop the heartbeat."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self.beat()
            except Unavailable:  # already logged by the database
                pass
            except Exception:
                log.exception("could not record a heartbeat")
            self._stop.wait(table_time.EVERY)

    def beat(self) -> None:
        """Record that a worker is serving now, and credit players with the time during which no
        worker was serving.

        A heartbeat in the future is left as it is while another server, whose clock is ahead, keeps
        sending them. Otherwise the clock was set back, and the heartbeat is replaced.
        """

        def work(connection: Connection) -> tuple[queries.Pulse | None, queries.Pulse]:
            old = queries.pulse_now(connection, lock=True)
            now = self.tables.now()
            if (
                old is not None
                and old.beat_at > now
                and (old != self._found or self._unchanged < SET_BACK)
            ):
                return old, old
            new = table_time.beaten(old, now)
            queries.save_pulse(connection, new, first=old is None)
            return old, new

        old, new = self.tables.database.write(work)
        if old and old.outages != new.outages:
            seconds = new.given_back - old.given_back
            log.warning("outage or clock jump: %.0f s are credited to players", seconds)
        self._unchanged = self._unchanged + 1 if new == self._found else 0
        self._found = new
