"""Statements about finished matches: records, a player's own, and imported ones."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from kaboom.db.encryption import seal_of_store
from kaboom.db.models import imports, matches, parts, sittings, tables
from kaboom.records import note_queries
from kaboom.tables.queries import MatchRow, opened_match


class PartRow(NamedTuple):
    """A finished match one player took part in; `names` and `outcome` are JSON."""

    code: str
    game: str
    names: str
    seat: int
    place: int | None
    outcome: str
    ended_at: float


_code: Any = bindparam("wanted")
_player: Any = bindparam("whose")
_by_code = select(*(matches.c[name] for name in MatchRow._fields)).where(matches.c.code == _code)
_at_table = select(matches.c.code).where(
    matches.c.table_id == bindparam("at_table"), matches.c.number == bindparam("nth")
)
_hide = update(matches).where(matches.c.id == bindparam("match_id"))
_part = select(parts.c.seat).where(
    parts.c.match_id == bindparam("match_id"), parts.c.player_id == _player
)
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
    select(matches.c.game, parts.c.place, func.count())
    .join(matches, matches.c.id == parts.c.match_id)
    .where(parts.c.player_id == _player, matches.c.ended_at.is_not(None))
    .group_by(matches.c.game, parts.c.place)
)
_played = (
    select(
        matches.c.code,
        matches.c.game,
        matches.c.names,
        parts.c.seat,
        parts.c.place,
        matches.c.outcome,
        matches.c.ended_at,
    )
    .join(matches, matches.c.id == parts.c.match_id)
    .where(parts.c.player_id == _player, matches.c.ended_at.is_not(None))
    .order_by(matches.c.ended_at.desc(), matches.c.id.desc())
    .limit(bindparam("most"))
    .offset(bindparam("first"))
)
_ended = select(matches.c.id).where(matches.c.ended_at.is_not(None))
_forget_parts = delete(parts).where(parts.c.player_id == _player, parts.c.match_id.in_(_ended))
_add_import = insert(imports)
_import = select(imports.c.text).where(
    imports.c.code == _code, imports.c.expires_at > bindparam("now")
)
_old_imports = delete(imports).where(imports.c.expires_at <= bindparam("now"))
_count_imports = select(func.count()).select_from(imports)
_oldest_import = select(imports.c.code).order_by(imports.c.expires_at).limit(1)
_drop_import = delete(imports).where(imports.c.code == bindparam("gone"))


def match_by_code(connection: Connection, code: str) -> MatchRow | None:
    """Return the match whose record has that code."""
    row = connection.execute(_by_code, {"wanted": code}).first()
    return None if row is None else opened_match(connection, row)


def code_at(connection: Connection, table_id: int | None, number: int) -> str:
    """Return the code of a table's match with that number; empty when there is none."""
    return connection.execute(_at_table, {"at_table": table_id, "nth": number}).scalar() or ""


def table_code(connection: Connection, table_id: int | None) -> str:
    """Return the code of the table a match was played at; empty when the table is gone."""
    return connection.execute(_table_code, {"at_table": table_id}).scalar() or ""


def may_look_around(connection: Connection, table_id: int, player_id: int | None) -> bool:
    """Say whether a player may find a table's other matches: it has no password, or they sat there.

    None is an unknown player.
    """
    keys = {"at_table": table_id, "whose": player_id}
    return connection.execute(_open_to, keys).first() is not None


def took_part(connection: Connection, match_id: int, player_id: int) -> bool:
    """Say whether a player has a part in a match."""
    keys = {"match_id": match_id, "whose": player_id}
    return connection.execute(_part, keys).first() is not None


def seat_of(connection: Connection, match_id: int, player_id: int) -> int | None:
    """Return where a player sat in a match; None for somebody else."""
    keys = {"match_id": match_id, "whose": player_id}
    seat: int | None = connection.execute(_part, keys).scalar()
    return seat


def hide(connection: Connection, match_id: int, hidden: bool) -> None:
    """Take a match out of public view, or show it again."""
    connection.execute(_hide, {"match_id": match_id, "hidden": hidden})


def tally(connection: Connection, player_id: int) -> Sequence[tuple[str, int | None, int]]:
    """Return (game, place, number of finished matches) of a player; the place may be None."""
    return [(row[0], row[1], row[2]) for row in connection.execute(_tally, {"whose": player_id})]


def played(connection: Connection, player_id: int, most: int, first: int = 0) -> Sequence[PartRow]:
    """Return finished matches of a player, the latest first."""
    keys = {"whose": player_id, "most": most, "first": first}
    return [PartRow(*row) for row in connection.execute(_played, keys)]


def forget_parts(connection: Connection, player_id: int) -> None:
    """Forget which finished matches a player took part in."""
    connection.execute(_forget_parts, {"whose": player_id})
    note_queries.forget_ended(connection, player_id)


def add_import(
    connection: Connection, code: str, text: str, now: float, expires_at: float, most: int
) -> None:
    """Keep a record from elsewhere for a while; beyond `most` of them the oldest goes."""
    connection.execute(_old_imports, {"now": now})
    count = connection.execute(_count_imports).scalar() or 0
    if count >= most:
        oldest = connection.execute(_oldest_import).scalar()
        connection.execute(_drop_import, {"gone": oldest})
    sealed = seal_of_store(connection).close(text.encode(), "import")
    values = {"code": code, "text": sealed, "expires_at": expires_at}
    connection.execute(_add_import, values)


def imported(connection: Connection, code: str, now: float) -> str | None:
    """Return a record from elsewhere, or None when none with that code is left."""
    sealed = connection.execute(_import, {"wanted": code, "now": now}).scalar()
    if sealed is None:
        return None
    text = seal_of_store(connection).open(sealed, "import")
    return text.decode()
