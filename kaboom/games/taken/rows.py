"""The rows as numbers, quick to copy and to play on, and how risky each card is there."""

from bisect import bisect
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb

from kaboom.games.taken.rules import HIGHEST, POINTS, cost

A_CARD = 1.7  # points, about; what the cards still to come to a row add to it
TABLES = 512  # kept: one for each size of table and number of unseen cards


class Rows:
    """Last card, number of cards and points of each row, in the order of the last cards.

    So the row of a card is found in one step, and the order never changes by placing a card.
    """

    __slots__ = ("ends", "full", "points", "sizes")

    def __init__(self, ends: list[int], sizes: list[int], points: list[int], full: int) -> None:
        self.ends = ends
        self.sizes = sizes
        self.points = points
        self.full = full  # so many cards a row holds

    @classmethod
    def of(cls, rows: Iterable[Sequence[int]], full: int) -> "Rows":
        """Return the rows as they lie on the table."""
        ordered = sorted(rows, key=lambda row: row[-1])
        ends = [row[-1] for row in ordered]
        return cls(ends, [len(row) for row in ordered], [cost(row) for row in ordered], full)

    def copy(self) -> "Rows":
        return Rows(self.ends.copy(), self.sizes.copy(), self.points.copy(), self.full)

    def place(self, cards: Iterable[int], mine: int = 0) -> tuple[int, int]:
        """Place cards in this order; return the points that mine takes, and those of the others.

        A card below all rows takes the cheapest.
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
        """Give a row away for a card below all rows and return its points."""
        del self.ends[row], self.sizes[row]
        taken = self.points.pop(row)
        self.ends.insert(0, card)
        self.sizes.insert(0, 1)
        self.points.insert(0, POINTS[card])
        return taken


def gap(rows: Rows, card: int) -> int:
    """Return how far a card is from its row; if it would take one, that counts as farthest."""
    row = bisect(rows.ends, card) - 1
    return card - rows.ends[row] if row >= 0 and rows.sizes[row] < rows.full else HIGHEST


# Below all rows and then for each row: how likely it is taken, by the unseen cards between; how
# many unseen cards lie below its end; what it then costs.
Lines = list[tuple[Sequence[float], int, float]]


class Risks:
    """How much each card may cost if the others play any of the cards not seen."""

    __slots__ = ("by_size", "more", "unseen_below")

    def __init__(self, unseen: Sequence[int], rivals: int, full: int) -> None:
        # By the number of cards in a row; a row as good as full stands for "below all rows".
        self.by_size = tails(len(unseen), rivals, full)[::-1]
        self.more = [A_CARD * (full - size) for size in range(full + 1)]
        self.unseen_below = [bisect(unseen, card) for card in range(HIGHEST + 1)]

    def lines(self, rows: Rows) -> Lines:
        """Return what has to be known of the rows to tell the costs of many cards."""
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
        """Return the points each of the cards may be expected to take at once."""
        below, ends = self.unseen_below, rows.ends
        return [
            (line := lines[bisect(ends, card)])[0][below[card] - line[1]] * line[2]
            for card in cards
        ]


@lru_cache(maxsize=TABLES)
def tails(unseen: int, rivals: int, full: int) -> list[list[float]]:
    """Return how likely a row is filled first, by its free places and the unseen cards between.

    Each rival plays any of the unseen cards.
    """
    return [
        [at_least(room, rivals, between, max(1, unseen)) for between in range(unseen + 1)]
        for room in range(full + 1)
    ]


def at_least(wanted: int, tries: int, lucky: int, of: int) -> float:
    """Return the probability that at least this many of the tries succeed, each in `lucky` cases of
    so many. It is counted in whole numbers, which no machine rounds otherwise.
    """
    whole: int = of**tries
    ways: int = sum(
        comb(tries, count) * lucky**count * (of - lucky) ** (tries - count)
        for count in range(wanted, tries + 1)
    )
    return ways / whole
