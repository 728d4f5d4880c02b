"""The calendar of a player's daily deals, and the streak of days."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import Connection

from kaboom.daily.service import label_of
from kaboom.db.times import DAY, begins, day_of
from kaboom.statistics import queries, streaks
from kaboom.statistics.queries import Try
from kaboom.tables.shared_deals.service import DAY as LABEL

WEEKS = 12  # full weeks before the current one
BEGUN, PLAYED, WON = "begun", "played", "won"


@dataclass(frozen=True, slots=True)
class Square:
    """A day of the calendar with the player's result: empty, BEGUN, PLAYED or WON."""

    date: date
    game: str = ""
    made: str = ""
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Days:
    """A player's daily deals.

    `weeks` is the calendar from Monday on, up to today. `streak` and `longest` are in days.
    """

    weeks: Sequence[Sequence[Square]]
    streak: int
    longest: int
    began: Sequence[float]  # the start time of each finished attempt

    @property
    def played(self) -> list[Square]:
        """Return the days of the calendar with an attempt, latest first."""
        return [it for week in reversed(self.weeks) for it in reversed(week) if it.made]

    @property
    def months(self) -> dict[int, date]:
        """Return a day of each month, by the number of the week over which the month is written.

        The first month is left out if the second is so near that their names would overlap.
        """
        found = {n: it.date for n, week in enumerate(self.weeks) for it in week if it.date.day == 1}
        return found if min(found, default=3) < 3 else {0: self.weeks[0][0].date} | found

    @property
    def is_done_today(self) -> bool:
        """Return True if today's deal is finished."""
        return self.weeks[-1][-1].made in (PLAYED, WON)


def streak_of(connection: Connection, player: int, now: float) -> int:
    """Return a player's current streak of daily deals, in days."""
    tries = queries.tries(connection, player, LABEL, label_of(day_of(now)))
    current, _longest = streaks.of_days(_done(tries), now)
    return current


def of_player(connection: Connection, player: int, now: float) -> Days:
    """Return a player's daily deals as of now."""
    today = day_of(now)
    tries = queries.tries(connection, player, LABEL, label_of(today))
    done = _done(tries)
    known = {_date(it): it for it in tries}
    monday = today - timedelta(days=today.weekday(), weeks=WEEKS)
    shown = [monday + timedelta(days=n) for n in range((today - monday).days + 1)]
    squares = [_square(it, known.get(it)) for it in shown]
    weeks = [squares[n : n + 7] for n in range(0, len(squares), 7)]
    return Days(weeks, *streaks.of_days(done, now), done)


def _done(tries: Sequence[Try]) -> list[float]:
    """Return the start time of each finished attempt."""
    return [_began(it) for it in tries if it.result is not None]


def _date(it: Try) -> date:
    return date.fromisoformat(it.board.removeprefix(LABEL))


def _began(it: Try) -> float:
    """Return the start time of an attempt, or noon of its day if the time is unknown."""
    return it.began_at if it.began_at is not None else begins(_date(it)) + DAY / 2


def _square(day: date, tried: Try | None) -> Square:
    if tried is None:
        return Square(day)
    made = BEGUN if tried.result is None else WON if tried.place == 1 else PLAYED
    return Square(day, tried.game, made, tried.place)
