"""Translation of sentences, without a web framework.

Every sentence is written in English where it is used, and the English text is its key in the
catalogues. Code that handles a request sets the language once with `speak`; outside of requests, as
in logs and tests, texts stay in English.
"""

import re
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


def _as_written(text: str) -> str:
    return text


def _as_counted(one: str, many: str, number: int) -> str:
    return one if number in (1, -1) else many


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its code ("sw") and its functions for translating a text, without and with a
    number (plural forms).

    `direction` is that of its script: "ltr", from left to right, or "rtl".
    """

    code: str
    text: Callable[[str], str] = _as_written
    counted: Callable[[str, str, int], str] = _as_counted
    direction: str = "ltr"


ENGLISH = Language("en")

_spoken: ContextVar[Language] = ContextVar("spoken", default=ENGLISH)

spoken_now = _spoken.get  # returns the current Language


def speak(language: Language) -> None:
    """Set the language of the current request."""
    _spoken.set(language)


def gettext(text: str, /, **facts: Any) -> str:
    """Return a text in the current language, with its facts: gettext("Row {row}", row=1)."""
    said = _spoken.get().text(text)
    return said.format(**{name: isolated(fact) for name, fact in facts.items()}) if facts else said


def ngettext(one: str, many: str, count: float, /, **facts: Any) -> str:
    """Return the text for a count, with its facts: ngettext("{count} card", "{count} cards", 3).

    A fraction takes the plural form of 100: "0.5 seconds". The form of 2 is a dual in languages
    such as Arabic, and contains no number.
    """
    form = int(count) if count == int(count) else 100
    facts = {name: isolated(fact) for name, fact in facts.items()}
    said = figures(count).replace("-", "−")  # a minus sign instead of a hyphen
    return _spoken.get().counted(one, many, form).format(count=said, **facts)


def figures(number: float | None) -> str:
    """Return a number in digits, such as "7" or "7.5"; "—" for None."""
    return "—" if number is None else f"{number + 0:.12g}"  # + 0: not "-0"


# Hebrew, Arabic and the other scripts written from right to left; then letters of all others.
_FROM_RIGHT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_FROM_LEFT = re.compile(r"[^\W\d_\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_APART = "\u2068{}\u2069"


def isolated(fact: Any) -> Any:
    """Return a fact for a sentence, isolated if its script runs in the other direction.

    Without isolation, a name in Arabic would reverse the order of English words and numbers next to
    it.
    """
    if type(fact) is not str:  # a number, or markup
        return fact
    if _spoken.get().direction == "rtl":
        return _APART.format(fact) if _FROM_LEFT.search(fact) else fact
    return _APART.format(fact) if not fact.isascii() and _FROM_RIGHT.search(fact) else fact


def gettext_noop(text: str) -> str:
    """Return the text unchanged, marked for the catalogue; it is translated later."""
    return text


def ngettext_noop(one: str, many: str) -> tuple[str, str]:
    """Return both texts unchanged, marked for the catalogue; ngettext(*texts, 3) translates them
    later.
    """
    return one, many


# Their names in release 0.1, kept for games in other packages.
say, say_counted = gettext, ngettext
mark, mark_counted = gettext_noop, ngettext_noop
