"""Table passwords: argon2id, with somewhat more work than the minimum OWASP asks for.

People choose short ones and pass them around, so guessing must be slow. Both functions take some 60
milliseconds and 19 MiB: call them where nobody waits (`Tables.aside`).
"""

import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from kaboom.engine.i18n import say
from kaboom.errors import InvalidState

LONGEST = 100  # characters

HASHER = PasswordHasher(time_cost=3, memory_cost=19 * 1024, parallelism=1)


def slow_hash_of(password: str) -> str:
    """Return what is stored of a password, nothing for an empty one.

    Raises InvalidState when it is too long.
    """
    text = typed(password)
    return HASHER.hash(text) if text else ""


def fits(stored: str, password: str) -> bool:
    """Say whether this is the password that was stored."""
    try:
        return HASHER.verify(stored, typed(password))
    except (InvalidState, VerificationError, InvalidHashError):
        return False


def typed(password: str) -> str:
    """Return a password in one form for all keyboards; raises InvalidState when it is too long."""
    text = unicodedata.normalize("NFKC", password).strip()
    if len(text) > LONGEST:
        raise InvalidState(say("A password can have {most} characters at most.", most=LONGEST))
    return text
