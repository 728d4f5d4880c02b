"""Periodic jobs, which other rooms register in their hooks.py (see kaboom.tables.hooks)."""

from collections.abc import Callable
from typing import Protocol

from sqlalchemy import Connection

from kaboom.tables.service import TableService


class Runner(Protocol):
    """A background job that runs alongside the clock of a worker."""

    def start(self) -> None:
        """Start the thread (under gevent, a greenlet)."""

    def stop(self) -> None:
        """Stop after the current step is finished."""


# Once an hour: functions that delete what has expired, all in one transaction.
cleanup: list[Callable[[Connection, float], None]] = []
# Once an hour: functions that use their own transactions.
hourly: list[Callable[[TableService], None]] = []
# Background jobs alongside the clock of each worker.
runners: list[Callable[[TableService], Runner]] = []
