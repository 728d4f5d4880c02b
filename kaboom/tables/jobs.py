"""What other rooms do periodically; they register it in their hooks.py (kaboom.tables.hooks)."""

from collections.abc import Callable
from typing import Protocol

from sqlalchemy import Connection

from kaboom.tables.service import Tables


class Runner(Protocol):
    """Work that runs beside the clock of a worker."""

    def start(self) -> None:
        """Start in a thread (under gevent, a greenlet)."""

    def stop(self) -> None:
        """Stop; a step being done is finished first."""


# Once an hour: delete what had expired at that time, all in one transaction.
cleanup: list[Callable[[Connection, float], None]] = []
# Once an hour, each in transactions of its own.
hourly: list[Callable[[Tables], None]] = []
# Beside the clock of each worker.
runners: list[Callable[[Tables], Runner]] = []
