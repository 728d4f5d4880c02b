"""A pseudo-language for tests: English with accents, in brackets, each word 40% longer.

A text without brackets has not been translated through the catalogues; a page that breaks in it
would break in a language with longer words.
"""

import re

from kaboom.engine.i18n import Language

ACCENTS = str.maketrans("aceiklnostuyACEIKLNOSTUY", "àçéîķļñöšţûýÀÇÉÎĶĻÑÖŠŢÛÝ")

# Parts that stay unchanged: %(name)s, {name:speller}, markup and entities.
KEPT = re.compile(r"(%\(\w+\)s|%%|\{[^{}]*\}|<[^<>]*>|&[^;\s]+;)")


def stretched(text: str) -> str:
    """Return the text in the pseudo-language: [Šţàrţ·· à· ţàbļé··]."""
    if not text.strip():
        return text
    owed = 0.0  # dots still owed to the words processed so far

    def longer(word: re.Match[str]) -> str:
        nonlocal owed
        owed += 0.4 * len(word[0])
        dots = int(owed)
        owed -= dots
        return word[1].translate(ACCENTS) + "·" * dots + word[2]

    parts = KEPT.split(text)
    parts[::2] = [re.sub(r"(\S+)(\s*)", longer, part) for part in parts[::2]]
    return f"[{''.join(parts)}]"


def _counted(one: str, many: str, number: int) -> str:
    return stretched(one if number == 1 else many)


PSEUDO = Language("xx", stretched, _counted)
