"""A language nobody speaks: English with accents, in brackets and 40 % longer.

A text without the brackets was never given to the catalogues; a page that breaks under it would
break in a language with longer words.
"""

import re

from kaboom.core.language import Language

ACCENTS = str.maketrans("aceiklnostuyACEIKLNOSTUY", "àçéîķļñöšţûýÀÇÉÎĶĻÑÖŠŢÛÝ")

# What stays as it is: %(name)s, {name:speller}, markup and entities.
KEPT = re.compile(r"(%\(\w+\)s|%%|\{[^{}]*\}|<[^<>]*>|&[^;\s]+;)")


def stretched(text: str) -> str:
    """Return the text in the pseudo-language: [Šţàŗţ à ţàbļé·····]."""
    if not text.strip():
        return text
    parts = KEPT.split(text)
    parts[::2] = [part.translate(ACCENTS) for part in parts[::2]]
    length = sum(map(len, parts[::2]))
    return f"[{''.join(parts)}{'·' * max(1, round(0.4 * length))}]"


def _counted(one: str, many: str, number: int) -> str:
    return stretched(one if number == 1 else many)


PSEUDO = Language("xx", stretched, _counted)
