"""SQL statements for a table whose snapshot cannot be read or whose match is frozen."""

from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, select, update

from kaboom.tables.models import match_players, tables

_players = select(match_players.c.seat, match_players.c.player_id).where(
    match_players.c.match_id == bindparam("of_match")
)
_put_off = (
    update(tables)
    .where(tables.c.code == bindparam("at"), tables.c.due_at <= bindparam("now"))
    .values(due_at=bindparam("later"))
)


def players_of(connection: Connection, match_id: int) -> Mapping[int, int]:
    """Return the players of a match by seat, without bots."""
    return {row[0]: row[1] for row in connection.execute(_players, {"of_match": match_id})}


def put_off(connection: Connection, code: str, now: float, later: float) -> None:
    """Postpone until `later` what is due at a table `now`, both in table time."""
    connection.execute(_put_off, {"at": code, "now": now, "later": later})
