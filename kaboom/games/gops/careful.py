"""Careful play of one round: mixed strategies for a matrix of the values of all pairs of bids.

No single bid is best, because the other player would respond to it. The simplex method computes the
exact optimal frequencies.
"""

from collections.abc import Sequence
from itertools import count
from math import fsum

Matrix = Sequence[Sequence[float]]
Mix = list[float]  # frequency of each card; the sum is 1

NOTHING = 1e-9
IN_HASTE = 100  # after this many steepest steps, a rule that cannot cycle is used


def careful(matrix: Matrix) -> tuple[Mix, Mix]:
    """Return the bid frequencies of two careful players, first the row player's.

    `matrix` has the value of each pair of bids to the row player; the game is zero-sum.
    """
    lows = [min(row) for row in matrix]
    highs = [max(column) for column in zip(*matrix, strict=True)]
    if min(highs) - max(lows) < NOTHING:  # one pair of bids is a saddle point
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
    inside = list(range(columns, columns + rows))  # the variable of each row: a slack or a column
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
    """Return the column with the most negative entry in the last row, or None if none is negative.

    Unless `steepest`, return the negative one whose variable has the lowest number.
    """
    promising = [place for place in range(len(outside)) if goal[place] < -NOTHING]
    return min(promising, key=(goal if steepest else outside).__getitem__, default=None)


def next_row(tableau: list[list[float]], entering: int, inside: list[int]) -> int:
    """Return the row that limits the column most; in a tie, the one with the lowest-numbered
    variable.
    """
    limits = [
        (row[-1] / row[entering], inside[place], place)
        for place, row in enumerate(tableau[:-1])
        if row[entering] > NOTHING
    ]
    return min(limits)[2]


def pivot(tableau: list[list[float]], leaving: int, entering: int) -> None:
    """Pivot on a row and a column of the tableau."""
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
