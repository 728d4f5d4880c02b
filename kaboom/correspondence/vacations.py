"""Vacations: a player stops their clocks at all correspondence tables, and returns."""

from contextlib import suppress
from dataclasses import dataclass
from math import floor

from sqlalchemy import Connection

from kaboom.db.times import DAY, day_of
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.errors import InvalidState, TableNotFound
from kaboom.notifications import outbox_queries
from kaboom.tables import queries
from kaboom.tables.clock import vacation_queries as vacations
from kaboom.tables.clock.vacation_queries import VacationRow
from kaboom.tables.service import TableService

A_YEAR = 21  # days of vacation in a calendar year (UTC)


@dataclass(frozen=True, slots=True)
class VacationState:
    """A player's vacation: its end (seconds since 1970; None: no vacation), and the days left this
    year.
    """

    ends_at: float | None
    left: int


def vacation(tables: TableService, player: int) -> VacationState:
    """Return the state of a player's vacation."""
    now = tables.now()
    return _state(tables.database.read(lambda c: vacations.vacation(c, player)), now)


def go_on_vacation(tables: TableService, player: int, days: int) -> None:
    """Stop a player's clocks for this many days at all their correspondence tables.

    The days count for the year in which the vacation begins. Raises InvalidState.
    """

    def work(connection: Connection) -> None:
        now = tables.now()
        row = vacations.vacation(connection, player, lock=True)
        state = _state(row, now)
        if state.ends_at is not None:
            raise InvalidState(_("You are already on vacation."))
        if not 1 <= days <= state.left:
            raise InvalidState(
                ngettext(
                    "You have {count} vacation day left this year.",
                    "You have {count} vacation days left this year.",
                    state.left,
                )
            )
        used, year = A_YEAR - state.left + days, day_of(now).year
        vacations.keep(connection, player, VacationRow(year, used, now, now + days * DAY))

    tables.database.write(work)
    _tell_tables(tables, player)


def end_vacation(tables: TableService, player: int) -> None:
    """End a player's vacation; the whole days that are left are returned to them. Raises
    InvalidState.
    """

    def work(connection: Connection) -> None:
        now = tables.now()
        row = vacations.vacation(connection, player, lock=True)
        if row is None or row.ends_at <= now:
            raise InvalidState(_("You are not on vacation."))
        left = row.ends_at - max(now, row.began_at)  # the server's clock may have been set back
        used = row.used - floor(left / DAY)
        vacations.keep(connection, player, row._replace(used=used, ends_at=now))
        outbox_queries.hasten(connection, player, now)

    tables.database.write(work)
    _tell_tables(tables, player)


def _state(row: VacationRow | None, now: float) -> VacationState:
    if row is None:
        return VacationState(None, A_YEAR)
    used = row.used if row.year == day_of(now).year else 0
    return VacationState(row.ends_at if row.ends_at > now else None, max(0, A_YEAR - used))


def _tell_tables(tables: TableService, player: int) -> None:
    """Update all correspondence tables of a player. A table that is missed because the process was
    killed is updated at its next change (kaboom.tables.clock.correspondence).
    """
    for code in tables.database.read(lambda c: queries.tables_by_days_of(c, player)):
        with suppress(TableNotFound):  # damaged, or deleted since the query
            tables.change(code, lambda transaction: None)
