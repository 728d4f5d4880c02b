"""Statements for those who see a match later than its players."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select

from kaboom.store.models import matches, moves, tables
from kaboom.store.queries import MatchRow, opened_match
from kaboom.store.sealing import Seal

_begun_by: Any = (
    select(*(matches.c[name] for name in MatchRow._fields))
    .select_from(matches.join(tables, tables.c.id == matches.c.table_id))
    .where(tables.c.code == bindparam("code"), matches.c.started_at <= bindparam("at"))
    .order_by(matches.c.number.desc())
    .limit(1)
)
_moves_by: Any = (
    select(moves.c.seq, moves.c.text)
    .where(
        moves.c.match_id == bindparam("match_id"),
        moves.c.seq > bindparam("after"),
        moves.c.at <= bindparam("until"),
    )
    .order_by(moves.c.seq)
)


def begun_by(connection: Connection, code: str, at: float) -> MatchRow | None:
    """Return the match that was the last at a table at some time, or None before the first."""
    row = connection.execute(_begun_by, {"code": code, "at": at}).first()
    return None if row is None else opened_match(connection, row)


def moves_by(connection: Connection, match_id: int, after: int, until: float) -> Sequence[str]:
    """Return the moves of a match that follow one and were made by some time, in order."""
    seal: Seal = connection.info["seal"]
    texts: list[str] = []
    values = {"match_id": match_id, "after": after, "until": until}
    for number, text in connection.execute(_moves_by, values):
        if number != after + len(texts) + 1:
            break  # a clock that went back: an earlier move says that it was made later
        texts.append(seal.open(text, "move").decode())
    return texts
