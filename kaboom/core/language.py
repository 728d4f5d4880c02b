"""The language a sentence is said in.

Every sentence is written in English where it is needed, and that English text is its key in the
catalogue of every other language. Code that answers a person says once which language is spoken;
what is said outside any answer (a log for the host, a test) stays as written.
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
    """A language: its code ("sw"), and its translation of a text, alone or with a number."""

    code: str
    text: Callable[[str], str] = _as_written
    counted: Callable[[str, str, int], str] = _as_counted


ENGLISH = Language("en")

_spoken: ContextVar[Language] = ContextVar("spoken", default=ENGLISH)

spoken_now = _spoken.get  # returns the Language spoken at this moment


def speak(language: Language) -> None:
    """Say everything in this language from now on, for the person who is being answered."""
    _spoken.set(language)


def say(text: str, /, **facts: Any) -> str:
    """Return a text in the language spoken, with its facts filled in: say("Row {row}", row=1)."""
    said = _spoken.get().text(text)
    return said.format(**facts) if facts else said


def say_counted(one: str, many: str, count: float, /, **facts: Any) -> str:
    """Return the text that fits a count: say_counted("{count} card", "{count} cards", 3).

    A fraction takes the plural: "0.5 seconds".
    """
    form = int(count) if count == int(count) else 2
    return _spoken.get().counted(one, many, form).format(count=f"{count:.12g}", **facts)


def mark(text: str) -> str:
    """Return the text itself: it is said later, and this marks it for the catalogue."""
    return text


def mark_counted(one: str, many: str) -> tuple[str, str]:
    """Return both texts of a count: they are said later, say_counted(*texts, 3)."""
    return one, many
