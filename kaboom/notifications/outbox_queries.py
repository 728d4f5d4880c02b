"""SQL statements for the outbox: notifications to be sent, each once, by any worker."""

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, func, select, text, update

from kaboom.notifications.models import channels, notifications
from kaboom.tables.models import matches, sittings, tables


class NotificationRow(NamedTuple):
    """A pending notification: its key, its attempts, and its channel."""

    way_id: int
    table_id: int
    turn: int
    tries: int
    code: str
    snoozed_until: float | None
    nudge: bool = False  # another player requested it


_channels_for = (
    select(channels.c.id, channels.c.player_id, channels.c.table_id)
    .where(
        channels.c.player_id.in_(bindparam("players")),
        channels.c.checked_at.is_not(None),
    )
    .order_by(channels.c.id)
)
_put = text(
    "INSERT INTO calls (way_id, table_id, turn, due_at, state, tries, leased_until)"
    " VALUES (:way_id, :table_id, :turn, :due_at, 'waiting', 0, 0)"
    " ON CONFLICT DO NOTHING"
)
_past = delete(notifications).where(
    notifications.c.way_id == bindparam("way"),
    notifications.c.table_id == bindparam("at_table"),
    notifications.c.turn < bindparam("now"),
)
_next_due = select(func.min(notifications.c.due_at))
_due = (
    select(
        notifications.c.way_id,
        notifications.c.table_id,
        notifications.c.turn,
        notifications.c.tries,
        tables.c.code,
        sittings.c.snoozed_until,
        notifications.c.nudge,
    )
    .select_from(
        notifications.join(channels, channels.c.id == notifications.c.way_id)
        .join(tables, tables.c.id == notifications.c.table_id)
        .outerjoin(
            sittings,
            and_(
                sittings.c.player_id == channels.c.player_id,
                sittings.c.table_id == notifications.c.table_id,
            ),
        )
    )
    .where(
        notifications.c.due_at <= bindparam("now"), notifications.c.leased_until <= bindparam("now")
    )
    .order_by(notifications.c.due_at)
    .limit(bindparam("most"))
)
_this = and_(
    notifications.c.way_id == bindparam("way"),
    notifications.c.table_id == bindparam("at_table"),
    notifications.c.turn == bindparam("of_turn"),
)
_of_player_here = notifications.c.way_id.in_(
    select(channels.c.id).where(channels.c.player_id == bindparam("player"))
)
_nudge = (
    update(notifications)
    .where(
        _of_player_here,
        notifications.c.table_id == bindparam("at_table"),
        notifications.c.turn == bindparam("of_turn"),
    )
    .values(state="waiting", tries=0, nudge=True)
)
_hasten = update(notifications).where(_of_player_here, notifications.c.due_at > bindparam("now"))
_lease = update(notifications).where(
    _this, notifications.c.due_at.is_not(None), notifications.c.leased_until <= bindparam("now")
)
_note = update(notifications).where(_this)
_callable = (
    select(tables.c.code)
    .distinct()
    .select_from(
        channels.join(sittings, sittings.c.player_id == channels.c.player_id)
        .join(tables, tables.c.id == sittings.c.table_id)
        .join(matches, matches.c.id == tables.c.match_id)
    )
    .where(sittings.c.sat, matches.c.ended_at.is_(None))
    .limit(bindparam("most"))
)


def channels_for(connection: Connection, who: Collection[int]) -> list[tuple[int, int, int | None]]:
    """Return (channel, player, its only table) of the confirmed channels of these players."""
    return [tuple(row) for row in connection.execute(_channels_for, {"players": list(who)})]


def put(connection: Connection, rows: Iterable[dict[str, Any]]) -> None:
    """Add notifications to the outbox. Existing ones stay; those of older turns are deleted."""
    for row in rows:
        of = {"way": row["way_id"], "at_table": row["table_id"], "now": row["turn"]}
        connection.execute(_past, of)
        connection.execute(_put, row)


def nudge(connection: Connection, player: int, table_id: int, turn: int, now: float) -> None:
    """Notify a player about a turn once more, on all their channels for that table."""
    found = [
        channel
        for channel, _, only in channels_for(connection, [player])
        if only in (None, table_id)
    ]
    of = {"table_id": table_id, "turn": turn, "due_at": now}
    put(connection, [{"way_id": channel, **of} for channel in found])
    connection.execute(
        _nudge.values(due_at=now), {"player": player, "at_table": table_id, "of_turn": turn}
    )


def hasten(connection: Connection, player: int, now: float) -> None:
    """Make all pending notifications of a player due now."""
    connection.execute(_hasten.values(due_at=now), {"player": player, "now": now})


def next_due(connection: Connection) -> float | None:
    """Return when the next notification is due, or None."""
    soonest: float | None = connection.execute(_next_due).scalar()
    return soonest


def lease(connection: Connection, now: float, seconds: float, most: int) -> list[NotificationRow]:
    """Return due notifications, leased for this many seconds, so that no other worker takes
    them.
    """
    due = [NotificationRow(*row) for row in connection.execute(_due, {"now": now, "most": most})]
    taken = _lease.values(leased_until=now + seconds)
    return [row for row in due if connection.execute(taken, {**_key_of(row), "now": now}).rowcount]


def note(connection: Connection, row: NotificationRow, **values: Any) -> None:
    """Update columns of a notification, and end its lease."""
    connection.execute(_note, {**_key_of(row), "leased_until": 0.0, **values})


def tables_to_notify(connection: Connection, most: int) -> list[str]:
    """Return the codes of tables with a running match at which a player with a channel has sat."""
    return list(connection.execute(_callable, {"most": most}).scalars())


def _key_of(row: NotificationRow) -> dict[str, Any]:
    return {
        "way": row.way_id,
        "at_table": row.table_id,
        "of_turn": row.turn,
    }
