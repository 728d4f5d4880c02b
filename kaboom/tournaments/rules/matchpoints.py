"""What a result is worth where all tables had the same cards: compared with the others in its seat.

Two points for each worse result and one for each equal one, as at duplicate bridge, divided by
what could be had. Where there are fewer results than tables, points are scaled as Neuberg does it:
as if each result stood for its part of those that are missing.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from kaboom.tournaments.rules import points as shares
from kaboom.tournaments.rules.events import How, Number, SeatResult
from kaboom.tournaments.rules.points import WHOLE

AVERAGE_PLUS = WHOLE * 3 // 5  # for a round without a result through no fault of one's own
HALF = WHOLE // 2


def neuberg(scores: Sequence[int], tables: int) -> list[Fraction]:
    """Return what each of these results has, from 0 to 1, at a board of at least two tables.

    All are of the same seat, the more the better. There may be fewer than tables: of N tables with
    m results a result of x points has (x + 1)N/m - 1, of 2N - 2.
    """
    count = len(scores)
    found = []
    for mine in scores:
        points = sum(2 * (other < mine) + (other == mine) for other in scores) - 1
        found.append((Fraction(points + 1) * tables / count - 1) / (2 * tables - 2))
    return found


def board_shares(tables: Sequence[Sequence[SeatResult]], size: int) -> dict[Number, int]:
    """Return the share of each entrant of the tables of a board, by seat; rounded to whole numbers.

    Only results that somebody played to the end are compared. Where one table alone has any, shares
    are of that table, as elsewhere. The organiser's results count by their places, too. Who left or
    did not come has nothing; who found nobody to play against has `AVERAGE_PLUS`; a match that was
    ended without saying anything is worth a half.
    """
    found: dict[Number, int] = {}
    played = sum(any(map(_counts, table)) for table in tables)
    for table in tables:
        at_table = shares.shares(table, size)
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
    """Say whether a seat has a result that can be compared with others."""
    return bool(seat.entrant) and seat.how == How.PLAYED and seat.score is not None


def _alone(seat: SeatResult, at_table: Mapping[Number, int], played: int) -> int:
    """Return what somebody has without being compared with other tables."""
    match seat.how:
        case How.THROUGH:
            return AVERAGE_PLUS
        case How.ABSENT | How.LEFT:
            return 0
        case How.PLAYED if played > 1:  # without a score: else they are compared
            return HALF
        case _:
            return at_table[seat.entrant]


def rounded(part: Fraction) -> int:
    """Return a part of 1 in shares: to the nearest whole number, halves up."""
    return int(part * WHOLE + Fraction(1, 2))
