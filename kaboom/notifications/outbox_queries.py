"""Statements for the outbox: calls to be made, each once, by whichever worker gets there."""

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, func, select, text, update

from kaboom.db.models import calls, matches, players, sittings, tables, ways


class CallRow(NamedTuple):
    """A call to be looked at: its key, how often it was tried, and where it leads."""

    way_id: int
    table_id: int
    turn: int
    tries: int
    code: str
    name: str  # of the player
    snoozed_until: float | None
    nudge: bool = False  # somebody asked for it


_called_for = (
    select(ways.c.id, ways.c.player_id, ways.c.table_id)
    .where(
        ways.c.player_id.in_(bindparam("players")),
        ways.c.checked_at.is_not(None),
    )
    .order_by(ways.c.id)
)
_put = text(
    "INSERT INTO calls (way_id, table_id, turn, due_at, state, tries, leased_until)"
    " VALUES (:way_id, :table_id, :turn, :due_at, 'waiting', 0, 0)"
    " ON CONFLICT DO NOTHING"
)
_past = delete(calls).where(
    calls.c.way_id == bindparam("way"),
    calls.c.table_id == bindparam("at_table"),
    calls.c.turn < bindparam("now"),
)
_next_due = select(func.min(calls.c.due_at))
_due = (
    select(
        calls.c.way_id,
        calls.c.table_id,
        calls.c.turn,
        calls.c.tries,
        tables.c.code,
        players.c.name,
        sittings.c.snoozed_until,
        calls.c.nudge,
    )
    .select_from(
        calls.join(ways, ways.c.id == calls.c.way_id)
        .join(tables, tables.c.id == calls.c.table_id)
        .join(players, players.c.id == ways.c.player_id)
        .outerjoin(
            sittings,
            and_(sittings.c.player_id == ways.c.player_id, sittings.c.table_id == calls.c.table_id),
        )
    )
    .where(calls.c.due_at <= bindparam("now"), calls.c.leased_until <= bindparam("now"))
    .order_by(calls.c.due_at)
    .limit(bindparam("most"))
)
_this = and_(
    calls.c.way_id == bindparam("way"),
    calls.c.table_id == bindparam("at_table"),
    calls.c.turn == bindparam("of_turn"),
)
_of_player_here = calls.c.way_id.in_(
    select(ways.c.id).where(ways.c.player_id == bindparam("player"))
)
_nudge = (
    update(calls)
    .where(
        _of_player_here,
        calls.c.table_id == bindparam("at_table"),
        calls.c.turn == bindparam("of_turn"),
    )
    .values(state="waiting", tries=0, nudge=True)
)
_hasten = update(calls).where(_of_player_here, calls.c.due_at > bindparam("now"))
_lease = update(calls).where(
    _this, calls.c.due_at.is_not(None), calls.c.leased_until <= bindparam("now")
)
_note = update(calls).where(_this)
_callable = (
    select(tables.c.code)
    .distinct()
    .select_from(
        ways.join(sittings, sittings.c.player_id == ways.c.player_id)
        .join(tables, tables.c.id == sittings.c.table_id)
        .join(matches, matches.c.id == tables.c.match_id)
    )
    .where(sittings.c.sat, matches.c.ended_at.is_(None))
    .limit(bindparam("most"))
)


def called_for(connection: Connection, who: Collection[int]) -> list[tuple[int, int, int | None]]:
    """Return (way, player, its only table) of the confirmed ways of these players."""
    return [tuple(row) for row in connection.execute(_called_for, {"players": list(who)})]


def put(connection: Connection, rows: Iterable[dict[str, Any]]) -> None:
    """Put calls into the outbox. Calls that are there already stay; those of older turns go."""
    for row in rows:
        of = {"way": row["way_id"], "at_table": row["table_id"], "now": row["turn"]}
        connection.execute(_past, of)
        connection.execute(_put, row)


def nudge(connection: Connection, player: int, table_id: int, turn: int, now: float) -> None:
    """Call a player once more for a turn, by all their ways for that table."""
    found = [way for way, _, only in called_for(connection, [player]) if only in (None, table_id)]
    of = {"table_id": table_id, "turn": turn, "due_at": now}
    put(connection, [{"way_id": way, **of} for way in found])
    connection.execute(
        _nudge.values(due_at=now), {"player": player, "at_table": table_id, "of_turn": turn}
    )


def hasten(connection: Connection, player: int, now: float) -> None:
    """Look now at all calls of a player that wait."""
    connection.execute(_hasten.values(due_at=now), {"player": player, "now": now})


def next_due(connection: Connection) -> float | None:
    """Return when the next call is due, or None."""
    soonest: float | None = connection.execute(_next_due).scalar()
    return soonest


def lease(connection: Connection, now: float, seconds: float, most: int) -> list[CallRow]:
    """Return calls that are due, leased for so many seconds: no other worker takes them."""
    due = [CallRow(*row) for row in connection.execute(_due, {"now": now, "most": most})]
    taken = _lease.values(leased_until=now + seconds)
    return [row for row in due if connection.execute(taken, {**_key_of(row), "now": now}).rowcount]


def note(connection: Connection, row: CallRow, **values: Any) -> None:
    """Write columns of a call, and end its lease."""
    connection.execute(_note, {**_key_of(row), "leased_until": 0.0, **values})


def callable_tables(connection: Connection, most: int) -> list[str]:
    """Return the codes of tables in a match where somebody sat who can be called."""
    return list(connection.execute(_callable, {"most": most}).scalars())


def _key_of(row: CallRow) -> dict[str, Any]:
    return {
        "way": row.way_id,
        "at_table": row.table_id,
        "of_turn": row.turn,
    }
