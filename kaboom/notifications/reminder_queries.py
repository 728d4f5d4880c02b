"""SQL statements for reminders, such as those about a check-in or a club's event.

`about` is a reminder's subject. Its row is deleted once it has been handled.
"""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, select, text, update

from kaboom.notifications.models import channels, reminders


class ReminderRow(NamedTuple):
    """A pending reminder: its channel, its subject, and its attempts."""

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
_drop = delete(reminders).where(
    reminders.c.about == bindparam("of"),
    reminders.c.way_id.in_(
        select(channels.c.id).where(channels.c.player_id == bindparam("player"))
    ),
)
_drop_all = delete(reminders).where(reminders.c.about == bindparam("of"))
_reached = select(channels.c.id).where(
    channels.c.player_id == bindparam("player"),
    channels.c.checked_at.is_not(None),
    channels.c.table_id.is_(None),
)
_next_due = select(func.min(reminders.c.due_at))
_due = (
    select(reminders.c.way_id, reminders.c.about, reminders.c.tries)
    .where(reminders.c.due_at <= bindparam("now"), reminders.c.leased_until <= bindparam("now"))
    .order_by(reminders.c.due_at)
    .limit(bindparam("most"))
)
_this = (reminders.c.way_id == bindparam("way"), reminders.c.about == bindparam("of"))
_lease = update(reminders).where(*_this, reminders.c.leased_until <= bindparam("now"))
_note = update(reminders).where(*_this)
_done = delete(reminders).where(*_this)


def put(connection: Connection, about: str, due_at: float, players: Collection[int]) -> None:
    """Schedule a reminder for these players on all their channels. Pending reminders stay
    unchanged.
    """
    for player in players:
        connection.execute(_put, {"about": about, "due_at": due_at, "player": player})


def reaches(connection: Connection, player: int) -> bool:
    """Return True if a player has a channel on which reminders arrive."""
    return connection.execute(_reached, {"player": player}).first() is not None


def put_for_entrants(connection: Connection, about: str, due_at: float, tournament: int) -> None:
    """Schedule a reminder for all entrants of a tournament."""
    connection.execute(_put_entrants, {"about": about, "due_at": due_at, "of": tournament})


def drop(connection: Connection, about: str, player: int | None = None) -> None:
    """Delete a player's reminders with that subject (None: those of all players)."""
    if player is None:
        connection.execute(_drop_all, {"of": about})
    else:
        connection.execute(_drop, {"of": about, "player": player})


def next_due(connection: Connection) -> float | None:
    """Return when the next reminder is due, or None."""
    soonest: float | None = connection.execute(_next_due).scalar()
    return soonest


def lease(connection: Connection, now: float, seconds: float, most: int) -> list[ReminderRow]:
    """Return due reminders, leased for this many seconds, so that no other worker takes them."""
    due = [ReminderRow(*row) for row in connection.execute(_due, {"now": now, "most": most})]
    taken = _lease.values(leased_until=now + seconds)
    return [it for it in due if connection.execute(taken, {**_key(it), "now": now}).rowcount]


def note(connection: Connection, row: ReminderRow, due_at: float, tries: int) -> None:
    """Record when a reminder is due again, and end its lease."""
    values = {"due_at": due_at, "tries": tries, "leased_until": 0.0}
    connection.execute(_note.values(**values), _key(row))


def done(connection: Connection, row: ReminderRow) -> None:
    """Record that a reminder was processed."""
    connection.execute(_done, _key(row))


def _key(row: ReminderRow) -> dict[str, int | str]:
    return {"way": row.way_id, "of": row.about}
