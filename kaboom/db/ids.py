"""What is drawn afresh for a table and nobody may foretell: seeds, cuts, codes, secret links."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any

from kaboom.engine.rng import new_cut, new_seed

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that look alike
CODE_LENGTH = 8  # of a table, a record, a tournament or a club
IMPORT_CODE = 20  # of a record from elsewhere: only somebody given the link finds it


def new_code() -> str:
    """Return a fresh code, for the link of a table or of a match's record."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def new_import_code() -> str:
    """Return a fresh code for a record from elsewhere."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(IMPORT_CODE))


# Up to release 0.2 a letter could stand before a code, to say in which database it was: such a
# code, one longer, is still found where it was kept.


def can_be_code(text: str) -> bool:
    """Return True if a text can be the code of a table, a record, a tournament or a club."""
    return re.fullmatch(rf"[A-Z0-9]{{{CODE_LENGTH},{CODE_LENGTH + 1}}}", text) is not None


def can_be_import_code(text: str) -> bool:
    """Return True if a text can be the code of a record from elsewhere."""
    return re.fullmatch(rf"[A-Z0-9]{{{IMPORT_CODE},{IMPORT_CODE + 1}}}", text) is not None


@dataclass(frozen=True, slots=True)
class Lots:
    """Functions that draw a match's seed, the cut of a player who chooses none, and the code of a
    table or a record.
    """

    seed: Callable[[], bytes] = new_seed
    cut: Callable[[], str] = new_cut
    code: Callable[[], str] = new_code


AT_RANDOM = Lots()  # drawn by the operating system


def new_secret() -> str:
    """Return the secret of a link that names no table."""
    return token_urlsafe(24)


def new_id(result: Any) -> int:
    """Return the id that a row was given which has just been stored."""
    new: int = result.inserted_primary_key[0]
    return new
