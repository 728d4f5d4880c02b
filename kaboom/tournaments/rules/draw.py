"""What is drawn in a tournament: all of it follows from one key, so that anyone can check it.

The key is made of a secret, whose SHA-256 everybody sees when the tournament is opened, and of a
word of each entrant. It is fixed when the field is, and shown when all is over
(docs/tournaments.md).
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Sequence

Draw = Callable[[str], bytes]  # 32 bytes for a label; nobody can foretell them


def draw_by(key: bytes) -> Draw:
    """Return what the key of a tournament draws for each label."""
    return lambda label: hmac.digest(key, f"kaboom/v1|{label}".encode(), "sha256")


def board_label(code: str, round: int, wave: int) -> str:
    """Return the label of the board that a wave (from 0) of a round plays."""
    return f"tournament {code} {round}.{wave + 1}"


def board_secret(seed: bytes, label: str) -> bytes:
    """Return the secret of a board, 32 bytes: whoever is told one can compute no other."""
    return hmac.digest(seed, f"kaboom/v1|secret|{label}".encode(), "sha256")


def board_cut(words: Sequence[str]) -> str:
    """Return the cut of all boards of a tournament, 64 hexadecimal digits: the SHA-256 of what the
    field brought, in order of entering.
    """
    text = json.dumps(list(words), ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
