"""How due items of a table are carried out (kaboom.tables.clock.timer_kinds), at the request of
TableService.run_due.
"""

from collections.abc import Callable, Collection
from typing import Any

from kaboom.db.database import Database
from kaboom.tables import premoves
from kaboom.tables.bot_runner import moves
from kaboom.tables.clock import correspondence
from kaboom.tables.clock.timer_kinds import (
    ClockMove,
    CorrespondenceTimer,
    Planned,
    Reaction,
    Thinking,
    Timed,
    VoteLook,
)
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.transaction import TableTransaction
from kaboom.tables.votes import settle


def prepared(
    seen: TableSnapshot,
    what: Timed | VoteLook,
    database: Database,
    run_in_thread: Callable[..., Any],
    here: Callable[[str], Collection[int] | None],
) -> Callable[[TableTransaction], None]:
    """Return a function that carries out a due item within a transaction.

    The transaction must be short, so slow work is done here beforehand: a bot thinks in
    `run_in_thread`, and `here(code)` asks other processes which players are present.
    """
    match what:
        case VoteLook():
            present = here(seen.code)
            return lambda transaction: settle(transaction, present)
        case ClockMove():
            return lambda transaction: transaction.play(
                what.move, f"clock {transaction.table.seq + 1}"
            )
        case Planned():
            return lambda transaction: premoves.play(transaction, what)
        case CorrespondenceTimer():
            _unused, move = moves.think(database, run_in_thread, seen, what)
            return lambda transaction: correspondence.lapse(transaction, seen, what, move)
        case Thinking() | Reaction():
            memory, move = moves.think(database, run_in_thread, seen, what)
            return lambda transaction: moves.play(transaction, seen, what, memory, move)
