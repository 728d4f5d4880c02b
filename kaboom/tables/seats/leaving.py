"""Leaving a table."""

from kaboom.engine.moves import CLOCK, Move
from kaboom.tables.permissions import require_seat
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.transaction import TableTransaction


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
