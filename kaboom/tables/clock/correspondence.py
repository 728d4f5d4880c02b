"""Correspondence matches: players need not be present together, and time is counted in days.

Players whose time runs out keep their seat: a bot plays that one turn. After two such turns in a
row, it plays on until they return. Vacations are stored in the database and copied onto a table
with its next change, so a worker that is killed in between loses nothing.
"""

from kaboom.engine.moves import Move, Seat
from kaboom.tables.bot_runner.moves import note
from kaboom.tables.clock import vacation_queries
from kaboom.tables.clock.timer_kinds import CorrespondenceTimer
from kaboom.tables.clock.timers import stand_still
from kaboom.tables.seats.bots import start_stand_in
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Table, Timer, Vacation
from kaboom.tables.transaction import TableTransaction

LAPSES = 2  # turns in a row after which a bot plays on


def note_vacations(transaction: TableTransaction) -> None:
    """Copy onto a table which of its players are on vacation, and until when."""
    table, now = transaction.table, transaction.now
    people = [occupant.player for _, occupant in table.sitting() if occupant.player is not None]
    running = vacation_queries.running(transaction.connection, people, now) if people else {}
    for seat, occupant in table.sitting():
        known = occupant.vacation
        began_at, ends_at = running.get(occupant.player or 0, (now, None))
        if ends_at is None:
            occupant.vacation = None
            if known is not None:
                transaction.tell("table.vacation_over", who=occupant.name)
        elif known is None or known.ends_at != ends_at:
            occupant.vacation = Vacation(ends_at, transaction.table_time + (ends_at - now))
            stand_still(table, seat, transaction.table_time - (now - began_at))
            transaction.tell("table.vacation", who=occupant.name)


def lapse(
    transaction: TableTransaction, seen: TableSnapshot, what: CorrespondenceTimer, move: Move | None
) -> None:
    """Play a bot's move for a player whose time has run out; a bot also plays the rest of the
    turn.

    The log reports it to the other players, unless the step is answered in secret.
    """
    table, seat = transaction.table, what.seat
    occupant, turn = table.occupant(seat), table.turns[seat]
    table.timers[str(what)] = Timer(0.0)  # spent
    if table.bank:
        table.banks[seat] = 0.0
    if table.covered.get(seat) != turn.number:
        table.covered[seat] = turn.number
        occupant.lapsed += 1
        if not turn.sealed:
            transaction.tell("table.lapsed", who=occupant.name)
    if move is not None:
        del table.timers[str(what)]
        note(transaction, seen, move)
        transaction.play(move, f"bot {table.seq + 1}")


def keep_in_order(transaction: TableTransaction) -> None:
    """Discard data of turns that are over, and let a bot play for each player whose time has run
    out LAPSES times in a row.
    """
    table = transaction.table
    if table.covered or table.nudged:
        table.covered = _of_these_turns(table, table.covered)
        table.nudged = _of_these_turns(table, table.nudged)
    for seat in table.people():
        occupant = table.occupant(seat)
        if occupant.lapsed >= LAPSES and seat not in table.covered:
            occupant.lapsed = 0
            start_stand_in(transaction, seat, "table.lapsed_again")


def _of_these_turns(table: Table, kept: dict[Seat, int]) -> dict[Seat, int]:
    return {
        seat: number
        for seat, number in kept.items()
        if seat in table.turns and table.turns[seat].number == number
    }


def can_be_nudged(table: Table, seat: Seat, now: float) -> bool:
    """Return True if a player may be reminded of their turn: once a turn, after half their time.

    `now` is in table time. A step answered in secret has no reminders.
    """
    turn, timer = table.turns.get(seat), table.day_clock(seat)
    if turn is None or turn.sealed or timer is None or timer.due is None or not timer.given:
        return False
    half = timer.due - table.bank_of(seat) - timer.given / 2
    return table.nudged.get(seat) != turn.number and now >= half
