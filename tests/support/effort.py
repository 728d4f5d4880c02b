"""How often a test tries: a little at the gate, much in `make soak`, which sets KABOOM_LONG."""

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

LONG = bool(os.environ.get("KABOOM_LONG"))
NIGHT = bool(os.environ.get("KABOOM_NIGHT"))  # `make soak` has a whole night
PATIENCE = 60.0  # seconds a test waits for what must come; a machine may be busy


def often(gate: T, soak: T) -> T:
    """Return how often to try here, or what."""
    return soak if LONG else gate


def some(of: Iterable[T], every: int = 2, first: int = 0) -> list[T]:
    """Return every second of these, or every so many; all of them where LONG."""
    return list(of)[0 if LONG else first :: 1 if LONG else every]
