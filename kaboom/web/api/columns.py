"""The width of a text in columns, as on terminals and braille displays.

Most Chinese, Japanese and Korean characters, and most emoji, take two columns; characters that
combine with others or join them take none.
"""

import textwrap
from collections.abc import Sequence

import wcwidth

WIDTH, NARROWEST, WIDEST = 72, 20, 200


def width_of(text: str) -> int:
    """Return the width of a text in columns."""
    return len(text) if text.isascii() else wcwidth.width(text)


def wrapped(text: str, width: int, indent: str = "  ") -> Sequence[str]:
    """Return the lines of a text, each at most this many columns wide, all but the first indented.
    An empty text has none. No character is split.
    """
    if text.isascii() and text.isprintable() and 0 < len(text.rstrip()) == len(text) <= width:
        return (text,)  # the fast path: there may be a thousand lines
    if width_of(text) == len(text):  # only characters of one column each
        return textwrap.wrap(text, width, subsequent_indent=indent)
    return wcwidth.wrap(text, width, subsequent_indent=indent)
