"""Texts for the ear: letters, digits and stops alone, and no more than is listened to at once."""

import re
from functools import lru_cache

import regex

from kaboom.engine.i18n import say, spoken_now

WORDS = 60
APART = {"(": ", ", ")": " ", "/": " ", "–": ", ", "—": ", ", "…": ".", "-": " ", "+": " + "}
APART |= {"“": ": ", "«": ": "}
BELOW_ZERO = re.compile(r"(?<!\S)[-−](\d+)")
PER_CENT = re.compile(r"(\d+(?:[.,]\d+)?)\s?%")
LOOSE = re.compile(r"\s+([.,;:?!])")
DOUBLED = re.compile(r"[,;:]+([.,;:?!])")
ASKED = re.compile(r"([?!])[,;:]")
# Emoji are read out by their names: somebody may be called nothing else.
EMOJI = r"(?=\p{RI}|\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)\X"
SILENT = regex.compile(rf"({EMOJI})|[^\p{{L}}\p{{M}}\p{{N}}\s.,;:?!’'\u200c\u200d]")


def plain(text: str) -> str:
    """Return a text without signs: letters with their marks, digits, stops and emoji."""
    return _plain(text, spoken_now().code)


@lru_cache(maxsize=10_000)  # a sentence stands in several answers about a table
def _plain(text: str, language: str) -> str:
    text = BELOW_ZERO.sub(lambda found: say("minus {number}", number=found[1]), text)
    text = PER_CENT.sub(lambda found: say("{number} percent", number=found[1]), text)
    for sign, spoken_as in APART.items():
        text = text.replace(sign, spoken_as)
    text = " ".join(SILENT.sub(lambda found: found[1] or " ", text).split())
    return ASKED.sub(r"\1", DOUBLED.sub(r"\1", LOOSE.sub(r"\1", text))).lstrip(":, ")


def cut(text: str) -> str:
    """Return as much of a text as may be said at once."""
    words = text.split()
    return text if len(words) <= WORDS else " ".join(words[:WORDS]).rstrip(".,;:") + "."
