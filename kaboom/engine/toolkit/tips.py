"""Tips for a first match: a sentence for each new situation.

A game has its sentences as data (`Game.tips`), and a pure function that names those which fit the
moment, the most pressing first (`Game.tips_for`). It is given what the viewer may see, and no more.
The last one is what wins: that stands there when nothing is new, and comes first on a first turn.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

AIM = "aim"

Told = tuple[str, Mapping[str, Any]]  # which sentence of the game's, and the facts in it


def in_turn(told: Sequence[Told], number: int) -> Sequence[Told]:
    """Return the same sentences, beginning with another one for each number (of a round).

    They fit at any time, and without this somebody would read the first of them all match long.
    """
    first = number % len(told)
    return [*told[first:], *told[:first]]


class Tip(NamedTuple):
    """A sentence for a newcomer: a template (kaboom.engine.texts), and the heading of the rules
    page it comes from.
    """

    text: str
    rule: str


class TipLine(NamedTuple):
    """A tip as one viewer reads it; `again`: it was read before, and only stands there."""

    key: str
    text: str
    rule: str
    again: bool = False

    @property
    def id(self) -> str:
        """Another one for each sentence: a page leaves what has the same id as it was."""
        return f"t{crc32(self.text.encode()) % 0x10000:x}"
