"""Bots in seats: in a free one, or as the stand-in for a player who is away."""

from kaboom.accounts.names import told_apart
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.names import named
from kaboom.engine.moves import Seat
from kaboom.tables.table import Occupant, Table
from kaboom.tables.transaction import TableTransaction


def seat_bot(table: Table, seat: Seat, level: Level = Level.NORMAL) -> str:
    """Seat a bot of a level in a free seat; return its name."""
    others = [occupant.name for _unused, occupant in table.sitting()]
    name = told_apart(named(level, others), others)
    table.chairs[seat] = Occupant(name, ready=True, level=level)
    return name


def start_stand_in(transaction: TableTransaction, seat: Seat, kind: str) -> None:
    """Let a bot play for the person in a seat until they return (`TableTransaction.come_back`),
    and log that with a sentence of this kind. It knows only what the seat has seen.

    Called when the player asks for it, the others vote for it, or the player's time has repeatedly
    run out.
    """
    occupant = transaction.table.occupant(seat)
    occupant.stand_in = True
    transaction.tell(kind, who=occupant.name, seat=seat)
