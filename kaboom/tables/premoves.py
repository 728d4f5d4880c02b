"""Premoves, stored with the table (see kaboom.engine.premoves).

Only the player can tell that there is a premove, or that a move was one. A premove is played after
the time that a person takes for a move without thinking, and is logged with an id like that of a
form.
"""

from collections.abc import Mapping, Sequence

from kaboom.engine.bots.delays import person_seconds
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Choices, Move, NotOnOffer, Refusal, Seat
from kaboom.engine.premoves import Premove, asked, offered, still
from kaboom.engine.rng import Rng
from kaboom.tables.clock.timer_kinds import Planned
from kaboom.tables.position import Position
from kaboom.tables.table import PlannedMove, Table
from kaboom.tables.transaction import TableTransaction


def can_plan(table: Table, position: Position, seat: Seat | None) -> Sequence[Premove]:
    """Return the premoves open to a seated player, without moves that they are already prompted
    for.
    """
    if seat is None or table.paused or seat not in table.people():
        return ()
    listeners = position.listeners
    return [it for it in position.ahead(seat) if it.until or not asked(listeners, seat, it.verb)]


def plan(transaction: TableTransaction, seat: Seat, token: str, choices: Choices) -> None:
    """Store a seat's premove in place of its previous one; raises NotOnOffer."""
    table = transaction.table
    found = still(can_plan(table, transaction.position, seat), seat, token, choices)
    if found is None:
        raise NotOnOffer(_("It is too late to plan that: the table has moved on."))
    table.plans[seat] = PlannedMove(found.verb, choices, token, found.until)


def waiting(table: Table, position: Position, key: bytes | None) -> Mapping[str, float]:
    """Delete outdated premoves; return those that can be played now.

    Keys are texts of kaboom.tables.clock.timer_kinds, values the seconds until they are due.
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
            rng = Rng(key, table.seq, f"ahead {seat}")
            due[str(Planned(seat, token))] = person_seconds(quick, rng)
        elif asked(position.listeners, seat, it.verb) and not it.until:
            del table.plans[seat]  # it is the player's turn, and the premove is not legal
    return due


def play(transaction: TableTransaction, what: Planned) -> None:
    """Play a premove that is due."""
    table, seat = transaction.table, what.seat
    it = table.plans.get(seat)
    table.timers.pop(str(what), None)
    if it is None:
        return
    if not it.until:
        del table.plans[seat]
    try:
        cmd = f"{seat} {what.token} {table.revision(seat)}"  # like a form's id
        with table.acting(seat):
            transaction.play(Move(seat, it.verb, it.choices), cmd, what.token)
    except Refusal:
        table.plans.pop(seat, None)
