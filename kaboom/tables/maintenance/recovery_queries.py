"""Statements for a table whose snapshot cannot be read, or must not be played on."""

from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, select, update

from kaboom.db.models import parts, tables

_players = select(parts.c.seat, parts.c.player_id).where(parts.c.match_id == bindparam("of_match"))
_put_off = (
    update(tables)
    .where(tables.c.code == bindparam("at"), tables.c.due_at <= bindparam("now"))
    .values(due_at=bindparam("later"))
)


def players_of(connection: Connection, match_id: int) -> Mapping[int, int]:
    """Return the players of a match by seat; the other seats are bots."""
    return {row[0]: row[1] for row in connection.execute(_players, {"of_match": match_id})}


def put_off(connection: Connection, code: str, now: float, later: float) -> None:
    """Have the clock look later at a table where something is due by now."""
    connection.execute(_put_off, {"at": code, "now": now, "later": later})
