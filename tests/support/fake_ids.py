"""Seeds, cuts and codes that a test decides."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from kaboom.db.ids import new_code
from kaboom.engine.rng import new_seed


@dataclass
class ChosenLots:
    """Stands in for kaboom.db.ids.Lots; each can be replaced while a table is played.

    Where no player cuts, cards are dealt by the seed alone.
    """

    seed: Callable[[], bytes] = new_seed
    cut: Callable[[], str] = str
    code: Callable[[], str] = new_code


def numbered_seeds(first: int = 1) -> Callable[[], bytes]:
    """Return a function that gives the seeds 1, 2, 3 and so on: the same deals in each run."""
    numbers = count(first)
    return lambda: next(numbers).to_bytes(32, "big")
