"""Parsing of form fields and query values."""

from enum import StrEnum
from typing import TypeVar

E = TypeVar("E", bound=StrEnum)


def number(text: str | None, otherwise: int = -1, digits: int = 9) -> int:
    """Return a whole number of at most this many digits; `otherwise` if the text is not one. -1
    matches nothing.
    """
    text = text or ""
    readable = text.isascii() and text.isdigit() and len(text) <= digits
    return int(text) if readable else otherwise


def chosen(text: str | None, otherwise: E) -> E:
    """Return the enum member with that value, or else `otherwise`."""
    kind = type(otherwise)
    return kind(text) if text and text in {*kind} else otherwise
