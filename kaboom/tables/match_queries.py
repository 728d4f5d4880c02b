"""Statements about how matches ended, and which have been played."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from kaboom.db.models import matches, parts, tables
from kaboom.tables.queries import MatchRow, opened_match

_code: Any = bindparam("wanted")
_player: Any = bindparam("whose")
_close = update(matches).where(matches.c.id == bindparam("match_id"))
_place = update(parts).where(
    parts.c.match_id == bindparam("of_match"), parts.c.seat == bindparam("of_seat")
)
_of_table = (
    select(*(matches.c[name] for name in MatchRow._fields))
    .join(tables, tables.c.id == matches.c.table_id)
    .where(tables.c.code == _code, matches.c.number == 1)
)
_finished = (
    select(parts.c.match_id)
    .join(matches, matches.c.id == parts.c.match_id)
    .where(
        parts.c.player_id == _player,
        matches.c.game == bindparam("of_game"),
        matches.c.ended_at.is_not(None),
    )
    .limit(1)
)


def close_match(
    connection: Connection,
    match_id: int,
    *,
    ended_at: float,
    outcome: str,
    digest: str | None,
    places: Sequence[int],
) -> None:
    """Note how a match ended; `places` are by seat, empty where nobody won."""
    values = {"ended_at": ended_at, "outcome": outcome, "digest": digest}
    connection.execute(_close, {"match_id": match_id, **values})
    for seat, place in enumerate(places):
        connection.execute(_place, {"of_match": match_id, "of_seat": seat, "place": place})


def of_table(connection: Connection, code: str) -> MatchRow | None:
    """Return the first match of the table with that code."""
    row = connection.execute(_of_table, {"wanted": code}).first()
    return None if row is None else opened_match(connection, row)


def has_finished(connection: Connection, player_id: int, game: str) -> bool:
    """Say whether a player has finished a match of a game."""
    keys = {"whose": player_id, "of_game": game}
    return connection.execute(_finished, keys).first() is not None
