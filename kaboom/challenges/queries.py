"""SQL statements for challenges and their attempts."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select

from kaboom.challenges.models import challenges
from kaboom.db.encryption import cipher_of_store
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.continued_match import Origin
from kaboom.tables.models import board_tries, match_players, matches, tables


class ChallengeRow(NamedTuple):
    """A stored challenge, decrypted; `names` is JSON."""

    code: str
    board: str
    seat: int
    level: str
    origin: Origin
    names: str
    by_id: int | None
    made_at: float


class LineRow(NamedTuple):
    """An attempt at a challenge: its table, and its match once that has begun.

    `result` is None until the match ends; higher is better. `outcome` and `names` are JSON.
    """

    player: int
    table: str
    result: int | None
    record: str | None
    names: str | None
    outcome: str | None
    hidden: bool | None


class TableRow(NamedTuple):
    """The result of a board at a finished table; `names` and `outcome` are JSON."""

    record: str
    names: str
    outcome: str
    hidden: bool


_code: Any = bindparam("wanted")
_challenge = select(*(challenges.c[name] for name in ChallengeRow._fields)).where(
    challenges.c.code == _code
)
_lines = (
    select(
        board_tries.c.player_id,
        board_tries.c.code,
        board_tries.c.result,
        matches.c.code,
        matches.c.names,
        matches.c.outcome,
        matches.c.hidden,
    )
    .select_from(
        board_tries.join(tables, tables.c.code == board_tries.c.code).outerjoin(
            matches, (matches.c.table_id == tables.c.id) & (matches.c.number == 1)
        )
    )
    .where(board_tries.c.board == _code)
    .order_by(board_tries.c.result.desc(), board_tries.c.player_id)
    .limit(bindparam("most"))
)
_seat = (
    select(match_players.c.seat, matches.c.code)
    .join(matches, matches.c.id == match_players.c.match_id)
    .where(
        match_players.c.player_id == bindparam("whose"),
        matches.c.board == _code,
        matches.c.ended_at.is_not(None),
    )
    .order_by(matches.c.id)
    .limit(1)
)
_tables = (
    select(matches.c.code, matches.c.names, matches.c.outcome, matches.c.hidden)
    .where(matches.c.board == _code, matches.c.ended_at.is_not(None))
    .order_by(matches.c.id)
    .limit(bindparam("most"))
)


def add(connection: Connection, row: ChallengeRow) -> None:
    """Store a challenge; its board must exist."""
    sealed = cipher_of_store(connection).encrypt(to_json(row.origin), "origin")
    connection.execute(insert(challenges), {**row._asdict(), "origin": sealed})


def challenge(connection: Connection, code: str) -> ChallengeRow | None:
    """Return the challenge with that code, or None."""
    found = connection.execute(_challenge, {"wanted": code}).first()
    if found is None:
        return None
    row: Any = ChallengeRow(*found)
    origin = from_json(cipher_of_store(connection).decrypt(row.origin, "origin"), Origin)
    opened: ChallengeRow = row._replace(origin=origin)
    return opened


def lines(connection: Connection, board: str, most: int) -> Sequence[LineRow]:
    """Return up to `most` attempts at a board, best result first, unfinished ones without
    a result.
    """
    found = connection.execute(_lines, {"wanted": board, "most": most})
    return [LineRow(*row) for row in found]


def seat_at(connection: Connection, board: str, player: int) -> tuple[int, str] | None:
    """Return the seat in which a player played a board, and the code of the match's record."""
    row = connection.execute(_seat, {"wanted": board, "whose": player}).first()
    return None if row is None else (row[0], row[1])


def tables_of(connection: Connection, board: str, most: int) -> Sequence[TableRow]:
    """Return the results of a board at all finished tables."""
    found = connection.execute(_tables, {"wanted": board, "most": most})
    return [TableRow(*row) for row in found]
