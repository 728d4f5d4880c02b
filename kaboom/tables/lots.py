"""What is drawn afresh for a table and nobody may foretell: seeds, cuts, codes."""

from collections.abc import Callable
from dataclasses import dataclass

from kaboom.core.chance import new_cut, new_seed
from kaboom.tables.names import new_code


@dataclass(frozen=True, slots=True)
class Lots:
    """Functions that draw a match's seed, the cut of a player who chooses none, and the code of a
    table or a record.
    """

    seed: Callable[[], bytes] = new_seed
    cut: Callable[[], str] = new_cut
    code: Callable[[], str] = new_code


AT_RANDOM = Lots()  # drawn by the operating system
