"""The tables at which a player sits, leaving a table, and giving a seat to another player."""

from contextlib import suppress

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.engine.moves import CLOCK, Move
from kaboom.errors import TableNotFound
from kaboom.tables import hooks, queries
from kaboom.tables.permissions import require_seat
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.transaction import TableTransaction


def tables_of(tables: TableService, key_hash: str, most: int = 10) -> list[TableSnapshot]:
    """Return the tables at which a player sits, most recently changed first."""
    if not key_hash:
        return []

    def work(connection: Connection) -> list[str]:
        known = player_queries.player(connection, key_hash)
        return queries.tables_of(connection, known[0], most) if known else []

    found = []
    for code in tables.database.read(work):
        with suppress(TableNotFound):  # damaged, or deleted since the query
            found.append(tables.get(code, key_hash))
    return [snapshot for snapshot in found if snapshot.me is not None]


def transfer_seat(connection: Connection, old: int, new: int, table_id: int) -> None:
    """Give one player's place at a table to another player. The old player may still watch."""
    queries.let_look(connection, old, table_id)
    for follow in hooks.on_hand_over:
        follow(connection, old, new, table_id)


def leave(tables: TableService, code: str, player: int) -> TableSnapshot:
    """Remove a player from a table, and return the table.

    During a match the seat stays theirs, and the game decides for it (kaboom.engine.timeouts).
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        seat = require_seat(table, player)
        occupant = table.occupant(seat)
        if not table.playing:
            transaction.empty(seat, "table.left")
        elif occupant.present:
            occupant.present = False
            # The table logs the departure only if the game has not logged it itself.
            if not transaction.clock_move(Move(CLOCK, "leave", (str(seat),))):
                transaction.tell("table.away", who=occupant.name)

    return tables.change(code, work)
