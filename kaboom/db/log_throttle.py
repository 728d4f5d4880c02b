"""Says in the log that something cannot be used, and that it can again, not at each attempt."""

import logging
import time
from collections.abc import Callable
from math import inf

log = logging.getLogger(__name__)

SAID_EVERY = 300.0  # seconds


class Outage:
    """What the log was told of something that cannot be used: `what` ("the database") in what way
    ("read", "written").
    """

    def __init__(self, what: str, way: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._what, self._way = what, way
        self._clock = clock
        self._said_at = -inf
        self.told = False  # and not yet that it is over

    def lasts(self, why: object) -> None:
        """Say so, unless that was said a short while ago."""
        if self._clock() - self._said_at >= SAID_EVERY:
            self._said_at = self._clock()
            self.told = True
            sentence = " ".join(str(why).split())
            log.warning("%s cannot be %s: %s; it is tried again", self._what, self._way, sentence)

    def over(self) -> None:
        """Say so, if the log was told that it cannot be used."""
        if self.told:
            self.told = False
            log.warning("%s can be %s again", self._what, self._way)
