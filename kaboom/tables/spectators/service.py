"""Settings for spectators: who may watch, with what delay, and whether they may chat."""

from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState
from kaboom.tables.permissions import require_host
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.spectators.views import DELAYS
from kaboom.tables.table import WATCHED_BY_NOBODY
from kaboom.tables.transaction import TableTransaction


def let_watch(
    tables: TableService,
    code: str,
    player: int,
    watch: int,
    hush: bool = False,
    audience: bool = True,
) -> TableSnapshot:
    """Set the delay of spectators, whether they may chat, and whether players see their chat during
    a match.

    `watch` is in minutes, or WATCHED_BY_NOBODY. With `hush`, players see what spectators write only
    after the match. `audience` lets spectators write. Raises NotPermitted or InvalidState.
    """
    if watch not in DELAYS:
        raise InvalidState(_("That choice is not available."))

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        require_host(table, player)
        if table.watch != watch:
            kinds = {0: "table.watch_all", WATCHED_BY_NOBODY: "table.watch_nobody"}
            transaction.tell(kinds.get(watch, "table.watch_later"), minutes=watch)
        table.watch, table.hush, table.audience = watch, hush, audience

    return tables.change(code, work)
