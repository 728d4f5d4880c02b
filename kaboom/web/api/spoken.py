"""Texts for speech: only letters, digits, punctuation and emoji, truncated to a length for
listening.
"""

import re
from functools import lru_cache

import regex

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import spoken_now

WORDS = 60
APART = {"(": ", ", ")": " ", "/": " ", "–": ", ", "—": ", ", "…": ".", "-": " ", "+": " + "}
APART |= {"“": ": ", "«": ": "}
BELOW_ZERO = re.compile(r"(?<!\S)[-−](\d+)")
PER_CENT = re.compile(r"(\d+(?:[.,]\d+)?)\s?%")
LOOSE = re.compile(r"\s+([.,;:?!])")
DOUBLED = re.compile(r"[,;:]+([.,;:?!])")
ASKED = re.compile(r"([?!])[,;:]")
# Emoji are read out by their names, because a player's name may consist of them.
EMOJI = r"(?=\p{RI}|\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)\X"
SILENT = regex.compile(rf"({EMOJI})|[^\p{{L}}\p{{M}}\p{{N}}\s.,;:?!’'\u200c\u200d]")


def plain(text: str) -> str:
    """Return a text without symbols, with only its letters and their marks, digits, punctuation and
    emoji.
    """
    return _plain(text, spoken_now().code)


@lru_cache(maxsize=10_000)  # a sentence occurs in several responses about a table
def _plain(text: str, language: str) -> str:
    text = BELOW_ZERO.sub(lambda found: _("minus {number}", number=found[1]), text)
    text = PER_CENT.sub(lambda found: _("{number} percent", number=found[1]), text)
    for sign, spoken_as in APART.items():
        text = text.replace(sign, spoken_as)
    text = " ".join(SILENT.sub(lambda found: found[1] or " ", text).split())
    return ASKED.sub(r"\1", DOUBLED.sub(r"\1", LOOSE.sub(r"\1", text))).lstrip(":, ")


def cut(text: str) -> str:
    """Return the part of a text that fits into one spoken response."""
    words = text.split()
    return text if len(words) <= WORDS else " ".join(words[:WORDS]).rstrip(".,;:") + "."
