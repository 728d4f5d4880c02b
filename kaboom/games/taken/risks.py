"""For bots: the rows as numbers, which are fast to copy and to play on, and the risk of each
card.
"""

from bisect import bisect
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb

from kaboom.games.taken.rules import HIGHEST, POINTS, cost

A_CARD = 1.7  # points, estimated; expected cost of each further card in a row
TABLES = 512  # cached: one for each table size and number of unseen cards


class Rows:
    """The last card, the number of cards and the points of each row, ordered by the last cards.

    The row of a card is then found by bisection, and placing a card never changes the order.
    """

    __slots__ = ("ends", "full", "points", "sizes")

    def __init__(self, ends: list[int], sizes: list[int], points: list[int], full: int) -> None:
        self.ends = ends
        self.sizes = sizes
        self.points = points
        self.full = full  # the number of cards a row holds

    @classmethod
    def of(cls, rows: Iterable[Sequence[int]], full: int) -> "Rows":
        """Return these rows, ordered by their last cards; `full` is the number of cards a row
        holds.
        """
        ordered = sorted(rows, key=lambda row: row[-1])
        ends = [row[-1] for row in ordered]
        return cls(ends, [len(row) for row in ordered], [cost(row) for row in ordered], full)

    def copy(self) -> "Rows":
        return Rows(self.ends.copy(), self.sizes.copy(), self.points.copy(), self.full)

    def place(self, cards: Iterable[int], mine: int = 0) -> tuple[int, int]:
        """Place cards in this order; return the points taken by the card `mine`, and by all others.

        A card below all rows takes the cheapest row.
        """
        ends, sizes, points, full = self.ends, self.sizes, self.points, self.full
        own = theirs = 0
        for card in cards:
            row = bisect(ends, card) - 1
            if row < 0:
                taken = self.take(points.index(min(points)), card)
            elif sizes[row] < full:
                ends[row] = card
                sizes[row] += 1
                points[row] += POINTS[card]
                continue
            else:
                taken = points[row]
                ends[row], sizes[row], points[row] = card, 1, POINTS[card]
            if card == mine:
                own += taken
            else:
                theirs += taken
        return own, theirs

    def take(self, row: int, card: int) -> int:
        """Replace a row by a card below all rows, and return the row's points."""
        del self.ends[row], self.sizes[row]
        taken = self.points.pop(row)
        self.ends.insert(0, card)
        self.sizes.insert(0, 1)
        self.points.insert(0, POINTS[card])
        return taken


def gap(rows: Rows, card: int) -> int:
    """Return the distance of a card from its row, or HIGHEST if the card would take a row."""
    row = bisect(rows.ends, card) - 1
    return card - rows.ends[row] if row >= 0 and rows.sizes[row] < rows.full else HIGHEST


# For a card below all rows, then for each row: the probability that the row is full, by the number
# of unseen cards in between; the number of unseen cards below its end; and the cost.
Lines = list[tuple[Sequence[float], int, float]]


class Risks:
    """The expected cost of each card if the rivals play random unseen cards."""

    __slots__ = ("by_size", "more", "unseen_below")

    def __init__(self, unseen: Sequence[int], rivals: int, full: int) -> None:
        # By the number of cards in a row; a full row represents "below all rows".
        self.by_size = tails(len(unseen), rivals, full)[::-1]
        self.more = [A_CARD * (full - size) for size in range(full + 1)]
        self.unseen_below = [bisect(unseen, card) for card in range(HIGHEST + 1)]

    def lines(self, rows: Rows) -> Lines:
        """Return the row data needed to compute the costs of many cards."""
        below, by_size, more = self.unseen_below, self.by_size, self.more
        ends, sizes, points = rows.ends, rows.sizes, rows.points
        return [
            (by_size[-1], 0, min(points)),
            *[
                (by_size[size], below[end], taken + more[size])
                for end, size, taken in zip(ends, sizes, points, strict=True)
            ],
        ]

    def costs(self, rows: Rows, lines: Lines, cards: Iterable[int]) -> list[float]:
        """Return the expected immediate cost of each card, in points."""
        below, ends = self.unseen_below, rows.ends
        return [
            (line := lines[bisect(ends, card)])[0][below[card] - line[1]] * line[2]
            for card in cards
        ]


@lru_cache(maxsize=TABLES)
def tails(unseen: int, rivals: int, full: int) -> list[list[float]]:
    """Return the probabilities that rivals fill a row before one's own card reaches it.

    They are indexed by the number of free places in the row, then by the number of unseen cards
    between the row and the card. Each rival plays a random unseen card.
    """
    return [
        [at_least(room, rivals, between, max(1, unseen)) for between in range(unseen + 1)]
        for room in range(full + 1)
    ]


def at_least(wanted: int, tries: int, lucky: int, of: int) -> float:
    """Return the probability of at least `wanted` successes in `tries` attempts, each with
    probability `lucky` / `of`.

    It is computed with integers, so the result is identical on all machines.
    """
    whole: int = of**tries
    ways: int = sum(
        comb(tries, count) * lucky**count * (of - lucky) ** (tries - count)
        for count in range(wanted, tries + 1)
    )
    return ways / whole
