"""Keeps a room in order: deletes what nobody needs any more, and tables for the host."""

from sqlalchemy import Connection

from kaboom.accounts import token_queries
from kaboom.accounts.api_keys import queries as api_key_queries
from kaboom.db.times import DAY
from kaboom.errors import TableNotFound
from kaboom.tables import jobs
from kaboom.tables.maintenance import cleanup_queries
from kaboom.tables.service import Tables
from kaboom.tables.transaction import TableTransaction
from kaboom.web import attempt_queries
from kaboom.web.idempotency import queries as idempotency_queries

WARNING = 3 * DAY  # before a table expires its page says so
AT_ONCE = 50
IDLE_DAYS = 7  # after which a player with nothing here is forgotten
AHEAD = 1_000_000  # more than any table can have changed since it was backed up


def expire(tables: Tables, days: float) -> int:
    """Delete tables nobody has touched for this many days (0: none); return how many.

    Finished matches stay as records. Any worker may do it at any time: a table touched meanwhile
    stays.
    """
    if not days:
        return 0
    since = tables.now() - days * DAY
    codes = tables.database.read(lambda c: cleanup_queries.untouched(c, since, AT_ONCE))
    return sum(take_away(tables, code, since) for code in codes)


def goes_at(touched_at: float, days: float, by_days: int) -> float:
    """Return when a table last touched then is deleted, after that many days; one that is played
    over days stays longer: everybody may have all their time, and a vacation.
    """
    return (
        touched_at + (days + (by_days + cleanup_queries.LONGEST_VACATION if by_days else 0)) * DAY
    )


def tidy(tables: Tables) -> int:
    """Forget some players who have nothing here and have done nothing for a while; return how many.

    What has expired goes too: counts of tries, keys, links, stored answers to forms, and what other
    rooms have registered (kaboom.tables.jobs). Any worker may do it at any time.
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


def delete(tables: Tables, code: str) -> None:
    """Delete a table, whoever sits there; finished matches stay. Raises TableNotFound."""
    if not take_away(tables, code, tables.now() + 1000 * DAY):
        raise TableNotFound(code)


def stop(tables: Tables, code: str) -> bool:
    """End a table's match without a result; return whether one was going on. Raises
    TableNotFound.
    """
    stopped = False

    def work(transaction: TableTransaction) -> None:
        nonlocal stopped
        stopped = transaction.table.playing
        if stopped:
            transaction.stop()

    tables.change(code, work)
    return stopped


def renumber(tables: Tables, code: str) -> None:
    """Give a restored table's pages numbers above all they had before the restore.

    A page that still shows such a number must never be told that it is up to date. Raises
    TableNotFound.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        table.revisions = {viewer: number + AHEAD for viewer, number in table.revisions.items()}
        # What is rebuilt is numbered by the version.
        transaction.columns["version"] = transaction.row.version + AHEAD
        transaction.columns["touched_at"] = transaction.row.touched_at

    tables.change(code, work)


def take_away(tables: Tables, code: str, since: float) -> bool:
    """Delete a table that nobody has touched since then; return whether it is gone."""
    gone = tables.database.write(lambda c: cleanup_queries.take_away(c, code, since))
    if gone:
        tables.signals.changed(code, None)  # anyone still watching is told that there is nothing
    return gone
