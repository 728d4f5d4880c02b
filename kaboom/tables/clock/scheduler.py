"""The clock: does whatever is due at any table, in whichever worker gets there first.

Beside it the heart records that this worker is serving: nobody's time runs while none is.
"""

import logging
import random
import threading
import time
from math import inf

from sqlalchemy import Connection

from kaboom.accounts.merge import go_on_with_all
from kaboom.db.database import Unavailable
from kaboom.tables import jobs, queries
from kaboom.tables.clock import table_time
from kaboom.tables.maintenance.cleanup import expire, tidy
from kaboom.tables.service import Tables

log = logging.getLogger(__name__)

LONGEST_SLEEP = 1.0  # seconds; what another worker left undone is found after this long
EXPIRY_EVERY = 3600.0  # seconds
EXPIRY_AGAIN = 10.0  # … while there is more to be removed
MERGE_EVERY = 20.0  # seconds
AT_ONCE = 50  # tables handled at a time when their time has come, the longest overdue first
IN_A_ROW = 10  # things done at one table before the others have their turn
REST_AFTER_FAILURE = 30.0  # seconds during which a table, or tidying, that failed is left alone
SET_BACK = 2  # beats after which an unchanged beat in the future counts as nobody's


class Ticker:
    """The clock of a worker, beside the requests; `expect()` says by when it must look."""

    def __init__(self, tables: Tables, expire_days: float = 0) -> None:
        self.tables = tables
        self.expire_days = expire_days
        self.heart = Heart(tables)
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
        """Look within this many seconds; whatever was planned sooner stays planned."""
        if due_in is not None and time.monotonic() + due_in < self._next_look:
            self._wake.set()

    def run(self) -> None:
        """Tick until stopped, let the heart beat, and start what runs beside the clock."""
        self.heart.start()
        for runner in self.runners:
            runner.start()
        while not self._stopped:
            self._next_look = inf  # anything expected while it looks makes it look again
            self._wake.clear()
            sleep = self.tick()
            self._next_look = time.monotonic() + sleep
            self._wake.wait(sleep)

    def tick(self) -> float:
        """Do everything that is due; return how many seconds to sleep at most."""
        self._forget_rested()
        try:
            # Tables being left alone are still due: they must not keep the others from being seen.
            codes = self.tables.due(AT_ONCE + len(self._resting))
            random.shuffle(codes)  # so that several workers do not wait for the same table's lock
            for code in codes:
                self._lapse(code)
            self._expire()
            self._merge()
            due_in = self.tables.due_in()
        except Unavailable:  # the store has told the log
            return LONGEST_SLEEP
        except Exception:
            log.exception("the clock could not look at the tables")
            return LONGEST_SLEEP
        if due_in is None:
            return LONGEST_SLEEP
        # At least a moment, so that a resting table cannot keep the clock spinning.
        return min(LONGEST_SLEEP, max(due_in, 0.02))

    def _expire(self) -> None:
        """Remove a few things nobody has needed for long; soon again while there are more."""
        if time.monotonic() < self._next_expiry:
            return
        # If it fails, the clock goes on with everything else meanwhile.
        self._next_expiry = time.monotonic() + REST_AFTER_FAILURE
        gone = expire(self.tables, self.expire_days) + tidy(self.tables)
        self._next_expiry = time.monotonic() + (EXPIRY_AGAIN if gone else EXPIRY_EVERY)

    def _merge(self) -> None:
        """Go on with what was begun of making one player of two."""
        if time.monotonic() >= self._next_merge:
            self._next_merge = time.monotonic() + MERGE_EVERY
            go_on_with_all(self.tables)

    def _forget_rested(self) -> None:
        """Forget the tables that have been left alone for long enough."""
        now = time.monotonic()
        self._resting = {code: until for code, until in self._resting.items() if until > now}

    def _lapse(self, code: str) -> None:
        if code in self._resting:
            return
        try:
            for _ in range(IN_A_ROW):
                if self._stopped or not self.tables.lapse(code):
                    return
        except Exception as error:
            if not isinstance(error, Unavailable):  # of which the store has told
                log.exception("the clock could not move at table %s", code)
            self._resting[code] = time.monotonic() + REST_AFTER_FAILURE


class Heart:
    """Beats in each worker that has a clock; kaboom.tables.clock.table_time says why.

    It has its own thread, so that no backlog of the clock is mistaken for an outage.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._stop = threading.Event()
        self._found: queries.Pulse | None = None
        self._unchanged = 0  # beats for which the pulse has not changed

    def start(self) -> None:
        """Start beating in a thread (under gevent, a greenlet)."""
        threading.Thread(target=self._run, name="heart", daemon=True).start()

    def stop(self) -> None:
        """Stop beating."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self.beat()
            except Unavailable:  # the store has told the log
                pass
            except Exception:
                log.exception("the heart could not beat")
            self._stop.wait(table_time.EVERY)

    def beat(self) -> None:
        """Record that somebody is serving now, which gives back the time when nobody was.

        A beat in the future is left alone while another server, whose clock is ahead, goes on
        beating. Otherwise the clock was set back.
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
            log.warning("nobody served, or the clock jumped: %.0f s are given back", seconds)
        self._unchanged = self._unchanged + 1 if new == self._found else 0
        self._found = new
