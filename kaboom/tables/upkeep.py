"""What keeps a room in order: tables nobody touches expire, the host may take one away."""

from kaboom.store import upkeep
from kaboom.tables.draft import Draft
from kaboom.tables.errors import NoTable
from kaboom.tables.service import Tables

DAY = 24 * 3600.0
WARNING = 3 * DAY  # before a table expires its page says so
AT_ONCE = 50
AHEAD = 1_000_000  # more than any table can have changed since a backup of it


def expire(tables: Tables, days: float) -> int:
    """Take away tables nobody touched for so many days (0: none); return how many.

    Finished matches stay as records. Any worker may do it at any time: a table touched meanwhile
    stays.
    """
    if not days:
        return 0
    since = tables.now() - days * DAY
    codes = tables.database.read(lambda c: upkeep.untouched(c, since, AT_ONCE))
    return sum(_take_away(tables, code, since) for code in codes)


def delete(tables: Tables, code: str) -> None:
    """Take a table away, whoever sits there; finished matches stay. Raises NoTable."""
    if not _take_away(tables, code, tables.now() + DAY):
        raise NoTable(code)


def stop(tables: Tables, code: str) -> bool:
    """End a table's match without a result; return whether one was going on. Raises NoTable."""
    stopped = False

    def work(draft: Draft) -> None:
        nonlocal stopped
        stopped = draft.table.playing
        if stopped:
            draft.stop()

    tables.change(code, work)
    return stopped


def renumber(tables: Tables, code: str) -> None:
    """Give a restored table's pages numbers above all they had when it was further on.

    A page that still shows such a number must never be told that it is up to date. Raises NoTable.
    """

    def work(draft: Draft) -> None:
        table = draft.table
        table.revisions = {viewer: number + AHEAD for viewer, number in table.revisions.items()}
        draft.columns["version"] = draft.row.version + AHEAD  # what is rebuilt is numbered by it
        draft.columns["touched_at"] = draft.row.touched_at

    tables.change(code, work)


def _take_away(tables: Tables, code: str, since: float) -> bool:
    gone = tables.database.write(lambda c: upkeep.take_away(c, code, since))
    if gone:
        tables.changed(code, None)  # whoever still watches is told that there is nothing
    return gone
