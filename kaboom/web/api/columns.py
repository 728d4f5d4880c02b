"""How wide a text is where each letter has a column, as in terminals and on braille displays.

Most letters of China, Japan and Korea, and most emoji, have two columns; what stands on or joins
other letters has none.
"""

import textwrap
from collections.abc import Sequence

import wcwidth

WIDTH, NARROWEST, WIDEST = 72, 20, 200


def width_of(text: str) -> int:
    """Return how many columns a text takes."""
    return len(text) if text.isascii() else wcwidth.width(text)


def wrapped(text: str, width: int, indent: str = "  ") -> Sequence[str]:
    """Return a text in lines of so many columns, the second and later ones indented; nothing for an
    empty one. No character is torn.
    """
    if text.isascii() and text.isprintable() and 0 < len(text.rstrip()) == len(text) <= width:
        return (text,)  # at once: there may be a thousand
    if width_of(text) == len(text):  # the usual letters, of one column each
        return textwrap.wrap(text, width, subsequent_indent=indent)
    return wcwidth.wrap(text, width, subsequent_indent=indent)
