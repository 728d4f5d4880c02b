"""All hands shown to spectators: everybody at the table says yes or no, before each deal.

One "no", or an answer not given, keeps them hidden. What was agreed holds for one match, from its
deal to its end, whatever the host changes meanwhile (kaboom.tables.spectators.views).
"""

from kaboom.engine.i18n import say
from kaboom.errors import InvalidState
from kaboom.tables.permissions import require_no_match, require_seat
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Table
from kaboom.tables.transaction import TableTransaction

LEAST = 3  # minutes: sooner, it would help whoever peeps
NO = -1


def can_be_agreed(table: Table) -> bool:
    """Say whether spectators see the match late enough to be shown hands."""
    return table.watch >= LEAST


def answer(tables: Tables, code: str, player: int, yes: bool, minutes: int) -> TableSnapshot:
    """Note whether a player agrees that spectators see all hands so many minutes later.

    Raises NotPermitted, or InvalidState during a match and where spectators do not lag behind by
    that much.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        chair = table.chair(require_seat(table, player))
        require_no_match(table)
        if yes and (minutes != table.watch or not can_be_agreed(table)):
            raise InvalidState(
                say(
                    "Spectators must see the match at least {minutes} minutes later for that. "
                    "The host sets it.",
                    minutes=LEAST,
                )
            )
        wish = minutes if yes else NO
        if chair.hands != wish:
            chair.hands = wish
            kind = "table.hands_yes" if yes else "table.hands_no"
            transaction.tell(kind, who=chair.name, minutes=minutes if yes else 0)

    return tables.change(code, work)
