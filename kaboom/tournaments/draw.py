"""What is drawn in a tournament: all of it follows from one key, so that anyone can check it.

The key is made of a secret, whose SHA-256 everybody sees when the tournament is opened, and of a
word of each entrant. It is fixed when the field is, and shown when all is over
(docs/tournaments.md).
"""

import hmac
from collections.abc import Callable

Draw = Callable[[str], bytes]  # 32 bytes for a label; nobody can foretell them


def draw_by(key: bytes) -> Draw:
    """Return what the key of a tournament draws for each label."""
    return lambda label: hmac.digest(key, f"kaboom/v1|{label}".encode(), "sha256")
