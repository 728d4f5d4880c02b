"""Exact values of the last rounds of GOPS for two careful players."""

from functools import lru_cache
from math import fsum

from kaboom.games.gops.careful import Mix, careful

Values = tuple[int, ...]  # ascending

MOST = 3  # largest hand whose remaining play is enumerated
KEPT = 1 << 14  # cached positions; each is a few numbers


@lru_cache(maxsize=KEPT)
def still_to_be_won(mine: Values, theirs: Values, prizes: Values, pot: int) -> float:
    """Return the value in points of a position before the next prize, to the holder of `mine`."""
    if len(prizes) == 1:
        stake = prizes[0] + pot
        return float(stake * ((mine[0] > theirs[0]) - (mine[0] < theirs[0])))
    worths = [
        value_of(after(mine, theirs, prizes[:n] + prizes[n + 1 :], prize + pot))
        for n, prize in enumerate(prizes)
    ]
    return fsum(worths) / len(worths)


def after(mine: Values, theirs: Values, prizes: Values, stake: int) -> list[list[float]]:
    """Return the value of each pair of bids to the holder of `mine`, a row for each card in `mine`.

    `prizes` are still face down.
    """
    table = []
    for n, own in enumerate(mine):
        row = []
        for m, other in enumerate(theirs):
            won = stake * ((own > other) - (own < other))
            left = mine[:n] + mine[n + 1 :], theirs[:m] + theirs[m + 1 :]
            pot = stake if own == other else 0
            row.append(won + still_to_be_won(*left, prizes, pot) if prizes else float(won))
        table.append(row)
    return table


def value_of(table: list[list[float]]) -> float:
    """Return the value of a round to the row player with best play on both sides."""
    if len(table) == 2:
        (a, b), (c, d) = table
        low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
        return low if low >= high else (a * d - b * c) / (a + d - b - c)
    return worth_of(careful(table)[0], table)


def worth_of(mix: Mix, table: list[list[float]]) -> float:
    """Return the value that a mixed bid guarantees to the row player."""
    return min(against(mix, table))


def against(mix: Mix, table: list[list[float]]) -> list[float]:
    """Return the value of a mixed bid against each bid of the column player."""
    return [
        fsum(share * entry for share, entry in zip(mix, column, strict=True))
        for column in zip(*table, strict=True)
    ]
