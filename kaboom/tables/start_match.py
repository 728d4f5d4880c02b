"""Starting a match: players get ready, propose a deal again, cut the next shuffle, and start."""

from collections.abc import Callable
from typing import Any

from kaboom.accounts.names import cleaned
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, NotPermitted
from kaboom.tables.match_record import CUT_POINTS, LONGEST_CUT
from kaboom.tables.permissions import (
    require_no_match,
    require_players_table,
    require_seat,
)
from kaboom.tables.service import TableService
from kaboom.tables.shared_deals import same_deal
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Occupant, Table
from kaboom.tables.transaction import TableTransaction
from kaboom.web.idempotency.service import IdempotencyKey

# A player has said whether they are ready; the last argument is True if the match can begin. Other
# rooms register functions in their hooks.py. If one of them returns False or raises, the match does
# not begin now.
on_ready: list[Callable[[TableService, TableTransaction, Occupant, bool], bool]] = []


def ready(tables: TableService, code: str, player: int, ready: bool = True) -> TableSnapshot:
    """Mark a player as ready or not. The match starts once all seated people are ready and there
    are enough players.

    After a match, this starts the rematch: the same people, with the seats moved on by one.
    """

    return tables.change(code, lambda it: _be_ready(tables, it, player, ready))


def propose_same_deal(
    tables: TableService, code: str, player: int, record: str, moved: bool
) -> TableSnapshot:
    """Propose repeating the deal of an earlier match at the table, and be ready for it. The match
    begins at once if no other person sits there.

    With `moved`, the seats move on by one. Raises NotPermitted or InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        same_deal.propose(transaction, record, player, moved)
        _be_ready(tables, transaction, player, True)

    return tables.change(code, work)


def withdraw_same_deal(tables: TableService, code: str, player: int) -> TableSnapshot:
    """Withdraw the proposal to repeat a deal, no matter who made it, so that a new deal follows.
    Raises NotPermitted or InvalidState.
    """
    return tables.change(code, lambda transaction: same_deal.withdraw(transaction, player))


def _be_ready(
    tables: TableService, transaction: TableTransaction, player: int, ready: bool
) -> None:
    table = transaction.table
    seat = require_seat(table, player)
    if not table.opens:
        require_players_table(table)
    require_no_match(table)
    occupant = table.occupant(seat)
    if ready and not occupant.ready:
        transaction.tell("table.ready", who=occupant.name)
    occupant.ready = ready
    people = [occupant for _unused, occupant in table.sitting() if not occupant.bot]
    complete = all(it.ready for it in people) and why_not(transaction.game, table) is None
    may_begin = [hook(tables, transaction, occupant, complete) for hook in on_ready]
    if complete and all(may_begin):
        transaction.begin()


def cut(tables: TableService, code: str, player: int, cut: str) -> TableSnapshot:
    """Cut the next shuffle for a player with any text (empty: a random one). Raises
    InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        occupant = transaction.table.occupant(require_seat(transaction.table, player))
        require_no_match(transaction.table)
        text = "" if transaction.table.phrases else cleaned(cut, LONGEST_CUT, CUT_POINTS)
        occupant.cut = text or tables.ids.cut()  # the other players read the text of a cut

    return tables.change(code, work)


def start(
    tables: TableService, code: str, player: int, idempotency_key: IdempotencyKey | None = None
) -> TableSnapshot:
    """Start the match now, whether or not all players are ready. Only the host may, or any seated
    player while the host is away. Raises NotPermitted or InvalidState.
    """

    def work(transaction: TableTransaction) -> None:
        require_players_table(transaction.table)
        if transaction.table.host != player and not _host_away(tables, transaction, player):
            raise NotPermitted(_("Only the host can start without waiting for the others."))
        require_no_match(transaction.table)
        if (sentence := why_not(transaction.game, transaction.table)) is not None:
            raise InvalidState(sentence)
        transaction.begin()

    return tables.change(code, work, idempotency_key)


def begin_if_full(transaction: TableTransaction) -> None:
    """Begin the first match if the host wants it to begin once all seats are taken."""
    table = transaction.table
    waits = table.begins_full and not table.match and not table.by_house
    if waits and not table.free() and why_not(transaction.game, table) is None:
        transaction.begin()


def _host_away(tables: TableService, transaction: TableTransaction, player: int) -> bool:
    """Return True if the host is known to be away, so that this player may start instead.

    In correspondence play, players do not have to be present, so absence means nothing.
    """
    if transaction.table.days:
        return False
    sits = transaction.table.seat_of(player) is not None
    here = tables.here(transaction.row.code)
    return sits and here is not None and transaction.table.host not in here


def why_not(game: Game[Any], table: Table) -> str | None:
    """Return a sentence that says why the match cannot start with those seated here, or None."""
    options = table.options_of(game)
    count, possible = len(table.sitting()), game.seats(options)
    if count < possible[0]:
        return _(
            "{game} needs {count} players. Invite friends or add bots.",
            game=game.name,
            count=possible[0],
        )
    return game.why_not(options, count)
