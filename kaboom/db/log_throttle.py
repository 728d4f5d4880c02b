"""Logs an outage and its end, rather than each failed attempt."""

import logging
import time
from collections.abc import Callable
from math import inf

log = logging.getLogger(__name__)

SAID_EVERY = 300.0  # seconds


class LogThrottle:
    """The logged failures of one resource: `what` ("the database") and `way` ("read",
    "written").
    """

    def __init__(self, what: str, way: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._what, self._way = what, way
        self._clock = clock
        self._said_at = -inf
        self._told = False  # was a failure logged, but not its end?

    def lasts(self, why: object) -> None:
        """Log the failure, unless it was logged recently."""
        if self._clock() - self._said_at >= SAID_EVERY:
            self._said_at = self._clock()
            self._told = True
            sentence = " ".join(str(why).split())
            log.warning("%s cannot be %s: %s; retrying", self._what, self._way, sentence)

    def over(self) -> None:
        """Log the recovery, if the failure was logged."""
        if self._told:
            self._told = False
            log.warning("%s can be %s again", self._what, self._way)
