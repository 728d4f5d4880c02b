"""Moves decided ahead of one's turn, kept with the table: kaboom.engine.premoves.

Nobody but the planner can tell that there is a plan, or that a move was planned: it is made after
the time a person takes who need not think, and logged under an id like those of forms.
"""

from collections.abc import Mapping, Sequence

from kaboom.engine.bots.delays import by_hand
from kaboom.engine.i18n import say
from kaboom.engine.moves import Choices, Move, NotOnOffer, Refusal, Seat
from kaboom.engine.premoves import Ahead, asked, offered, still
from kaboom.engine.rng import Chance
from kaboom.tables.clock.due import Planned
from kaboom.tables.position import Position
from kaboom.tables.table import Plan, Table
from kaboom.tables.transaction import TableTransaction


def can_plan(table: Table, position: Position, seat: Seat | None) -> Sequence[Ahead]:
    """Return what a person at a seat may decide ahead now: what the seat is not asked yet."""
    if seat is None or table.paused or seat not in table.people():
        return ()
    listeners = position.listeners
    return [it for it in position.ahead(seat) if it.until or not asked(listeners, seat, it.verb)]


def plan(transaction: TableTransaction, seat: Seat, token: str, choices: Choices) -> None:
    """Keep a plan for a seat in place of the one it had; raises NotOnOffer."""
    table = transaction.table
    found = still(can_plan(table, transaction.position, seat), seat, token, choices)
    if found is None:
        raise NotOnOffer(say("That cannot be decided ahead any more: the table has moved on."))
    table.plans[seat] = Plan(found.verb, choices, token, found.until)


def waiting(table: Table, position: Position, key: bytes | None) -> Mapping[str, float]:
    """Throw away stale plans; return those that can be played now.

    Keys are texts of kaboom.tables.clock.due, values the seconds after which they are due.
    """
    due: dict[str, float] = {}
    for seat, it in list(table.plans.items()):
        found = still(position.ahead(seat), seat, it.token, it.choices)
        if found is None or seat not in table.people():
            del table.plans[seat]
            continue
        token = offered(position.listeners, seat, found, it.choices)
        if token is not None:
            assert key is not None
            quick = it.verb in position.game.quick or it.until
            due[str(Planned(seat, token))] = by_hand(quick, Chance(key, table.seq, f"ahead {seat}"))
        elif asked(position.listeners, seat, it.verb) and not it.until:
            del table.plans[seat]  # its turn has come, and it cannot be done
    return due


def play(transaction: TableTransaction, what: Planned) -> None:
    """Make a planned move whose time has come."""
    table, seat = transaction.table, what.seat
    it = table.plans.get(seat)
    table.timers.pop(str(what), None)
    if it is None:
        return
    if not it.until:
        del table.plans[seat]
    try:
        cmd = f"{seat} {what.token} {table.revision(seat)}"  # as a lifted card's form has it
        with table.acting(seat):
            transaction.play(Move(seat, it.verb, it.choices), cmd, what.token)
    except Refusal:
        table.plans.pop(seat, None)
