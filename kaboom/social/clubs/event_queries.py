"""SQL statements about a club's events and their attendees."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, select

from kaboom.db.ids import new_id
from kaboom.notifications.models import reminders
from kaboom.social.clubs.models import INSIDE, club_dates, clubs, date_goers, members


class DateRow(NamedTuple):
    """A club's event: its time and game; `by_id` is the player who planned it, None if erased."""

    id: int
    club_id: int
    by_id: int | None
    game: str
    note: str
    at: float


class GoerRow(NamedTuple):
    """A member attending an event, with their name in the club."""

    date_id: int
    player_id: int
    name: str


_date: Any = bindparam("date")
_columns = [club_dates.c[name] for name in DateRow._fields]
_of_club = (
    select(*_columns)
    .where(club_dates.c.club_id == bindparam("club"), club_dates.c.at > bindparam("since"))
    .order_by(club_dates.c.at, club_dates.c.id)
)
_one = select(*_columns).where(club_dates.c.id == _date)
_add = insert(club_dates)
_member = and_(
    members.c.player_id == date_goers.c.player_id,
    members.c.club_id == club_dates.c.club_id,
    members.c.standing.in_(INSIDE),
)
_goers = (
    select(date_goers.c.date_id, date_goers.c.player_id, members.c.name)
    .select_from(date_goers)
    .join(club_dates, club_dates.c.id == date_goers.c.date_id)
    .join(members, _member)
    .where(club_dates.c.club_id == bindparam("club"), club_dates.c.at > bindparam("since"))
    .order_by(members.c.since, members.c.player_id)
)
_add_goer = insert(date_goers)
_no_goer = delete(date_goers).where(
    date_goers.c.date_id == _date, date_goers.c.player_id == bindparam("who")
)
_goes = (
    select(members.c.name, clubs.c.code, clubs.c.name)
    .select_from(date_goers)
    .join(club_dates, club_dates.c.id == date_goers.c.date_id)
    .join(clubs, clubs.c.id == club_dates.c.club_id)
    .join(members, _member)
    .where(date_goers.c.date_id == _date, date_goers.c.player_id == bindparam("who"))
)
_old = select(club_dates.c.id).where(club_dates.c.at < bindparam("before"))
_all = select(club_dates.c.id).where(club_dates.c.club_id == bindparam("club"))


def about(date: int) -> str:
    """Return the key of the notifications about an event."""
    return f"date {date}"


def of_club(connection: Connection, club: int, since: float) -> Sequence[DateRow]:
    """Return the events of a club after a time, the next one first."""
    rows = connection.execute(_of_club, {"club": club, "since": since})
    return [DateRow(*row) for row in rows]


def one(connection: Connection, date: int) -> DateRow | None:
    """Return the event with that number, or None."""
    row = connection.execute(_one, {"date": date}).first()
    return None if row is None else DateRow(*row)


def add(connection: Connection, values: dict[str, Any]) -> int:
    """Store an event; return its number."""
    return new_id(connection.execute(_add, values))


def goers(connection: Connection, club: int, since: float) -> Sequence[GoerRow]:
    """Return the members attending a club's events after a time."""
    rows = connection.execute(_goers, {"club": club, "since": since})
    return [GoerRow(*row) for row in rows]


def goes(connection: Connection, date: int, player: int) -> tuple[str, str, str] | None:
    """Return the attending member's name, and the club's code and name; None if the player does not
    attend.
    """
    row = connection.execute(_goes, {"date": date, "who": player}).first()
    return None if row is None else (row[0], row[1], row[2])


def come(connection: Connection, date: int, player: int, comes: bool) -> None:
    """Record whether a player attends an event."""
    connection.execute(_no_goer, {"date": date, "who": player})
    if comes:
        connection.execute(_add_goer, {"date_id": date, "player_id": player})


def drop(connection: Connection, dates: Sequence[int]) -> None:
    """Delete events with their attendees and notifications."""
    if dates:
        found = [about(it) for it in dates]
        connection.execute(delete(reminders).where(reminders.c.about.in_(found)))
        connection.execute(delete(date_goers).where(date_goers.c.date_id.in_(dates)))
        connection.execute(delete(club_dates).where(club_dates.c.id.in_(dates)))


def drop_old(connection: Connection, before: float) -> None:
    """Delete events before a time."""
    drop(connection, list(connection.execute(_old, {"before": before}).scalars()))


def drop_of_club(connection: Connection, club: int) -> None:
    """Delete all events of a club."""
    drop(connection, list(connection.execute(_all, {"club": club}).scalars()))


def count(connection: Connection, club: int, since: float) -> int:
    """Return the number of a club's events after a time."""
    wanted = select(func.count()).where(club_dates.c.club_id == club, club_dates.c.at > since)
    found: int = connection.execute(wanted).scalar_one()
    return found
