"""Notifications other than turns, such as those about a tournament's check-in, a vote in
correspondence play, a club's event or a report.

Each is stored in the transaction that causes it (a check-in's by kaboom.tournaments.changes), and
checked again before it is sent. Its text comes from the room that registered its kind.
"""

from collections.abc import Callable

from sqlalchemy import Connection

from kaboom.errors import TableNotFound
from kaboom.notifications import channel_queries, reminder_queries
from kaboom.notifications.notification import VOTE, Waiting
from kaboom.tables.service import TableService
from kaboom.tables.table import Table
from kaboom.tables.votes import answered_by, waits_for

PATIENCE = 60.0  # seconds after a vote is opened before players are notified


# By the first word of a reminder's subject: returns its current message, or None if it is obsolete.
kinds: dict[str, Callable[[TableService, str, int], Waiting | None]] = {}


def put_vote(connection: Connection, code: str, table: Table, now: float) -> None:
    """Schedule reminders for the players who have not voted at a correspondence table."""
    if table.vote is not None:
        asked = [who for seat, who in table.people().items() if waits_for(table, seat)]
        reminder_queries.put(
            connection, f"{VOTE} {code} {table.vote.number}", now + PATIENCE, asked
        )


def told(tables: TableService, about: str, player: int) -> Waiting | None:
    """Return the reminder's message, or None if it is obsolete."""
    what, _, rest = about.partition(" ")
    try:
        return kinds[what](tables, rest, player)
    except TableNotFound:  # or the tournament does not exist
        return None


def _vote(tables: TableService, rest: str, player: int) -> Waiting | None:
    code, number = rest.split(" ")[:2]
    snapshot = tables.get(code)
    table, seat = snapshot.table, snapshot.table.seat_of(player)
    vote = waits_for(table, seat)
    if vote is None or str(vote.number) != number:
        return None
    assert seat is not None
    in_peace = tables.database.read(lambda c: channel_queries.snoozed(c, player, tables.now()))
    if code in in_peace:
        return None
    now = snapshot.table_time(tables.now())
    left = answered_by(vote, seat, now) - now
    return Waiting(code, snapshot.game.name, (table.seats[seat],), VOTE, left=left)


kinds[VOTE] = _vote
