"""Nine recovery words of a list of 2,048: 99 bits, which nobody guesses, so one hash is enough."""

import re
import secrets
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from kaboom.db.encryption import hash_of

COUNT = 9
BEGINNING = 4  # letters, by which the words of the list differ

DATA = Path(__file__).with_name("data")


@cache
def all_words() -> tuple[str, ...]:
    """Return the list, in its order."""
    return tuple((DATA / "words.txt").read_text().split())


@cache
def _by_beginning() -> dict[str, str]:
    return {word[:BEGINNING]: word for word in all_words()}


def new_words() -> list[str]:
    """Return nine words by the operating system's chance."""
    return [secrets.choice(all_words()) for _ in range(COUNT)]


def read_words(text: str) -> list[str] | None:
    """Return the words somebody typed, as they stand in the list; None if one is not of it.

    Capitals, numbers, commas and line breaks between them do not matter, nor what follows the
    fourth letter.
    """
    typed = re.findall(r"[a-z]+", text.casefold())
    found = [_by_beginning().get(word[:BEGINNING]) for word in typed]
    words = [word for word in found if word is not None]
    return words if words and len(words) == len(found) else None


def hash_of_words(words: Sequence[str]) -> str:
    """Return what is stored of the words."""
    return hash_of(f"kaboom/words/v1|{' '.join(words)}")
