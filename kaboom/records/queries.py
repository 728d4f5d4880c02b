"""SQL statements about finished matches: records, a player's matches, and uploaded records."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from kaboom.db.encryption import cipher_of_store
from kaboom.records.models import imports
from kaboom.tables import queries
from kaboom.tables.match_record import Record, record_of
from kaboom.tables.models import match_players, matches, sittings, tables
from kaboom.tables.queries import MatchRow, opened_match
from kaboom.tables.shared_deals import queries as shared_deal_queries


class MatchPlayerRow(NamedTuple):
    """A finished match of a player; `names` and `outcome` are JSON. With `goes_on`, it continued
    another match and is not counted.
    """

    code: str
    game: str
    names: str
    seat: int
    place: int | None
    outcome: str
    ended_at: float
    goes_on: bool


_code: Any = bindparam("wanted")
_player: Any = bindparam("whose")
_by_code = select(*(matches.c[name] for name in MatchRow._fields)).where(matches.c.code == _code)
_at_table = select(matches.c.code).where(
    matches.c.table_id == bindparam("at_table"), matches.c.number == bindparam("nth")
)
_hide = update(matches).where(matches.c.id == bindparam("match_id"))
_part = select(match_players.c.seat).where(
    match_players.c.match_id == bindparam("match_id"), match_players.c.player_id == _player
)
_people = select(match_players.c.seat).where(match_players.c.match_id == bindparam("match_id"))
_table_code = select(tables.c.code).where(tables.c.id == bindparam("at_table"))
_open_to = select(tables.c.id).where(
    tables.c.id == bindparam("at_table"),
    or_(
        tables.c.password == "",
        tables.c.id.in_(
            select(sittings.c.table_id).where(sittings.c.player_id == _player, sittings.c.sat)
        ),
    ),
)
_tally = (
    select(matches.c.game, match_players.c.place, func.count())
    .join(matches, matches.c.id == match_players.c.match_id)
    .where(
        match_players.c.player_id == _player,
        matches.c.ended_at.is_not(None),
        matches.c.origin.is_(None),  # matches that continue another one are not counted
    )
    .group_by(matches.c.game, match_players.c.place)
)
_played = (
    select(
        matches.c.code,
        matches.c.game,
        matches.c.names,
        match_players.c.seat,
        match_players.c.place,
        matches.c.outcome,
        matches.c.ended_at,
        matches.c.origin.is_not(None),
    )
    .join(matches, matches.c.id == match_players.c.match_id)
    .where(match_players.c.player_id == _player, matches.c.ended_at.is_not(None))
    .order_by(matches.c.ended_at.desc(), matches.c.id.desc())
    .limit(bindparam("most"))
    .offset(bindparam("first"))
)
_ended = select(matches.c.id).where(matches.c.ended_at.is_not(None))
_forget_parts = delete(match_players).where(
    match_players.c.player_id == _player, match_players.c.match_id.in_(_ended)
)
_add_import = insert(imports)
_import = select(imports.c.text).where(
    imports.c.code == _code, imports.c.expires_at > bindparam("now")
)
_old_imports = delete(imports).where(imports.c.expires_at <= bindparam("now"))
_count_imports = select(func.count()).select_from(imports)
_oldest_import = select(imports.c.code).order_by(imports.c.expires_at).limit(1)
_drop_import = delete(imports).where(imports.c.code == bindparam("gone"))


def match_by_code(connection: Connection, code: str) -> MatchRow | None:
    """Return the match whose record has that code, or None."""
    row = connection.execute(_by_code, {"wanted": code}).first()
    return None if row is None else opened_match(connection, row)


def record(connection: Connection, match: MatchRow) -> Record:
    """Return the record of a finished match."""
    board = shared_deal_queries.board(connection, match.board) if match.board else None
    return record_of(match, queries.log(connection, match.id), board)


def code_at(connection: Connection, table_id: int | None, number: int) -> str:
    """Return the record code of a table's match by its number; empty if there is none."""
    return connection.execute(_at_table, {"at_table": table_id, "nth": number}).scalar() or ""


def table_code(connection: Connection, table_id: int | None) -> str:
    """Return the code of the table of a match; empty if the table was deleted."""
    return connection.execute(_table_code, {"at_table": table_id}).scalar() or ""


def may_look_around(connection: Connection, table_id: int, player_id: int | None) -> bool:
    """Return True if a player may see links to a table's other matches: it has no password, or they
    have sat there.

    `player_id` None is an unknown player.
    """
    keys = {"at_table": table_id, "whose": player_id}
    return connection.execute(_open_to, keys).first() is not None


def seat_of(connection: Connection, match_id: int, player_id: int) -> int | None:
    """Return a player's seat in a match, or None if they did not play in it."""
    keys = {"match_id": match_id, "whose": player_id}
    seat: int | None = connection.execute(_part, keys).scalar()
    return seat


def seat_of_person(connection: Connection, match_id: int) -> int | None:
    """Return the seat of the only person in a match, or None if there are several."""
    seats = [row[0] for row in connection.execute(_people, {"match_id": match_id})]
    return seats[0] if len(seats) == 1 else None


def hide(connection: Connection, match_id: int, hidden: bool) -> None:
    """Hide a match from the public, or show it again."""
    connection.execute(_hide, {"match_id": match_id, "hidden": hidden})


def tally(connection: Connection, player_id: int) -> Sequence[tuple[str, int | None, int]]:
    """Return a player's finished matches as (game, place, number of matches); a place may be
    None.
    """
    return [(row[0], row[1], row[2]) for row in connection.execute(_tally, {"whose": player_id})]


def played(
    connection: Connection, player_id: int, most: int, first: int = 0
) -> Sequence[MatchPlayerRow]:
    """Return a player's finished matches, latest first."""
    keys = {"whose": player_id, "most": most, "first": first}
    return [MatchPlayerRow(*row) for row in connection.execute(_played, keys)]


def forget_parts(connection: Connection, player_id: int) -> None:
    """Delete the links between a player and their finished matches."""
    connection.execute(_forget_parts, {"whose": player_id})


def add_import(
    connection: Connection, code: str, text: str, now: float, expires_at: float, most: int
) -> None:
    """Store an uploaded record until it expires; beyond `most` records, the oldest is deleted."""
    connection.execute(_old_imports, {"now": now})
    count = connection.execute(_count_imports).scalar() or 0
    if count >= most:
        oldest = connection.execute(_oldest_import).scalar()
        connection.execute(_drop_import, {"gone": oldest})
    sealed = cipher_of_store(connection).encrypt(text.encode(), "import")
    values = {"code": code, "text": sealed, "expires_at": expires_at}
    connection.execute(_add_import, values)


def imported(connection: Connection, code: str, now: float) -> str | None:
    """Return an uploaded record, or None if there is none with that code any more."""
    sealed = connection.execute(_import, {"wanted": code, "now": now}).scalar()
    if sealed is None:
        return None
    text = cipher_of_store(connection).decrypt(sealed, "import")
    return text.decode()
