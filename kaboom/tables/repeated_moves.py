"""Moves that are sent twice count once: the log keeps the command id of each move.

A request with an Idempotency-Key is recognised by that key as well (kaboom.web.idempotency).
"""

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Move, Seat, StaleMove
from kaboom.tables import queries
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.transaction import TableTransaction


def own_command(seat: Seat | None, cmd: str) -> str:
    """Return the command id as logged. No player can use up another player's ids, or the
    server's.
    """
    return f"{seat} {cmd}"


def is_repeated(transaction: TableTransaction, command: str, move: Move) -> bool:
    """Return True if this command has already made this move. Raises StaleMove if it has made
    another.
    """
    done = queries.move_by_cmd(transaction.connection, transaction.table.match_id, command)
    if done is not None and done[1] != str(move):
        sentence = _("You have already answered that with another move. Here is the table now.")
        raise StaleMove(sentence)
    return done is not None


def played_before(tables: TableService, snapshot: TableSnapshot, cmd: str) -> str:
    """Return the move that this command has already made in the match, such as "bid KS"; "" if
    none.
    """
    command, match_id = own_command(snapshot.me, cmd), snapshot.table.match_id
    done = tables.database.read(lambda c: queries.move_by_cmd(c, match_id, command))
    return done[1].partition(" ")[2] if done else ""
