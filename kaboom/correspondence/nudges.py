"""Nudges: a player reminds another in a correspondence match that it is their turn."""

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat
from kaboom.errors import InvalidState
from kaboom.notifications import outbox_queries
from kaboom.tables.clock.correspondence import can_be_nudged
from kaboom.tables.permissions import require_match, require_seat, require_taken_seat
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.transaction import TableTransaction


def nudge(tables: TableService, code: str, player: int, seat: Seat) -> TableSnapshot:
    """Remind a player that it is their turn: all players see the log line, and the player is
    notified once more.

    This is possible once per turn, after half of its time has passed. Raises NotPermitted or
    InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        mine = require_seat(table, player)
        require_match(table)
        occupant = require_taken_seat(table, seat)
        if seat == mine or not can_be_nudged(table, seat, transaction.table_time):
            raise InvalidState(
                _("You can remind a player once per turn, after half of their time has passed.")
            )
        turn = table.turns[seat].number
        table.nudged[seat] = turn
        transaction.tell("table.nudged", by=table.seats[mine], who=occupant.name)
        assert occupant.player is not None
        outbox_queries.nudge(
            transaction.connection, occupant.player, transaction.row.id, turn, transaction.now
        )

    return tables.change(code, work)
