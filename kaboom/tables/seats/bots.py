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


def against_bots(seats: int, seat: Seat, level: Level, player: int, name: str) -> list[Occupant]:
    """Return the occupants of a table for one person: the player in one seat, bots of a level in
    all others.
    """
    bots: list[str] = []
    for _unused in range(seats - 1):
        bots.append(told_apart(named(level, bots), bots))
    sitting = [Occupant(bot, ready=True, level=level) for bot in bots]
    sitting.insert(seat, Occupant(told_apart(name, bots), player))
    return sitting


def start_stand_in(transaction: TableTransaction, seat: Seat, kind: str) -> None:
    """Let a bot play for the person in a seat until they return (`TableTransaction.come_back`),
    and log that with a sentence of this kind. It knows only what the seat has seen.

    Called when the player asks for it, the others vote for it, or the player's time has repeatedly
    run out.
    """
    occupant = transaction.table.occupant(seat)
    occupant.stand_in = True
    transaction.tell(kind, who=occupant.name, seat=seat)
