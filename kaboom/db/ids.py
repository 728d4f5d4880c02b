"""Cryptographically random values: seeds, cuts, table codes, link secrets."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kaboom.engine.fairness.commitment import new_cut, new_seed

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # without characters that look alike
CODE_LENGTH = 8  # length of the code of a table, record, tournament, club or challenge
IMPORT_CODE = 20  # length of the code of an uploaded record, found only by its link


def new_code() -> str:
    """Return a new code for the link to a table or a match's record."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def new_import_code() -> str:
    """Return a new code for an uploaded record."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(IMPORT_CODE))


# Up to release 0.2, a letter before a code named its database; such a code, one letter longer,
# still works.


def can_be_code(text: str) -> bool:
    """Return True if a text can be the code of a table, record, tournament, club or challenge."""
    return re.fullmatch(rf"[A-Z0-9]{{{CODE_LENGTH},{CODE_LENGTH + 1}}}", text) is not None


def can_be_import_code(text: str) -> bool:
    """Return True if a text can be the code of an uploaded record."""
    return re.fullmatch(rf"[A-Z0-9]{{{IMPORT_CODE},{IMPORT_CODE + 1}}}", text) is not None


@dataclass(frozen=True, slots=True)
class Ids:
    """Generators of a match's seed, a player's default cut, and the code of a table or record."""

    seed: Callable[[], bytes] = new_seed
    cut: Callable[[], str] = new_cut
    code: Callable[[], str] = new_code


AT_RANDOM = Ids()  # from the operating system's generator


def new_secret() -> str:
    """Return a new secret for a link that names no table."""
    return secrets.token_urlsafe(24)


def new_id(result: Any) -> int:
    """Return the id of the row that was just inserted."""
    new: int = result.inserted_primary_key[0]
    return new
