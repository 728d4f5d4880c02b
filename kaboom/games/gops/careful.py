"""Careful play of one round: a table of what each pair of bids is worth, and how often to bid what.

No bid is best by itself, as the other would answer it. How often careful players bid each card is
found exactly, by the simplex method.
"""

from collections.abc import Sequence
from itertools import count
from math import fsum

Matrix = Sequence[Sequence[float]]
Mix = list[float]  # how often each card is bid; the sum is 1

NOTHING = 1e-9
IN_HASTE = 100  # so many steps take the steepest way; then one that cannot go round in circles


def careful(matrix: Matrix) -> tuple[Mix, Mix]:
    """Return how often careful players bid each of their cards: mine by row, theirs by column.

    `matrix` says what each pair of bids is worth to me; what I win, they lose.
    """
    lows = [min(row) for row in matrix]
    highs = [max(column) for column in zip(*matrix, strict=True)]
    if min(highs) - max(lows) < NOTHING:  # one pair of bids answers each other
        return only(lows.index(max(lows)), len(lows)), only(highs.index(min(highs)), len(highs))
    return by_simplex(matrix, 1 - min(lows))


def only(place: int, count: int) -> Mix:
    return [float(other == place) for other in range(count)]


def by_simplex(matrix: Matrix, shift: float) -> tuple[Mix, Mix]:
    """Return both mixes; `shift` makes every entry positive, and so the value of the game.

    The tableau maximises the sum of the column player's weights under "no row is worth more than
    1"; its last row ends as the row player's weights.
    """
    rows, columns = len(matrix), len(matrix[0])
    tableau = [[*(entry + shift for entry in row), 1.0] for row in matrix]
    tableau.append([-1.0] * columns + [0.0])
    inside = list(range(columns, columns + rows))  # what each row stands for: a slack or a column
    outside = list(range(columns))
    for step in count():
        entering = next_column(tableau[rows], outside, step < IN_HASTE)
        if entering is None:
            break
        leaving = next_row(tableau, entering, inside)
        pivot(tableau, leaving, entering)
        inside[leaving], outside[entering] = outside[entering], inside[leaving]
    mine, theirs = [0.0] * rows, [0.0] * columns
    for place, name in enumerate(inside):
        if name < columns:
            theirs[name] = max(0.0, tableau[place][columns])
    for place, name in enumerate(outside):
        if name >= columns:
            mine[name - columns] = max(0.0, tableau[rows][place])
    return shares(mine), shares(theirs)


def next_column(goal: list[float], outside: list[int], steepest: bool) -> int | None:
    """Return the column that promises most, or the first that promises anything; or None."""
    promising = [place for place in range(len(outside)) if goal[place] < -NOTHING]
    return min(promising, key=(goal if steepest else outside).__getitem__, default=None)


def next_row(tableau: list[list[float]], entering: int, inside: list[int]) -> int:
    """Return the row that limits the column first; of equals the one first in order."""
    limits = [
        (row[-1] / row[entering], inside[place], place)
        for place, row in enumerate(tableau[:-1])
        if row[entering] > NOTHING
    ]
    return min(limits)[2]


def pivot(tableau: list[list[float]], leaving: int, entering: int) -> None:
    """Exchange what a row and a column stand for."""
    scale = 1 / tableau[leaving][entering]
    line = [entry * scale for entry in tableau[leaving]]
    line[entering] = scale
    for place, row in enumerate(tableau):
        factor = row[entering]
        if place != leaving and factor:
            row[entering] = 0.0
            tableau[place] = [entry - factor * part for entry, part in zip(row, line, strict=True)]
    tableau[leaving] = line


def shares(weights: list[float]) -> Mix:
    whole = fsum(weights)
    return [weight / whole for weight in weights]
