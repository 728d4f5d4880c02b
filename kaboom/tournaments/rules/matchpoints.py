"""Matchpoint scores for shared cards: each result is compared with the others in its seat.

As in duplicate bridge, a result earns two points for each worse one and one for each equal one;
their sum is divided by the maximum. If results are missing, points are scaled by Neuberg's formula.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from kaboom.tournaments.rules import points as points_module
from kaboom.tournaments.rules.events import How, Number, SeatResult
from kaboom.tournaments.rules.points import WHOLE

AVERAGE_PLUS = WHOLE * 3 // 5  # for a round without opponents, through no fault of the player
HALF = WHOLE // 2


def neuberg(scores: Sequence[int], tables: int) -> list[Fraction]:
    """Return, for each result on a board with at least two tables, its fraction of the matchpoints
    (0 to 1).

    All results are for the same seat; higher is better. With m results at N tables, a result with x
    points has (x + 1)N/m - 1 out of 2N - 2.
    """
    count = len(scores)
    found = []
    for mine in scores:
        points = sum(2 * (other < mine) + (other == mine) for other in scores) - 1
        found.append((Fraction(points + 1) * tables / count - 1) / (2 * tables - 2))
    return found


def board_shares(tables: Sequence[Sequence[SeatResult]], size: int) -> dict[Number, int]:
    """Return the share of each entrant at the tables of a board (results by seat), as integers.

    Only results of players who finished are compared. If only one table has any, shares are those
    of its places, as are results set by the organiser. Players who left or were absent have 0,
    players without opponents `AVERAGE_PLUS`, and players whose match was stopped without a ranking
    a half.
    """
    found: dict[Number, int] = {}
    played = sum(any(map(_counts, table)) for table in tables)
    for table in tables:
        at_table = points_module.shares(table, size)
        for it in table:
            if it.entrant:
                found[it.entrant] = _alone(it, at_table, played)
    if played > 1:
        for seat in range(max(map(len, tables))):
            there = [table[seat] for table in tables if seat < len(table) and _counts(table[seat])]
            worth = neuberg([it.score or 0 for it in there], played)
            found |= {it.entrant: rounded(one) for it, one in zip(there, worth, strict=True)}
    return found


def _counts(seat: SeatResult) -> bool:
    """Return True if a seat has a result that can be compared with other tables."""
    return bool(seat.entrant) and seat.how == How.PLAYED and seat.score is not None


def _alone(seat: SeatResult, at_table: Mapping[Number, int], played: int) -> int:
    """Return the share of a player without a comparison with other tables."""
    match seat.how:
        case How.THROUGH:
            return AVERAGE_PLUS
        case How.ABSENT | How.LEFT:
            return 0
        case How.PLAYED if played > 1:  # without a score; otherwise it is compared
            return HALF
        case _:
            return at_table[seat.entrant]


def rounded(part: Fraction) -> int:
    """Return a fraction of WHOLE, rounded to the nearest integer, halves up."""
    return int(part * WHOLE + Fraction(1, 2))
