"""The tables a player sits at, and a seat that goes to another one."""

from contextlib import suppress

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.engine.moves import CLOCK, Move
from kaboom.errors import TableNotFound
from kaboom.tables import hooks, queries
from kaboom.tables.permissions import require_seat
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.transaction import TableTransaction


def tables_of(tables: Tables, key_hash: str, most: int = 10) -> list[TableSnapshot]:
    """Return the tables a player last sat at, newest first."""
    if not key_hash:
        return []

    def work(connection: Connection) -> list[str]:
        known = player_queries.player(connection, key_hash)
        return queries.tables_of(connection, known[0], most) if known else []

    found = []
    for code in tables.database.read(work):
        with suppress(TableNotFound):  # damaged, or removed at this very moment
            found.append(tables.look(code, key_hash))
    return [snapshot for snapshot in found if snapshot.me is not None]


def hand_over(connection: Connection, old: int, new: int, table_id: int) -> None:
    """Give one player's place at a table, which both know, to another. The old player may still
    look.
    """
    queries.let_look(connection, old, table_id)
    for follow in hooks.on_hand_over:
        follow(connection, old, new, table_id)


def leave(tables: Tables, code: str, player: int) -> TableSnapshot:
    """Leave the table: the chair is freed, or during a match the house plays for it."""

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        seat = require_seat(table, player)
        chair = table.chair(seat)
        if not table.playing:
            transaction.empty(seat, "table.left")
        elif chair.present:
            chair.present = False
            # What the game tells of it is enough, and says who plays on.
            if not transaction.clock_move(Move(CLOCK, "leave", (str(seat),))):
                transaction.tell("table.away", who=chair.name)

    return tables.change(code, work)
