"""Calls that are about no turn: a tournament's check-in, a vote over days, a club's date.

Each is put in the transaction in which it comes about (a check-in's by kaboom.tournaments.changes),
and looked at again before it is sent.
"""

from sqlalchemy import Connection

from kaboom.errors import TableNotFound
from kaboom.games import GAMES
from kaboom.notifications import channel_queries, reminder_queries
from kaboom.notifications.waiting import CHECK_IN, DATE, VOTE, Waiting
from kaboom.social.clubs import event_queries
from kaboom.tables.service import Tables
from kaboom.tables.table import Table
from kaboom.tables.votes import answered_by, waits_for
from kaboom.tournaments.changes import look

AHEAD = 600.0  # seconds before a club's date at which those who come are called
AFTERWARDS = 900.0  # … after it, at which they no longer are
PATIENCE = 60.0  # seconds after a vote was opened in which nobody is called to it


def put_vote(connection: Connection, code: str, table: Table, now: float) -> None:
    """Call those who have not answered the vote that is open at a table over days."""
    if table.vote is not None:
        asked = [who for seat, who in table.people().items() if waits_for(table, seat)]
        reminder_queries.put(
            connection, f"{VOTE} {code} {table.vote.number}", now + PATIENCE, asked
        )


def put_date(connection: Connection, date: event_queries.DateRow, player: int, now: float) -> None:
    """Call somebody who comes to a club's date shortly before it."""
    if date.at - AHEAD > now:
        reminder_queries.put(connection, event_queries.about(date.id), date.at - AHEAD, [player])


def told(tables: Tables, about: str, player: int) -> Waiting | None:
    """Return what a player is to be told now; None: it is about nothing any more."""
    what, _, rest = about.partition(" ")
    try:
        if what == CHECK_IN:
            return _check_in(tables, rest, player)
        if what == VOTE:
            return _vote(tables, *rest.split(" ")[:2], player=player)
        return _date(tables, int(rest), player)
    except TableNotFound:  # nor a tournament
        return None


def _check_in(tables: Tables, code: str, player: int) -> Waiting | None:
    seen = look(tables, code)
    left, number = seen.checks_in(player, tables.now()), seen.number_of(player)
    if left is None:
        return None
    assert number is not None  # or nothing would be left
    name = seen.entrants[number].name
    return Waiting(code, seen.game.name, (name,), CHECK_IN, seen.of.settings.name, left)


def _vote(tables: Tables, code: str, number: str, *, player: int) -> Waiting | None:
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


def _date(tables: Tables, number: int, player: int) -> Waiting | None:
    def work(connection: Connection) -> tuple[event_queries.DateRow, tuple[str, str, str]] | None:
        date, goes = (
            event_queries.one(connection, number),
            event_queries.goes(connection, number, player),
        )
        return None if date is None or goes is None else (date, goes)

    found = tables.database.read(work)
    if found is None:
        return None
    date, (name, code, club) = found
    left = date.at - tables.now()
    if left < -AFTERWARDS or date.game not in GAMES:
        return None
    return Waiting(code, GAMES[date.game].name, (name,), DATE, club, left)
