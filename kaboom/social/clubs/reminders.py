"""Calls to a club's date, shortly before it (kaboom.notifications.reminders)."""

from sqlalchemy import Connection

from kaboom.games import GAMES
from kaboom.notifications import reminder_queries
from kaboom.notifications.waiting import DATE, Waiting
from kaboom.social.clubs import event_queries
from kaboom.tables.service import Tables

AHEAD = 600.0  # seconds before a club's date at which those who come are called
AFTERWARDS = 900.0  # … after it, at which they no longer are


def put_date(connection: Connection, date: event_queries.DateRow, player: int, now: float) -> None:
    """Call somebody who comes to a club's date shortly before it."""
    if date.at - AHEAD > now:
        reminder_queries.put(connection, event_queries.about(date.id), date.at - AHEAD, [player])


def told(tables: Tables, rest: str, player: int) -> Waiting | None:
    """Return what a player is to be told of the date with this number; None: nothing any more."""
    number = int(rest)

    def work(connection: Connection) -> tuple[event_queries.DateRow, tuple[str, str, str]] | None:
        date = event_queries.one(connection, number)
        goes = event_queries.goes(connection, number, player)
        return None if date is None or goes is None else (date, goes)

    found = tables.database.read(work)
    if found is None:
        return None
    date, (name, code, club) = found
    left = date.at - tables.now()
    if left < -AFTERWARDS or date.game not in GAMES:
        return None
    return Waiting(code, GAMES[date.game].name, (name,), DATE, club, left)
