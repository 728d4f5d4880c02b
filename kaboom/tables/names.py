"""Names people give themselves, made fit to stand on a page beside other names."""

import secrets
import unicodedata
from collections.abc import Iterable

LONGEST = 24
# Letters, marks, numbers, punctuation, symbols and the plain space; no control, no formatting
# (which would turn the direction of text around), no private or unassigned characters.
ALLOWED = {"L", "M", "N", "P", "S"}

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that look alike
CODE_LENGTH = 8


def new_code() -> str:
    """Return a fresh code, for the link of a table or of a match's record."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def cleaned(name: str, longest: int = LONGEST) -> str:
    """Return the text in NFC, without control and formatting characters, at most so long."""
    text = unicodedata.normalize("NFC", name)
    kept = "".join(c if unicodedata.category(c)[0] in ALLOWED else " " for c in text)
    return " ".join(kept.split())[:longest].strip()


def told_apart(name: str, others: Iterable[str]) -> str:
    """Return the name, with a number behind it when somebody at the table has the same."""
    taken = {_folded(other) for other in others}
    if _folded(name) not in taken:
        return name
    number = 2
    while _folded(f"{name} {number}") in taken:
        number += 1
    return f"{name} {number}"


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
