"""Deletes what has expired: unused tables, idle players, old counts, keys and links."""

from collections.abc import Callable

from sqlalchemy import Connection

from kaboom.accounts import token_queries
from kaboom.accounts.api_keys import queries as api_key_queries
from kaboom.db.times import DAY
from kaboom.tables import jobs
from kaboom.tables.maintenance import cleanup_queries
from kaboom.tables.service import TableService
from kaboom.web import attempt_queries
from kaboom.web.idempotency import queries as idempotency_queries

WARNING = 3 * DAY  # how long before its expiry a table's page announces it
AT_ONCE = 50
IDLE_DAYS = 7  # after which a player without data worth keeping is deleted


def expire(
    tables: TableService,
    days: float,
    note: Callable[[Connection, int], None] = lambda connection, gone: None,
) -> int:
    """Delete up to AT_ONCE tables that no player has used for `days` days (0: never); return how
    many.

    Finished matches stay as records. Any worker may call it at any time: a table used in the
    meantime stays. `note` is called with their number in the same transaction, to record the
    deletion.
    """
    if not days:
        return 0
    since = tables.now() - days * DAY

    def work(connection: Connection) -> list[str]:
        found = cleanup_queries.untouched(connection, since, AT_ONCE)
        gone = [it for it in found if cleanup_queries.take_away(connection, it, since)]
        note(connection, len(gone))
        return gone

    gone = tables.database.write(work)
    for code in gone:
        tables.signals.changed(code, None)  # open pages are told that the table is gone
    return len(gone)


def goes_at(touched_at: float, days: float, by_days: int) -> float:
    """Return when a table last used at `touched_at` expires, both in seconds since 1970.

    It expires after `days` days. A correspondence table stays longer, so that every player can use
    all their time, a time bank and a vacation.
    """
    return touched_at + (days + (by_days + cleanup_queries.ON_TOP if by_days else 0)) * DAY


def tidy(tables: TableService) -> int:
    """Delete up to AT_ONCE players who have been idle for IDLE_DAYS and have no data worth keeping;
    return how many.

    Also delete what has expired: counts of attempts, keys, links, stored results of forms, and what
    other rooms have registered (kaboom.tables.jobs). Any worker may call it at any time.
    """
    for job in jobs.hourly:
        job(tables)
    now = tables.now()
    since = now - IDLE_DAYS * DAY
    idle = tables.database.read(lambda connection: cleanup_queries.idle(connection, since, AT_ONCE))

    def work(connection: Connection) -> int:
        attempt_queries.drop_old(connection, now)
        idempotency_queries.drop_old(connection, now)
        api_key_queries.drop_old(connection, now)
        token_queries.drop_old(connection, now)
        for drop_old in jobs.cleanup:
            drop_old(connection, now)
        return cleanup_queries.forget_idle(connection, idle, since) if idle else 0

    return tables.database.write(work)
