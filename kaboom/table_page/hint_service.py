"""Asking for a hint: the move of a strong bot, shown to one player and announced to the others."""

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat, StaleMove
from kaboom.errors import InvalidState
from kaboom.tables.bot_runner import hints
from kaboom.tables.bot_runner.moves import needs_thought
from kaboom.tables.permissions import require_match, require_seat
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.transaction import TableTransaction


def ask_hint(tables: TableService, code: str, player: int) -> TableSnapshot:
    """Give a player whose turn it is a strong bot's move as a hint, and log for the other players
    that they asked. The bot knows only what the seat has seen. Raises NotPermitted, InvalidState,
    StaleMove.
    """
    seen = tables.get(code)
    seat = require_seat(seen.table, player)
    _require_hint_allowed(seen, seat)
    hint = hints.hint(tables.database, tables.run_in_thread, seen, seat)  # this may take a while
    if hint is None:
        raise InvalidState(_("A bot would not know either."))

    def work(transaction: TableTransaction) -> None:
        table = transaction.table
        occupant = table.occupant(require_seat(table, player))
        asked = [it.token for it in transaction.position.prompts if it.seat == seat]
        if table.match != seen.table.match or asked != [hint.asked]:  # others may move meanwhile
            raise StaleMove(_("Too late: the table has moved on. Look again."))
        if occupant.hint != hint:
            occupant.hint = hint
            transaction.tell("table.hint", who=occupant.name, seat=seat)

    return tables.change(code, work)


def _require_hint_allowed(seen: TableSnapshot, seat: Seat) -> None:
    """Raise InvalidState if the seat may not have hints."""
    require_match(seen.table)
    if seen.game.bot is None:
        raise InvalidState(_("There is no bot for this game."))
    if seen.table.rated:
        raise InvalidState(_("This match is rated, so there are no hints."))
    if not seen.table.may_ask_hint():
        raise InvalidState(_("Hints are off at this table."))
    waits = not (seen.frozen or seen.table.paused)
    if not (waits and needs_thought(seen.game, seen.prompts[seat])):
        raise InvalidState(_("You can ask for a hint when it is your turn to choose."))
