"""Keyed random numbers: every draw is derived from the match's secret seed and the move's number.

docs/chance.md specifies this for programs in other languages that verify a shuffle. Seeds and their
commitments are in kaboom.engine.fairness.commitment.
"""

import hmac
from collections.abc import Collection, Sequence
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
WORD = 1 << 32


class Rng:
    """A stream of 32-bit words from HMAC-SHA-256(seed, "kaboom/v1|purpose|number|block").

    `number` is the move the stream belongs to (0 is the deal). Two purposes never share words, so a
    bot's draws reveal nothing about the deal. On a board, a stream belongs to an occasion instead:
    the purpose names its kind, such as "deal", and `number` counts the occasions of that kind.
    """

    __slots__ = ("_block", "_key", "_label", "_on_occasions", "_words")

    def __init__(self, seed: bytes, number: int | str, purpose: str = "play") -> None:
        self._key = seed
        self._label = f"kaboom/v1|{purpose}|{number}"
        self._block = 0
        self._on_occasions = False
        self._words: list[int] = []

    def fork(self, occasion: str, number: int | str) -> "Rng":
        """Return the stream for an occasion in the same match, whichever move it falls in."""
        self._on_occasions = True
        return Rng(self._key, number, occasion)

    @property
    def drawn(self) -> bool:
        """Return True if anything has been drawn so far, or a stream for an occasion has been
        created.
        """
        return self._block > 0 or self._on_occasions

    def _word(self) -> int:
        if not self._words:
            message = f"{self._label}|{self._block}".encode()
            digest = hmac.digest(self._key, message, "sha256")
            self._words = [int.from_bytes(digest[i : i + 4], "big") for i in range(28, -1, -4)]
            self._block += 1
        return self._words.pop()

    def randrange(self, limit: int) -> int:
        """Return a uniformly distributed integer from 0 up to but not including `limit`.

        Words from the largest multiple of `limit` on are rejected, so there is no modulo bias.
        """
        if not 0 < limit <= WORD:
            raise ValueError(f"limit must be 1 to {WORD}, not {limit}")
        fair = WORD - WORD % limit
        while (word := self._word()) >= fair:
            pass
        return word % limit

    def choice(self, items: Sequence[T]) -> T:
        """Return a random item; all are equally likely."""
        return items[self.randrange(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a new order (Fisher–Yates from the last place down)."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.randrange(last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Return `count` different items in random order."""
        return self.shuffled(items)[:count]

    # Their names in release 0.1, kept for games in other packages.
    one_of, below, on = choice, randrange, fork


def next_on_list(listed: Sequence[T], stock: Collection[T]) -> T:
    """Return the first item of a shuffled list that is still in the stock.

    On a board, each seat draws from a shuffled list of its own, so an extra card for one player
    rarely changes what the others draw. Every card is still as likely as in a draw from one
    shuffled stock.
    """
    return next(card for card in listed if card in stock)


Chance = Rng  # its name in release 0.1
