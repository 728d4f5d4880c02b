"""Notifications shortly before a club's event (kaboom.notifications.reminders)."""

from sqlalchemy import Connection

from kaboom.games import GAMES
from kaboom.notifications import reminder_queries
from kaboom.notifications.notification import DATE, Waiting
from kaboom.social.clubs import event_queries
from kaboom.tables.service import TableService

AHEAD = 600.0  # seconds before a club's event at which its attendees are notified
AFTERWARDS = 900.0  # … after it, from when they are no longer notified


def put_date(connection: Connection, date: event_queries.DateRow, player: int, now: float) -> None:
    """Schedule an attendee's notification shortly before a club event."""
    if date.at - AHEAD > now:
        reminder_queries.put(connection, event_queries.about(date.id), date.at - AHEAD, [player])


def told(tables: TableService, rest: str, player: int) -> Waiting | None:
    """Return an attendee's message about the event with this number, or None if it is obsolete."""
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
