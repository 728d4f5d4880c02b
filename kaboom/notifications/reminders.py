"""Calls that are about no turn: a tournament's check-in, a vote over days, a club's date.

Each is put in the transaction in which it comes about (a check-in's by kaboom.tournaments.changes),
and looked at again before it is sent. What is said then the room registers that puts it.
"""

from collections.abc import Callable

from sqlalchemy import Connection

from kaboom.errors import TableNotFound
from kaboom.notifications import channel_queries, reminder_queries
from kaboom.notifications.waiting import VOTE, Waiting
from kaboom.tables.service import Tables
from kaboom.tables.table import Table
from kaboom.tables.votes import answered_by, waits_for

PATIENCE = 60.0  # seconds after a vote was opened in which nobody is called to it


# By the first word of what a call is about: what the player is told now, if anything.
kinds: dict[str, Callable[[Tables, str, int], Waiting | None]] = {}


def put_vote(connection: Connection, code: str, table: Table, now: float) -> None:
    """Call those who have not answered the vote that is open at a table over days."""
    if table.vote is not None:
        asked = [who for seat, who in table.people().items() if waits_for(table, seat)]
        reminder_queries.put(
            connection, f"{VOTE} {code} {table.vote.number}", now + PATIENCE, asked
        )


def told(tables: Tables, about: str, player: int) -> Waiting | None:
    """Return what a player is to be told now; None: it is about nothing any more."""
    what, _, rest = about.partition(" ")
    try:
        return kinds[what](tables, rest, player)
    except TableNotFound:  # nor a tournament
        return None


def _vote(tables: Tables, rest: str, player: int) -> Waiting | None:
    code, number = rest.split(" ")[:2]
    snapshot = tables.look(code)
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
