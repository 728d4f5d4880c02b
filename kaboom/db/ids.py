"""What is drawn afresh for a table and nobody may foretell: seeds, cuts, codes, secret links."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from secrets import token_urlsafe

from kaboom.engine.rng import new_cut, new_seed

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that look alike
CODE_LENGTH = 8  # of a table, a record, a tournament or a club
IMPORT_CODE = 20  # of a record from elsewhere: only somebody given the link finds it


def new_code(hall: str = "") -> str:
    """Return a fresh code, for the link of a table or of a match's record.

    In another hall than the first its letter stands before it: the same code can be in no two.
    """
    return hall + "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def new_import_code(hall: str = "") -> str:
    """Return a fresh code for a record from elsewhere."""
    return hall + "".join(secrets.choice(CODE_LETTERS) for _ in range(IMPORT_CODE))


def can_be_code(text: str) -> bool:
    """Say whether a text can be the code of a table, a record or a tournament, in any hall."""
    return re.fullmatch(rf"[A-Z0-9]{{{CODE_LENGTH},{CODE_LENGTH + 1}}}", text) is not None


def can_be_import_code(text: str) -> bool:
    """Say whether a text can be the code of a record from elsewhere, in any hall."""
    return re.fullmatch(rf"[A-Z0-9]{{{IMPORT_CODE},{IMPORT_CODE + 1}}}", text) is not None


def hall_of(code: str) -> str:
    """Return the letter of the hall a code belongs to; empty for one of the first hall."""
    return code[0] if len(code) in (CODE_LENGTH + 1, IMPORT_CODE + 1) else ""


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
