"""Seeds, cuts and codes chosen by a test."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from kaboom.db.ids import new_code
from kaboom.engine.fairness.commitment import new_seed


@dataclass
class FakeIds:
    """A stand-in for kaboom.db.ids.Lots; each value can be replaced during a match.

    If no player cuts, the seed alone determines the deal.
    """

    seed: Callable[[], bytes] = new_seed
    cut: Callable[[], str] = str
    code: Callable[[], str] = new_code


def sequential_seeds(first: int = 1) -> Callable[[], bytes]:
    """Return a function that gives the seeds 1, 2, 3 and so on."""
    numbers = count(first)
    return lambda: next(numbers).to_bytes(32, "big")
