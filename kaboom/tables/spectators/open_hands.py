"""Open hands: spectators see all hands if every player at the table agrees before the deal.

One "no", or a missing answer, keeps the hands hidden. An agreement is valid for one match, from its
deal to its end, even if the host changes settings (kaboom.tables.spectators.views).
"""

from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState
from kaboom.tables.permissions import require_no_match, require_seat
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Table
from kaboom.tables.transaction import TableTransaction

LEAST = 3  # minutes; a shorter delay would help cheaters
NO = -1


def can_be_agreed(table: Table) -> bool:
    """Return True if spectators are delayed long enough to be shown hands."""
    return table.watch >= LEAST


def answer(tables: TableService, code: str, player: int, yes: bool, minutes: int) -> TableSnapshot:
    """Store whether a player agrees to let spectators see all hands after `minutes`.

    Raises NotPermitted, or InvalidState during a match or if the spectators' delay is too short or
    is not `minutes`.
    """

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        occupant = table.occupant(require_seat(table, player))
        require_no_match(table)
        if yes and not can_be_agreed(table):
            raise InvalidState(
                _(
                    "For that, spectators must be at least {minutes} minutes behind. The host "
                    "can set this.",
                    minutes=LEAST,
                )
            )
        if yes and minutes != table.watch:
            raise InvalidState(
                _("The delay for spectators has changed. Please check it and answer again.")
            )
        wish = minutes if yes else NO
        if occupant.hands != wish:
            occupant.hands = wish
            kind = "table.hands_yes" if yes else "table.hands_no"
            transaction.tell(kind, who=occupant.name, minutes=minutes if yes else 0)

    return tables.change(code, work)
