"""The language a sentence is said in.

Every sentence is written in English where it is needed, and that English text is its key in the
catalogue of every other language. Code that answers a person says once which language is spoken;
what is said outside any answer (a log for the host, a test) stays as written.
"""

import re
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
    """A language: its code ("sw"), and its translation of a text, alone or with a number.

    `direction` is that of its letters: "ltr", from left to right, or "rtl".
    """

    code: str
    text: Callable[[str], str] = _as_written
    counted: Callable[[str, str, int], str] = _as_counted
    direction: str = "ltr"


ENGLISH = Language("en")

_spoken: ContextVar[Language] = ContextVar("spoken", default=ENGLISH)

spoken_now = _spoken.get  # returns the Language spoken at this moment


def speak(language: Language) -> None:
    """Say everything in this language from now on, for the person who is being answered."""
    _spoken.set(language)


def say(text: str, /, **facts: Any) -> str:
    """Return a text in the language spoken, with its facts filled in: say("Row {row}", row=1)."""
    said = _spoken.get().text(text)
    return said.format(**{name: isolated(fact) for name, fact in facts.items()}) if facts else said


def say_counted(one: str, many: str, count: float, /, **facts: Any) -> str:
    """Return the text that fits a count: say_counted("{count} card", "{count} cards", 3).

    A fraction takes the plural: "0.5 seconds".
    """
    form = int(count) if count == int(count) else 2
    facts = {name: isolated(fact) for name, fact in facts.items()}
    return _spoken.get().counted(one, many, form).format(count=figures(count), **facts)


def figures(number: float | None) -> str:
    """Return a number in figures: "7", "7.5"; "—" where there is none."""
    return "—" if number is None else f"{number:.12g}"


# Hebrew, Arabic and the other scripts written from right to left; letters written the other way.
_FROM_RIGHT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_FROM_LEFT = re.compile(r"[^\W\d_\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_APART = "\u2068{}\u2069"


def isolated(fact: Any) -> Any:
    """Return what is filled into a sentence, held together where it runs against the sentence.

    Without that, a name in Arabic turns round the English words and numbers beside it.
    """
    if type(fact) is not str:  # a number, or markup
        return fact
    if _spoken.get().direction == "rtl":
        return _APART.format(fact) if _FROM_LEFT.search(fact) else fact
    return _APART.format(fact) if not fact.isascii() and _FROM_RIGHT.search(fact) else fact


def mark(text: str) -> str:
    """Return the text itself: it is said later, and this marks it for the catalogue."""
    return text


def mark_counted(one: str, many: str) -> tuple[str, str]:
    """Return both texts of a count: they are said later, say_counted(*texts, 3)."""
    return one, many
