"""Statements about boards: deals that several tables play, and who has played them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, func, insert, select, update

from kaboom.db.encryption import seal_of_store
from kaboom.db.models import board_tries, boards


class BoardRow(NamedTuple):
    """A board as stored, its secret opened. `options` is JSON. `cut` is empty until it is drawn.

    Times are seconds since 1970; `closed_at` is None while it is not known when it is closed.
    """

    label: str
    game: str
    options: str
    secret: bytes
    commitment: str
    cut: str
    opens_at: float
    closed_at: float | None

    def is_closed(self, now: float) -> bool:
        """Say whether everything about it may be seen."""
        return self.closed_at is not None and self.closed_at <= now


class TryRow(NamedTuple):
    """A player's try at a board: at which table, and the result (None: not over)."""

    code: str
    result: int | None


_label: Any = bindparam("wanted")
_columns = [boards.c[name] for name in BoardRow._fields]
_board = select(*_columns).where(boards.c.label == _label)
_between = (
    select(*_columns)
    .where(boards.c.label >= bindparam("first"), boards.c.label <= bindparam("last"))
    .order_by(boards.c.label.desc())
)
_add = insert(boards)
_draw_cut = update(boards).where(boards.c.label == _label, boards.c.cut == "")
_close = update(boards).where(boards.c.label.in_(bindparam("labels")))
_try = select(board_tries.c.code, board_tries.c.result).where(
    board_tries.c.board == _label, board_tries.c.player_id == bindparam("whose")
)
_add_try = insert(board_tries)
_end_try = update(board_tries).where(
    board_tries.c.board == _label,
    board_tries.c.code == bindparam("at_table"),
    board_tries.c.player_id == bindparam("whose"),
    board_tries.c.result.is_(None),
)
_results = (
    select(board_tries.c.result, func.count())
    .where(board_tries.c.board == _label, board_tries.c.result.is_not(None))
    .group_by(board_tries.c.result)
)


def add(connection: Connection, row: BoardRow) -> None:
    """Store a board; raises IntegrityError when there is one with that label."""
    sealed = seal_of_store(connection).close(row.secret, "board")
    connection.execute(_add, {**row._asdict(), "secret": sealed})


def board(connection: Connection, label: str) -> BoardRow | None:
    """Return the board with that label."""
    row = connection.execute(_board, {"wanted": label}).first()
    return None if row is None else _opened(connection, row)


def between(connection: Connection, first: str, last: str) -> Sequence[BoardRow]:
    """Return the boards whose labels lie between these two, the last first."""
    found = connection.execute(_between, {"first": first, "last": last})
    return [_opened(connection, row) for row in found]


def _opened(connection: Connection, row: Any) -> BoardRow:
    sealed = BoardRow(*row)
    return sealed._replace(secret=seal_of_store(connection).open(sealed.secret, "board"))


def draw_cut(connection: Connection, label: str, cut: str) -> None:
    """Give a board its cut, unless it has one."""
    connection.execute(_draw_cut, {"wanted": label, "cut": cut})


def close(connection: Connection, labels: Sequence[str], at: float) -> None:
    """Let everything about these boards be seen from a moment on."""
    connection.execute(_close, {"labels": list(labels), "closed_at": at})


def try_of(connection: Connection, label: str, player_id: int) -> TryRow | None:
    """Return a player's try at a board."""
    row = connection.execute(_try, {"wanted": label, "whose": player_id}).first()
    return None if row is None else TryRow(*row)


def add_try(connection: Connection, label: str, player_id: int, code: str) -> None:
    """Note at which table a player tries a board; raises IntegrityError for a second try."""
    values = {"board": label, "player_id": player_id, "code": code, "result": None}
    connection.execute(_add_try, values)


def end_try(connection: Connection, label: str, player_id: int, code: str, result: int) -> None:
    """Note the result of a player at a table, if it was their try and has none yet."""
    keys = {"wanted": label, "at_table": code, "whose": player_id}
    connection.execute(_end_try, {**keys, "result": result})


def results(connection: Connection, label: str) -> dict[int, int]:
    """Return how many tries at a board had each result."""
    found = connection.execute(_results, {"wanted": label})
    return {row[0]: row[1] for row in found}
