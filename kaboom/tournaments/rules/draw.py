"""The random draws of a tournament. All are derived from one key, so they can be verified.

The key combines a secret, whose SHA-256 is published when the tournament is opened, with a
contribution from each entrant. It is fixed with the field, and published when the tournament is
over (docs/chance.md).
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Sequence

Draw = Callable[[str], bytes]  # returns 32 unpredictable bytes for each label


def draw_by(key: bytes) -> Draw:
    """Return a function that draws with this key."""
    return lambda label: hmac.digest(key, f"kaboom/v1|{label}".encode(), "sha256")


def board_label(code: str, round: int, wave: int) -> str:
    """Return the label of the board of a wave (from 0) in a round."""
    return f"tournament {code} {round}.{wave + 1}"


def board_secret(seed: bytes, label: str) -> bytes:
    """Return the secret of a board, 32 bytes, which reveals no other board's secret."""
    return hmac.digest(seed, f"kaboom/v1|secret|{label}".encode(), "sha256")


def board_cut(words: Sequence[str]) -> str:
    """Return the cut of all boards of a tournament: the SHA-256 of the field's contributions, in
    order of entry, as 64 hexadecimal digits.
    """
    text = json.dumps(list(words), ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
