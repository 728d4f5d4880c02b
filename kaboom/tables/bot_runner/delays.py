"""A bot's thinking time at a table, before a move or a race (kaboom.engine.bots.delays)."""

from kaboom.engine.bots.delays import decision_seconds, reaction_seconds
from kaboom.engine.bots.names import TEMPERS, Temper, character
from kaboom.engine.moves import Seat
from kaboom.engine.rng import Rng
from kaboom.engine.views import Prompt
from kaboom.tables.table import Table
from kaboom.tables.transaction import TableTransaction


def move_delay(transaction: TableTransaction, own: Prompt, race: bool) -> float:
    """Return the seconds a bot waits before it answers its prompt."""
    table, quick = transaction.table, transaction.game.quick
    temper, rng = _temper(table, own.seat), _dice(transaction, f"pace {own.seat}")
    alone, look = not table.people(), transaction.game.to_be_seen(transaction.state)
    return decision_seconds(table.pace, own, race, quick, temper, rng, alone, look)


def reaction_delay(transaction: TableTransaction, seat: Seat) -> float | None:
    """Return the seconds until a bot notices a race; None if the bot misses the race."""
    table, rng = transaction.table, _dice(transaction, f"reaction {seat}")
    return reaction_seconds(table.level(seat), _temper(table, seat), rng)


def _dice(transaction: TableTransaction, purpose: str) -> Rng:
    assert transaction.key is not None
    return Rng(transaction.key, transaction.table.seq, purpose)


def _temper(table: Table, seat: Seat) -> Temper:
    """Return the temperament of a bot; the neutral one for a bot that stands in for a person."""
    occupant = table.occupant(seat)
    known = character(occupant.name) if occupant.bot else None
    return TEMPERS[known.way] if known else Temper()
