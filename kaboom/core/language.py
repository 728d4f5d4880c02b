"""The language a sentence is said in.

Every sentence is written in English where it is needed, and that English text is its key in the
catalogue of every other language. Whoever answers a person says once which language is spoken; what
is said outside of any answer (a log for the host, a test) is said as it is written.
"""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


def _as_written(text: str) -> str:
    return text


def _as_counted(one: str, many: str, number: int) -> str:
    return one if number == 1 else many


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its code ("sw"), and what it has for a text, alone or with a number."""

    code: str
    text: Callable[[str], str] = _as_written
    counted: Callable[[str, str, int], str] = _as_counted


ENGLISH = Language("en")

_spoken: ContextVar[Language] = ContextVar("spoken", default=ENGLISH)

spoken_now = _spoken.get  # returns the Language that is spoken here and now


def speak(language: Language) -> None:
    """Say everything in this language from now on, for the person who is being answered."""
    _spoken.set(language)


def say(text: str, /, **facts: Any) -> str:
    """Return a text in the language spoken, with its facts filled in: say("Row {row}", row=1)."""
    said = _spoken.get().text(text)
    return said.format(**facts) if facts else said


def say_counted(one: str, many: str, count: int, /, **facts: Any) -> str:
    """Return the text that fits a count: say_counted("{count} card", "{count} cards", 3)."""
    return _spoken.get().counted(one, many, count).format(count=count, **facts)


def mark(text: str) -> str:
    """Return the text itself: it is said later, and its catalogue entry is to be found here."""
    return text
