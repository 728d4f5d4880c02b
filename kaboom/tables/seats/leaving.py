"""Leaving a table, and the host removing a player or bot."""

from contextlib import suppress

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import CLOCK, Move, Seat
from kaboom.errors import InvalidState, NotPermitted, TableNotFound
from kaboom.tables import queries
from kaboom.tables.permissions import (
    require_host,
    require_no_match,
    require_seat,
    require_seat_number,
    require_taken_seat,
)
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import VIEWERS
from kaboom.tables.transaction import TableTransaction

MOST_TABLES = 1000


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


def leave_all(tables: TableService, player: int) -> None:
    """Remove a player from every table, as `leave` does."""
    for code in tables.database.read(lambda c: queries.tables_of(c, player, MOST_TABLES)):
        with suppress(NotPermitted, TableNotFound):  # they have left it since the query
            leave(tables, code, player)


def remove(
    tables: TableService, code: str, player: int, seat: Seat, name: str = ""
) -> TableSnapshot:
    """Remove the occupant of a seat before the match, and keep a removed person from sitting down
    again (permissions.require_not_removed) until they are readmitted; only the table's host may.
    `name` is the occupant whom the host meant; empty for any occupant. Raises NotPermitted or
    InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_host(table, player)
        require_no_match(table)
        require_seat_number(table, seat)
        occupant = require_taken_seat(table, seat)
        if name and name != occupant.name:
            raise InvalidState(_("Another player is sitting there now."))
        if occupant.player not in (None, player):
            table.shown_out = [*table.shown_out, occupant.player][-VIEWERS:]
        transaction.empty(seat, "table.left" if occupant.player == player else "table.removed")

    return tables.change(code, work)


def readmit(tables: TableService, code: str, player: int, guest: int) -> None:
    """Let a player whom the host has removed sit down again; only the host may. Raises
    NotPermitted.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_host(table, player)
        table.shown_out = [other for other in table.shown_out if other != guest]

    tables.change(code, work)
