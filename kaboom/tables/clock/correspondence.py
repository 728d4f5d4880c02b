"""Matches over days: nobody need be there at the same moment, and time is counted in days.

Players who let the time run out keep their seat: a bot decides that one turn. After two turns in a
row it plays on until they return. Vacations are kept in the store; a table learns of them with its
next change at the latest, so a worker that is killed in between loses nothing.
"""

from kaboom.engine.moves import Move, Seat
from kaboom.tables.bots.thinking import done_of
from kaboom.tables.clock import vacation_queries
from kaboom.tables.clock.due import DayClock
from kaboom.tables.clock.timers import stand_still
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import LOG_LINES, Table, Timer, Vacation
from kaboom.tables.transaction import TableTransaction

LAPSES = 2  # turns in a row after which a bot plays on


def note_vacations(transaction: TableTransaction) -> None:
    """Let a table know which of its players are on vacation, and until when."""
    table, now = transaction.table, transaction.now
    people = [chair.player for _, chair in table.sitting() if chair.player is not None]
    running = vacation_queries.running(transaction.connection, people, now) if people else {}
    for seat, chair in table.sitting():
        known = chair.vacation
        began_at, ends_at = running.get(chair.player or 0, (now, None))
        if ends_at is None:
            chair.vacation = None
            if known is not None:
                transaction.tell("table.vacation_over", who=chair.name)
        elif known is None or known.ends_at != ends_at:
            chair.vacation = Vacation(ends_at, transaction.table_time + (ends_at - now))
            stand_still(table, seat, transaction.table_time - (now - began_at))
            transaction.tell("table.vacation", who=chair.name)


def lapse(
    transaction: TableTransaction, seen: TableSnapshot, what: DayClock, move: Move | None
) -> None:
    """Play a bot's move for somebody whose days are over; it also decides the rest of the turn.

    The others are told, unless the answer is given in secret.
    """
    table, seat = transaction.table, what.seat
    chair, turn = table.chair(seat), table.turns[seat]
    table.timers[str(what)] = Timer(0.0)  # spent
    if table.covered.get(seat) != turn.number:
        table.covered[seat] = turn.number
        chair.lapsed += 1
        if not turn.sealed:
            transaction.tell("table.lapsed", who=chair.name)
    if move is not None:
        del table.timers[str(what)]
        chair.done = [*chair.done, done_of(seen.prompts[seat], move)][-LOG_LINES:]
        transaction.play(move, f"bot {table.seq + 1}")


def keep_in_order(transaction: TableTransaction) -> None:
    """Forget what was kept of turns that are over, and hand over to a bot the seats of players who
    let the time run out LAPSES times in a row.
    """
    table = transaction.table
    if table.covered or table.nudged:
        table.covered = _of_these_turns(table, table.covered)
        table.nudged = _of_these_turns(table, table.nudged)
    for seat in table.people():
        chair = table.chair(seat)
        if chair.lapsed >= LAPSES and seat not in table.covered:
            chair.stand_in, chair.lapsed = True, 0
            transaction.tell("table.lapsed_again", who=chair.name)


def _of_these_turns(table: Table, kept: dict[Seat, int]) -> dict[Seat, int]:
    return {
        seat: number
        for seat, number in kept.items()
        if seat in table.turns and table.turns[seat].number == number
    }


def can_be_nudged(table: Table, seat: Seat, now: float) -> bool:
    """Say whether somebody may be reminded of their turn: once, when half their time is over.

    `now` is in table time. Nobody is reminded of a step that is answered in secret.
    """
    turn, timer = table.turns.get(seat), table.day_clock(seat)
    if turn is None or turn.sealed or timer is None or timer.due is None or not timer.given:
        return False
    return table.nudged.get(seat) != turn.number and now >= timer.due - timer.given / 2
