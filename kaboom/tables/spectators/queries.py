"""SQL statements for spectators who see a match with a delay."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select

from kaboom.db.encryption import cipher_of_store
from kaboom.tables.models import matches, moves, tables
from kaboom.tables.queries import MatchRow, opened_match

_begun_by: Any = (
    select(*(matches.c[name] for name in MatchRow._fields))
    .select_from(matches.join(tables, tables.c.id == matches.c.table_id))
    .where(tables.c.code == bindparam("code"), matches.c.started_at <= bindparam("at"))
    .order_by(matches.c.number.desc())
    .limit(1)
)
_moves_by: Any = (
    select(moves.c.seq, moves.c.text, moves.c.at)
    .where(
        moves.c.match_id == bindparam("match_id"),
        moves.c.seq > bindparam("after"),
        moves.c.at <= bindparam("until"),
    )
    .order_by(moves.c.seq)
)


def begun_by(connection: Connection, code: str, at: float) -> MatchRow | None:
    """Return the latest match at a table that had begun by `at`, or None before the first."""
    row = connection.execute(_begun_by, {"code": code, "at": at}).first()
    return None if row is None else opened_match(connection, row)


def moves_by(
    connection: Connection, match_id: int, after: int, until: float
) -> Sequence[tuple[str, float]]:
    """Return the moves of a match after number `after`, made by `until`, in order, with their
    times.
    """
    cipher = cipher_of_store(connection)
    found: list[tuple[str, float]] = []
    values = {"match_id": match_id, "after": after, "until": until}
    for number, text, at in connection.execute(_moves_by, values):
        if number != after + len(found) + 1:
            break  # if the clock was set back, an earlier move has a later time
        found.append((cipher.decrypt(text, "move").decode(), at))
    return found
