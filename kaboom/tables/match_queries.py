"""SQL statements about the results of matches, and about matches played."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from kaboom.tables.models import match_players, matches, tables
from kaboom.tables.queries import MatchRow, opened_match

_code: Any = bindparam("wanted")
_player: Any = bindparam("whose")
_rename = (
    update(matches)
    .where(matches.c.id == bindparam("match_id"), matches.c.ended_at.is_(None))
    .values(names=bindparam("new_names"))
)
_close = update(matches).where(matches.c.id == bindparam("match_id"))
_place = update(match_players).where(
    match_players.c.match_id == bindparam("of_match"), match_players.c.seat == bindparam("of_seat")
)
_of_table = (
    select(*(matches.c[name] for name in MatchRow._fields))
    .join(tables, tables.c.id == matches.c.table_id)
    .where(tables.c.code == _code, matches.c.number == 1)
)
_players = select(match_players.c.seat, match_players.c.player_id).where(
    match_players.c.match_id == bindparam("of_match")
)
_recorded = select(matches.c.id).where(
    matches.c.code == _code, matches.c.table_id == bindparam("at_table")
)
_finished = (
    select(match_players.c.match_id)
    .join(matches, matches.c.id == match_players.c.match_id)
    .where(
        match_players.c.player_id == _player,
        matches.c.game == bindparam("of_game"),
        matches.c.ended_at.is_not(None),
        matches.c.origin.is_(None),
    )
    .limit(bindparam("enough"))
)
_finished_any = (
    select(match_players.c.match_id)
    .join(matches, matches.c.id == match_players.c.match_id)
    .where(match_players.c.player_id == _player, matches.c.ended_at.is_not(None))
    .limit(bindparam("enough"))
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
    """Store a match's outcome; `places` are by seat, and empty without a winner."""
    values = {"ended_at": ended_at, "outcome": outcome, "digest": digest}
    connection.execute(_close, {"match_id": match_id, **values})
    by_seat = [
        {"of_match": match_id, "of_seat": seat, "place": place} for seat, place in enumerate(places)
    ]
    if by_seat:
        connection.execute(_place, by_seat)


def rename(connection: Connection, match_id: int, names: str) -> None:
    """Replace the names in a running match; `names` is a list by seat, as JSON."""
    connection.execute(_rename, {"match_id": match_id, "new_names": names})


def of_table(connection: Connection, code: str) -> MatchRow | None:
    """Return the first match of a table, or None."""
    row = connection.execute(_of_table, {"wanted": code}).first()
    return None if row is None else opened_match(connection, row)


def players_of(connection: Connection, match_id: int) -> Mapping[int, int]:
    """Return the ids of the players in a match by seat, without bots."""
    return {row[0]: row[1] for row in connection.execute(_players, {"of_match": match_id})}


def recorded_at(connection: Connection, table_id: int, code: str) -> int | None:
    """Return the id of a table's match by the code of its record, or None."""
    found: int | None = connection.execute(
        _recorded, {"wanted": code, "at_table": table_id}
    ).scalar()
    return found


def finished_of_game(connection: Connection, player_id: int, game: str, most: int) -> int:
    """Return the number of matches of a game that a player has finished, without those continuing
    others, counted up to `most`.
    """
    keys = {"whose": player_id, "of_game": game, "enough": most}
    return len(connection.execute(_finished, keys).all())


def has_finished_matches(connection: Connection, player_id: int, matches: int) -> bool:
    """Return True if a player has finished at least this many matches."""
    values = {"whose": player_id, "enough": matches}
    return len(connection.execute(_finished_any, values).all()) >= matches
