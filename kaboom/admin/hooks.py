"""Checks before a table is opened or a message is written, the hourly lifting of expired sanctions,
and the notification of hosts when a player is reported.
"""

from math import inf

from sqlalchemy import Connection

from kaboom.admin import notices, queries, sanctions
from kaboom.errors import InvalidState
from kaboom.notifications import reminder_queries, reminders
from kaboom.notifications.notification import REPORT, Waiting
from kaboom.social.chat import hooks as chat_hooks
from kaboom.social.friends import reports
from kaboom.tables import hooks, jobs
from kaboom.tables.service import TableService


def require_tables_allowed(connection: Connection) -> None:
    """Raise InvalidState while the host has halted new tables."""
    if halted := notices.halt_in(queries.notices(connection)):
        raise InvalidState(halted)


def notify_hosts(connection: Connection, by: int, about: int, now: float) -> None:
    """Schedule a notification for the hosts, except the reporter and the reported player. Several
    reports cause only one while it is pending.
    """
    others = queries.ids_of_hosts(connection) - {by, about}
    reminder_queries.put(connection, REPORT, now + reminders.PATIENCE, sorted(others))


def told(tables: TableService, rest: str, player: int) -> Waiting | None:
    """Return a host's notification about open reports, or None if there are none to read."""

    def work(connection: Connection) -> Waiting | None:
        if not (queries.is_host(connection, player) and queries.open_reports(connection)):
            return None
        name = queries.name_of(connection, player) or ""
        return Waiting("reports", "Kaboom", (name,), REPORT, left=inf)

    return tables.database.read(work)


reminders.kinds[REPORT] = told
reports.after_report.append(notify_hosts)
hooks.before_open.append(require_tables_allowed)
chat_hooks.before_message.append(sanctions.require_not_muted)
chat_hooks.beside_room.append(notices.beside_room)
chat_hooks.silenced.append(notices.silenced)
jobs.cleanup.append(sanctions.give_back)
