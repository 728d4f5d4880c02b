"""Characters as users perceive them: grapheme clusters (Unicode's UAX 29).

A letter with its accents is one character, and so is a flag or a family emoji of several code
points.
"""

import regex

_CLUSTER = regex.compile(r"\X")


def characters(text: str) -> list[str]:
    """Return a text's characters, each made of one or more code points."""
    if text.isascii() and "\r" not in text:
        return list(text)
    found: list[str] = _CLUSTER.findall(text)
    return found


def beginning(text: str, most: int) -> str:
    """Return at most the first `most` characters of a text, without splitting any."""
    return "".join(characters(text)[:most])
