"""What people do where matches are played over days: remind somebody, go on vacation, come back."""

from dataclasses import dataclass
from datetime import UTC, datetime
from math import floor

from sqlalchemy import Connection

from kaboom.db.times import DAY
from kaboom.engine.i18n import say, say_counted
from kaboom.engine.moves import Seat
from kaboom.errors import InvalidState, TableNotFound
from kaboom.notifications import outbox_queries
from kaboom.tables import queries
from kaboom.tables.clock import vacation_queries as vacations
from kaboom.tables.clock.correspondence import can_be_nudged
from kaboom.tables.clock.vacation_queries import VacationRow
from kaboom.tables.permissions import require_match, require_seat, require_taken_seat
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.transaction import TableTransaction

A_YEAR = 21  # days of vacation in a calendar year (UTC)


@dataclass(frozen=True, slots=True)
class VacationState:
    """A player's vacation: until when it lasts (None: there is none), in seconds since 1970, and
    how many days of this year are left.
    """

    ends_at: float | None
    left: int


def nudge(tables: Tables, code: str, player: int, seat: Seat) -> TableSnapshot:
    """Remind somebody politely that it is their turn: all read it, and they are called once more.

    Once a turn, from half of its time on. Raises NotPermitted or InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        mine = require_seat(table, player)
        require_match(table)
        chair = require_taken_seat(table, seat)
        if seat == mine or not can_be_nudged(table, seat, transaction.table_time):
            raise InvalidState(
                say("You can remind somebody once a turn, when half of their time is over.")
            )
        turn = table.turns[seat].number
        table.nudged[seat] = turn
        transaction.tell("table.nudged", by=table.seats[mine], who=chair.name)
        assert chair.player is not None
        outbox_queries.nudge(
            transaction.connection, chair.player, transaction.row.id, turn, transaction.now
        )

    return tables.change(code, work)


def vacation(tables: Tables, player: int) -> VacationState:
    """Return whether a player is on vacation, and how much is left of this year's."""
    now = tables.now()
    return _state(tables.database.read(lambda c: vacations.vacation(c, player)), now)


def go_on_vacation(tables: Tables, player: int, days: int) -> None:
    """Let a player's clocks stand still for so many days, at all tables played over days.

    They count for the year in which the vacation begins. Raises InvalidState.
    """

    def work(connection: Connection) -> None:
        now = tables.now()
        row = vacations.vacation(connection, player, lock=True)
        state = _state(row, now)
        if state.ends_at is not None:
            raise InvalidState(say("You are on vacation already."))
        if not 1 <= days <= state.left:
            raise InvalidState(
                say_counted(
                    "You have {count} day of vacation left this year.",
                    "You have {count} days of vacation left this year.",
                    state.left,
                )
            )
        used = A_YEAR - state.left + days
        vacations.keep(connection, player, VacationRow(_year(now), used, now, now + days * DAY))

    tables.database.write(work)
    _tell_tables(tables, player)


def end_vacation(tables: Tables, player: int) -> None:
    """End a player's vacation; whole days of it that are left do not count. Raises InvalidState."""

    def work(connection: Connection) -> None:
        now = tables.now()
        row = vacations.vacation(connection, player, lock=True)
        if row is None or row.ends_at <= now:
            raise InvalidState(say("You are not on vacation."))
        left = row.ends_at - max(now, row.began_at)  # the host's clock may have gone back
        used = row.used - floor(left / DAY)
        vacations.keep(connection, player, row._replace(used=used, ends_at=now))
        outbox_queries.hasten(connection, player, now)

    tables.database.write(work)
    _tell_tables(tables, player)


def _state(row: VacationRow | None, now: float) -> VacationState:
    if row is None:
        return VacationState(None, A_YEAR)
    used = row.used if row.year == _year(now) else 0
    return VacationState(row.ends_at if row.ends_at > now else None, max(0, A_YEAR - used))


def _year(now: float) -> int:
    return datetime.fromtimestamp(now, UTC).year


def _tell_tables(tables: Tables, player: int) -> None:
    """Let all tables know that a player plays at over days; what a kill leaves out finds out with
    its next change (kaboom.tables.clock.correspondence).
    """
    for code in tables.database.read(lambda c: queries.tables_by_days_of(c, player)):
        try:
            tables.change(code, lambda transaction: None)
        except TableNotFound:
            continue
