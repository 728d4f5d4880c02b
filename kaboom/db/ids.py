"""What is drawn afresh for a table and nobody may foretell: seeds, cuts, codes, secret links."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from secrets import token_urlsafe

from kaboom.accounts.names import new_code
from kaboom.engine.rng import new_cut, new_seed


@dataclass(frozen=True, slots=True)
class Lots:
    """Functions that draw a match's seed, the cut of a player who chooses none, and the code of a
    table or a record. `hall` is the letter all codes begin with, or nothing.
    """

    seed: Callable[[], bytes] = new_seed
    cut: Callable[[], str] = new_cut
    code: Callable[[], str] = new_code
    hall: str = ""


AT_RANDOM = Lots()  # drawn by the operating system


def lots_of(hall: str) -> Lots:
    """Return lots, drawn by the operating system, for the hall with that letter."""
    return Lots(code=partial(new_code, hall), hall=hall)


def new_secret(hall: str) -> str:
    """Return the secret of a link that names no table; a proxy finds the hall it was made in by
    the letter before the full stop.
    """
    secret = token_urlsafe(24)
    return f"{hall}.{secret}" if hall else secret
