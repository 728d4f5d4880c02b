"""Streaks of days with a finished daily deal, and of matches won. Pure functions.

A day is a calendar date at the player's location, which the server does not know. So an attempt can
count for any date that was current anywhere on Earth when it began. A streak is the longest run of
consecutive dates to which attempts can be assigned in order. A player who plays once on each of
their own days keeps the streak across time zones and the date line.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta

EAST, WEST = timedelta(hours=14), timedelta(hours=-12)  # the extreme offsets from UTC
ONE = timedelta(days=1)


def dates_at(seconds: float) -> tuple[date, ...]:
    """Return the dates that are current somewhere on Earth at a time in seconds since 1970."""
    now = datetime.fromtimestamp(seconds, UTC)
    first, last = (now + WEST).date(), (now + EAST).date()
    return tuple(first + ONE * n for n in range((last - first).days + 1))


def rows_of_days(began: Iterable[float]) -> Iterator[tuple[float, dict[date, int]]]:
    """Yield, for each attempt in order, the longest run of days that ends on each of its dates."""
    longest: dict[date, int] = {}
    for seconds in sorted(began):
        days = dates_at(seconds)
        rows = {day: max(longest.get(day - ONE, 0) + 1, longest.get(day, 0)) for day in days}
        longest |= rows
        yield seconds, rows


def of_days(began: Iterable[float], now: float) -> tuple[int, int]:
    """Return the current and the longest streak in days.

    The current streak ends once a whole day has passed everywhere on Earth.
    """
    soonest, alive, best = dates_at(now)[0] - ONE, 0, 0
    for _unused, rows in rows_of_days(began):
        best = max(best, *rows.values())
        alive = max(alive, *(length for day, length in rows.items() if day >= soonest), 0)
    return alive, best


def reached(began: Iterable[float], days: int) -> float | None:
    """Return the time at which a streak first reached a length in days, in seconds since 1970."""
    for seconds, rows in rows_of_days(began):
        if max(rows.values()) >= days:
            return seconds
    return None


def of_wins(won: Iterable[bool]) -> tuple[int, int]:
    """Return the current and the longest winning streak."""
    now = best = 0
    for it in won:
        now = now + 1 if it else 0
        best = max(best, now)
    return now, best
