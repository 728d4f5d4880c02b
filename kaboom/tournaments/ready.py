"""Getting ready at a tournament table, and whether its match may begin."""

from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState
from kaboom.tables.service import TableService
from kaboom.tables.table import Occupant
from kaboom.tables.transaction import TableTransaction
from kaboom.tournaments import queries
from kaboom.tournaments.changes import read_tournament
from kaboom.tournaments.service import require_not_removed


def may_begin(
    tables: TableService, transaction: TableTransaction, occupant: Occupant, complete: bool
) -> bool:
    """Return True if the match of a table begins when it is `complete`, with all players ready.

    Tables with the same cards begin together: this table is recorded as ready, and the scheduler
    (kaboom.tournaments.scheduler) deals. Raises InvalidState for a removed player, or while the
    tournament is paused.
    """
    table, connection = transaction.table, transaction.connection
    if not table.opens:
        return True
    tournament = read_tournament(tables, connection, table.tournament).of
    require_not_removed(tournament, occupant.entrant)
    sitting = [it for _unused, it in table.sitting()]
    if table.board:
        people_ready = all(it.ready for it in sitting if not it.bot)
        queries.note_ready(connection, table.pod, people_ready)
        return False
    if complete and tournament.paused:
        raise InvalidState(
            _("The organiser has paused the tournament. Say that you are ready when it resumes.")
        )
    # Without a removed player, the match begins when their time is over.
    return not tournament.removed() & {it.entrant for it in sitting}
