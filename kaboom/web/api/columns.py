"""The width of a text in columns, as on terminals and braille displays.

Most letters of China, Japan and Korea, and most emoji, have two columns; characters that combine
with or join other letters have none.
"""

import textwrap
from collections.abc import Sequence

import wcwidth

WIDTH, NARROWEST, WIDEST = 72, 20, 200


def width_of(text: str) -> int:
    """Return the width of a text in columns."""
    return len(text) if text.isascii() else wcwidth.width(text)


def wrapped(text: str, width: int, indent: str = "  ") -> Sequence[str]:
    """Return a text in lines of at most this many columns, later ones indented; none for an empty
    text. No character is split.
    """
    if text.isascii() and text.isprintable() and 0 < len(text.rstrip()) == len(text) <= width:
        return (text,)  # the fast path: there may be a thousand lines
    if width_of(text) == len(text):  # only letters of one column each
        return textwrap.wrap(text, width, subsequent_indent=indent)
    return wcwidth.wrap(text, width, subsequent_indent=indent)
