"""Interventions at one table, by the server's host or a tournament: ending its match, deleting it,
or renumbering it after a restore.
"""

from collections.abc import Callable

from kaboom.db.times import DAY
from kaboom.errors import TableNotFound
from kaboom.tables.maintenance import cleanup_queries
from kaboom.tables.service import TableService
from kaboom.tables.transaction import TableTransaction

AHEAD = 1_000_000  # more changes than any table can have had since its backup


def delete(tables: TableService, code: str) -> None:
    """Delete a table with its seats; finished matches stay. Raises TableNotFound."""
    if not take_away(tables, code, tables.now() + 1000 * DAY):
        raise TableNotFound(code)


def stop(
    tables: TableService,
    code: str,
    note: Callable[[TableTransaction], None] = lambda transaction: None,
) -> bool:
    """End a table's match without a result; return False if none is running.

    `note` is called in the same transaction, to record the end. Raises TableNotFound.
    """
    stopped = False

    def work(transaction: TableTransaction) -> None:
        nonlocal stopped
        stopped = transaction.table.playing
        if stopped:
            transaction.stop()
            note(transaction)

    tables.change(code, work)
    return stopped


def renumber(tables: TableService, code: str) -> None:
    """Raise a restored table's revisions above all those that its pages had before the restore.
    Otherwise a page that still has one of them would seem to be up to date. Raises TableNotFound.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        table.revisions = {viewer: number + AHEAD for viewer, number in table.revisions.items()}
        # Revisions of a rebuilt table are derived from its version.
        transaction.columns["version"] = transaction.row.version + AHEAD
        transaction.columns["touched_at"] = transaction.row.touched_at

    tables.change(code, work)


def take_away(tables: TableService, code: str, since: float) -> bool:
    """Delete a table unless a player has used it after `since`; return True if it was deleted."""
    gone = tables.database.write(lambda c: cleanup_queries.take_away(c, code, since))
    if gone:
        tables.signals.changed(code, None)  # open pages are told that the table is gone
    return gone
