"""The clock: whatever is due at any table is done, by whichever worker gets there first."""

import logging
import threading
import time
from math import inf

from kaboom.tables.service import Tables
from kaboom.tables.upkeep import expire

log = logging.getLogger(__name__)

LONGEST_SLEEP = 1.0  # seconds; what another worker left undone is found after this long
EXPIRY_EVERY = 3600.0  # seconds
AT_ONCE = 50  # tables whose time has come are done so many at a time, the longest overdue first
REST_AFTER_FAILURE = 30.0  # seconds during which a table that failed is left alone


class Ticker:
    """Runs in each worker beside the requests; `expect()` says when it must look at the latest."""

    def __init__(self, tables: Tables, expire_days: float = 0) -> None:
        self.tables = tables
        self.expire_days = expire_days
        self._next_expiry = -inf
        self._wake = threading.Event()
        self._stopped = False
        self._next_look = inf
        self._resting: dict[str, float] = {}

    def start(self) -> threading.Thread:
        """Start ticking in a thread (under gevent, a greenlet); return it."""
        thread = threading.Thread(target=self.run, name="clock", daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """Stop ticking; a move being made is finished first."""
        self._stopped = True
        self._wake.set()

    def expect(self, due_at: float | None) -> None:
        """Look no later than that (seconds since 1970); what was planned sooner stays planned."""
        if due_at is not None and due_at < self._next_look:
            self._wake.set()

    def run(self) -> None:
        """Tick until stopped."""
        while not self._stopped:
            self._next_look = inf  # whatever is expected while it looks makes it look again
            self._wake.clear()
            sleep = self.tick()
            self._next_look = self.tables.now() + sleep
            self._wake.wait(sleep)

    def tick(self) -> float:
        """Do everything that is due; return how many seconds to sleep at most."""
        try:
            # Those that rest are still due: they must not keep the others from being seen.
            for code in self.tables.due(AT_ONCE + len(self._resting)):
                self._lapse(code)
            self._expire()
            soonest = self.tables.next_due()
        except Exception:
            log.exception("the clock could not look at the tables")
            return LONGEST_SLEEP
        if soonest is None:
            return LONGEST_SLEEP
        # At least a moment, so that a resting table cannot keep the clock spinning.
        return min(LONGEST_SLEEP, max(soonest - self.tables.now(), 0.02))

    def _expire(self) -> None:
        """Take away a few tables nobody touched for long; soon again while there are more."""
        if time.monotonic() < self._next_expiry:
            return
        gone = expire(self.tables, self.expire_days)
        self._next_expiry = time.monotonic() + (10.0 if gone else EXPIRY_EVERY)

    def _lapse(self, code: str) -> None:
        if self._resting.get(code, 0) > time.monotonic():
            return
        self._resting.pop(code, None)
        try:
            while not self._stopped and self.tables.lapse(code):
                pass
        except Exception:
            log.exception("the clock could not move at table %s", code)
            self._resting[code] = time.monotonic() + REST_AFTER_FAILURE
