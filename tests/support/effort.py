"""How often tests repeat: little in `make test`, much in `make soak`, which sets KABOOM_LONG."""

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

LONG = bool(os.environ.get("KABOOM_LONG"))
NIGHT = bool(os.environ.get("KABOOM_NIGHT"))  # `make soak` for a whole night
PATIENCE = 60.0  # seconds that a test waits, since the machine may be busy


def often(gate: T, soak: T) -> T:
    """Return the number of iterations here, or a sample."""
    return soak if LONG else gate


def some(of: Iterable[T], every: int = 2, first: int = 0) -> list[T]:
    """Return every second item, or every so many; all of them if LONG."""
    return list(of)[0 if LONG else first :: 1 if LONG else every]
