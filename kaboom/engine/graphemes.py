"""Characters as people count them: grapheme clusters (Unicode's UAX 29).

A letter with its accents is one, and so is a flag, or a family that several signs make up.
"""

import regex

_CLUSTER = regex.compile(r"\X")


def characters(text: str) -> list[str]:
    """Return a text's characters, each of one code point or of several."""
    if text.isascii() and "\r" not in text:
        return list(text)
    found: list[str] = _CLUSTER.findall(text)
    return found


def beginning(text: str, most: int) -> str:
    """Return as much of a text as has so many characters; none is torn."""
    return "".join(characters(text)[:most])
