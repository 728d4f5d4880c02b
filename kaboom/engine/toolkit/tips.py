"""Tips for a first match: a sentence for each new situation.

A game has its sentences as data (`Game.tips`), and a pure function (`Game.tips_for`) that yields
the ones that fit the situation, most urgent first. Its only input is what the viewer may see. The
last sentence says how to win. It is shown when there is no new tip; a game may also yield it first,
on a player's first turn.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

AIM = "aim"

Told = tuple[str, Mapping[str, Any]]  # the key of one of the game's sentences, and its facts


def in_turn(told: Sequence[Told], number: int) -> Sequence[Told]:
    """Return the same sentences, starting with a different one for each number (of a round).

    All of them fit at any time. Without this, a player would read the first one throughout the
    match.
    """
    first = number % len(told)
    return [*told[first:], *told[:first]]


class Tip(NamedTuple):
    """A sentence for a newcomer: a template (kaboom.engine.texts), and its heading on the rules
    page.
    """

    text: str
    rule: str


class TipLine(NamedTuple):
    """A tip for one viewer; with `again`, it was shown before and is not announced."""

    key: str
    text: str
    rule: str
    again: bool = False

    @property
    def id(self) -> str:
        """Return an id that differs for each sentence, because a page keeps elements whose id is
        unchanged.
        """
        return f"t{crc32(self.text.encode()) % 0x10000:x}"
