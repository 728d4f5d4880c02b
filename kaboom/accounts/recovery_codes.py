"""Nine recovery words from a list of 2,048: 99 bits, so one fast hash is enough."""

import re
import secrets
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from kaboom.db.encryption import hash_of

COUNT = 9
BEGINNING = 4  # letters that distinguish the words of the list

DATA = Path(__file__).with_name("wordlists")


@cache
def all_words() -> tuple[str, ...]:
    """Return the word list in its order."""
    return tuple((DATA / "words.txt").read_text().split())


@cache
def _by_beginning() -> dict[str, str]:
    return {word[:BEGINNING]: word for word in all_words()}


def new_words() -> list[str]:
    """Return nine random words from the operating system's generator."""
    return [secrets.choice(all_words()) for _ in range(COUNT)]


def read_words(text: str) -> list[str] | None:
    """Return the words a player typed, as spelled in the list; None if one is not in the list.

    Case, numbers, commas, line breaks and all letters after the fourth are ignored.
    """
    typed = re.findall(r"[a-z]+", text.casefold())
    found = [_by_beginning().get(word[:BEGINNING]) for word in typed]
    words = [word for word in found if word is not None]
    return words if words and len(words) == len(found) else None


def hash_of_words(words: Sequence[str]) -> str:
    """Return the hash of the words to store."""
    return hash_of(f"kaboom/words/v1|{' '.join(words)}")
