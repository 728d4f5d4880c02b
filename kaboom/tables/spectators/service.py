"""Who may watch a table, how late, and whether they may write."""

from kaboom.engine.i18n import say
from kaboom.errors import InvalidState
from kaboom.tables.permissions import require_host
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.spectators.views import DELAYS
from kaboom.tables.table import WATCHED_BY_NOBODY
from kaboom.tables.transaction import TableTransaction


def let_watch(
    tables: Tables, code: str, player: int, watch: int, hush: bool = False, audience: bool = True
) -> TableSnapshot:
    """Set who may watch (minutes of delay, or WATCHED_BY_NOBODY), whether what spectators write is
    kept from the players until the match is over, and whether they may write. Raises NotPermitted
    or InvalidState.
    """
    if watch not in DELAYS:
        raise InvalidState(say("That cannot be chosen."))

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_host(table, player)
        if table.watch != watch:
            kinds = {0: "table.watch_all", WATCHED_BY_NOBODY: "table.watch_nobody"}
            transaction.tell(kinds.get(watch, "table.watch_later"), minutes=watch)
        table.watch, table.hush, table.audience = watch, hush, audience

    return tables.change(code, work)
