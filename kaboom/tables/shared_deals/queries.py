"""SQL statements about boards, which are deals shared by several tables, and attempts at them."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, func, insert, select, update

from kaboom.db.encryption import cipher_of_store
from kaboom.tables.models import board_tries, boards, tables


class BoardRow(NamedTuple):
    """A stored board with its secret decrypted. `options` is JSON. `cut` is empty until it is
    drawn.

    Times are seconds since 1970; `closed_at` is None until it is set.
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
        """Return True if the board is closed, so that everything about it is public."""
        return self.closed_at is not None and self.closed_at <= now


class AttemptRow(NamedTuple):
    """A player's attempt at a board: the table, and the result (None while it is not over)."""

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
_still_played = select(boards.c.label).where(
    boards.c.label.in_(bindparam("labels", expanding=True)),
    boards.c.closed_at.is_(None) | (boards.c.closed_at > bindparam("now")),
)
_add = insert(boards)
_draw_cut = update(boards).where(boards.c.label == _label, boards.c.cut == "")
_close = update(boards).where(boards.c.label.in_(bindparam("labels")))
_try = select(board_tries.c.code, board_tries.c.result).where(
    board_tries.c.board == _label, board_tries.c.player_id == bindparam("whose")
)
_player_of_try = (
    select(board_tries.c.player_id)
    .join(tables, tables.c.code == board_tries.c.code)
    .where(
        board_tries.c.board == _label,
        board_tries.c.result.is_not(None),
        tables.c.id == bindparam("at_table"),
    )
)
_add_try = insert(board_tries)
_end_try = update(board_tries).where(
    board_tries.c.board == _label,
    board_tries.c.code == bindparam("at_table"),
    board_tries.c.player_id == bindparam("whose"),
    board_tries.c.result.is_(None),
)
_results_of = select(board_tries.c.board, board_tries.c.result).where(
    board_tries.c.player_id == bindparam("player"),
    board_tries.c.board.between(bindparam("first"), bindparam("last")),
    board_tries.c.result.is_not(None),
)
_results = (
    select(board_tries.c.result, func.count())
    .where(board_tries.c.board == _label, board_tries.c.result.is_not(None))
    .group_by(board_tries.c.result)
)


def add(connection: Connection, row: BoardRow) -> None:
    """Store a board; raises IntegrityError if its label is taken."""
    sealed = cipher_of_store(connection).encrypt(row.secret, "board")
    connection.execute(_add, {**row._asdict(), "secret": sealed})


def board(connection: Connection, label: str) -> BoardRow | None:
    """Return the board with that label, or None."""
    row = connection.execute(_board, {"wanted": label}).first()
    return None if row is None else _opened(connection, row)


def between(connection: Connection, first: str, last: str) -> Sequence[BoardRow]:
    """Return the boards whose labels are from `first` to `last`, in descending order."""
    found = connection.execute(_between, {"first": first, "last": last})
    return [_opened(connection, row) for row in found]


def still_played(connection: Connection, labels: Collection[str], now: float) -> set[str]:
    """Return those of the boards with these labels that are not closed."""
    keys = {"labels": list(labels), "now": now}
    return set(connection.execute(_still_played, keys).scalars()) if labels else set()


def _opened(connection: Connection, row: Any) -> BoardRow:
    sealed = BoardRow(*row)
    return sealed._replace(secret=cipher_of_store(connection).decrypt(sealed.secret, "board"))


def draw_cut(connection: Connection, label: str, cut: str) -> None:
    """Store a board's cut, unless it has one."""
    connection.execute(_draw_cut, {"wanted": label, "cut": cut})


def close(connection: Connection, labels: Sequence[str], at: float) -> None:
    """Set the time from which everything about these boards is public."""
    connection.execute(_close, {"labels": list(labels), "closed_at": at})


def attempt_of(connection: Connection, label: str, player_id: int) -> AttemptRow | None:
    """Return a player's attempt at a board, or None."""
    row = connection.execute(_try, {"wanted": label, "whose": player_id}).first()
    return None if row is None else AttemptRow(*row)


def results_of(connection: Connection, player_id: int, first: str, last: str) -> dict[str, int]:
    """Return a player's results by board label, for labels from `first` to `last`."""
    found = connection.execute(_results_of, {"player": player_id, "first": first, "last": last})
    return {row[0]: row[1] for row in found}


def player_of_try(connection: Connection, label: str, table_id: int | None) -> int | None:
    """Return the id of the player whose attempt at a board was finished at a table, or None."""
    keys = {"wanted": label, "at_table": table_id}
    player: int | None = connection.execute(_player_of_try, keys).scalar()
    return player


def add_try(connection: Connection, label: str, player_id: int, code: str) -> None:
    """Record the table of a player's attempt at a board; raises IntegrityError for a second
    attempt.
    """
    values = {"board": label, "player_id": player_id, "code": code, "result": None}
    connection.execute(_add_try, values)


def end_try(connection: Connection, label: str, player_id: int, code: str, result: int) -> None:
    """Record a player's result at a table, if it is their attempt and has none yet."""
    keys = {"wanted": label, "at_table": code, "whose": player_id}
    connection.execute(_end_try, {**keys, "result": result})


def results(connection: Connection, label: str) -> dict[int, int]:
    """Return the number of attempts at a board by result."""
    found = connection.execute(_results, {"wanted": label})
    return {row[0]: row[1] for row in found}
