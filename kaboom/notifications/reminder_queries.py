"""Statements for calls that are about no turn: a check-in, a vote over days, a club's date.

`about` says what one is about; a row goes when it was seen to.
"""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, select, text, update

from kaboom.db.models import notices, ways


class NoticeRow(NamedTuple):
    """A call to be looked at: by which way, what it is about, and how often it was tried."""

    way_id: int
    about: str
    tries: int


_INTO = (
    "INSERT INTO notices (way_id, about, due_at, tries, leased_until)"
    " SELECT ways.id, :about, :due_at, 0, 0 FROM ways"
)
_CONFIRMED = " WHERE ways.checked_at IS NOT NULL AND ways.table_id IS NULL"
_put = text(f"{_INTO}{_CONFIRMED} AND ways.player_id = :player ON CONFLICT DO NOTHING")
_put_entrants = text(
    f"{_INTO} JOIN entrants ON entrants.player_id = ways.player_id{_CONFIRMED}"
    " AND entrants.tournament_id = :of ON CONFLICT DO NOTHING"
)
_drop = delete(notices).where(
    notices.c.about == bindparam("of"),
    notices.c.way_id.in_(select(ways.c.id).where(ways.c.player_id == bindparam("player"))),
)
_drop_all = delete(notices).where(notices.c.about == bindparam("of"))
_next_due = select(func.min(notices.c.due_at))
_due = (
    select(notices.c.way_id, notices.c.about, notices.c.tries)
    .where(notices.c.due_at <= bindparam("now"), notices.c.leased_until <= bindparam("now"))
    .order_by(notices.c.due_at)
    .limit(bindparam("most"))
)
_this = (notices.c.way_id == bindparam("way"), notices.c.about == bindparam("of"))
_lease = update(notices).where(*_this, notices.c.leased_until <= bindparam("now"))
_note = update(notices).where(*_this)
_done = delete(notices).where(*_this)


def put(connection: Connection, about: str, due_at: float, players: Collection[int]) -> None:
    """Call these players about something, by all their ways; once, however often it is put."""
    for player in players:
        connection.execute(_put, {"about": about, "due_at": due_at, "player": player})


def put_for_entrants(connection: Connection, about: str, due_at: float, tournament: int) -> None:
    """Call all who have entered a tournament about something."""
    connection.execute(_put_entrants, {"about": about, "due_at": due_at, "of": tournament})


def drop(connection: Connection, about: str, player: int | None = None) -> None:
    """Call a player (None: anybody) no longer about something."""
    if player is None:
        connection.execute(_drop_all, {"of": about})
    else:
        connection.execute(_drop, {"of": about, "player": player})


def next_due(connection: Connection) -> float | None:
    """Return when the next one is due, or None."""
    soonest: float | None = connection.execute(_next_due).scalar()
    return soonest


def lease(connection: Connection, now: float, seconds: float, most: int) -> list[NoticeRow]:
    """Return notices that are due, leased for so many seconds: no other worker takes them."""
    due = [NoticeRow(*row) for row in connection.execute(_due, {"now": now, "most": most})]
    taken = _lease.values(leased_until=now + seconds)
    return [it for it in due if connection.execute(taken, {**_key(it), "now": now}).rowcount]


def note(connection: Connection, row: NoticeRow, due_at: float, tries: int) -> None:
    """Note when a notice is due again, and end its lease."""
    values = {"due_at": due_at, "tries": tries, "leased_until": 0.0}
    connection.execute(_note.values(**values), _key(row))


def done(connection: Connection, row: NoticeRow) -> None:
    """Note that one was seen to, whatever came of it."""
    connection.execute(_done, _key(row))


def _key(row: NoticeRow) -> dict[str, int | str]:
    return {"way": row.way_id, "of": row.about}
