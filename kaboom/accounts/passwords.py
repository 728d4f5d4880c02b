"""Password hashes: argon2id, with parameters above OWASP's minimum.

People choose short passwords and share them, so guessing must be slow. Hashing and verifying each
take about 60 milliseconds and 19 MiB: call them in a thread (`TableService.hash_in_thread`).
"""

import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState

LONGEST = 100  # characters

HASHER = PasswordHasher(time_cost=3, memory_cost=19 * 1024, parallelism=1)


def slow_hash_of(password: str) -> str:
    """Return the hash of a password to store, or "" for an empty one. Raises InvalidState if it
    is too long.
    """
    text = typed(password)
    return HASHER.hash(text) if text else ""


def matches(stored: str, password: str) -> bool:
    """Return True if the password matches the stored hash."""
    try:
        return HASHER.verify(stored, typed(password))
    except (InvalidState, VerificationError, InvalidHashError):
        return False


def typed(password: str) -> str:
    """Return a password normalised across keyboards. Raises InvalidState if it is too long."""
    text = unicodedata.normalize("NFKC", password).strip()
    if len(text) > LONGEST:
        raise InvalidState(_("A password can have at most {most} characters.", most=LONGEST))
    return text
