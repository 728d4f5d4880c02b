"""Proposing a vote at a table, and voting; the rules for votes are in kaboom.tables.votes."""

from collections.abc import Callable

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat, StaleMove
from kaboom.errors import InvalidState
from kaboom.notifications.reminders import put_vote
from kaboom.tables.permissions import require_players_table
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Vote
from kaboom.tables.transaction import TableTransaction
from kaboom.tables.votes import (
    END,
    Here,
    is_held,
    lasts,
    require_sensible,
    settle,
    voter,
    voters,
)
from kaboom.web.idempotency.service import IdempotencyKey


def propose_vote(
    tables: TableService,
    code: str,
    player: int,
    about: str,
    seat: Seat | None = None,
    idempotency_key: IdempotencyKey | None = None,
) -> TableSnapshot:
    """Open a vote at the table; `seat` is the seat that a bot would play.

    Raises NotPermitted or InvalidState. If no player can object, the proposal is carried out at
    once.
    """

    def work(transaction: TableTransaction, here: Here) -> None:
        table = transaction.table
        by = voter(table, player)
        require_players_table(table)
        if table.vote is not None:
            raise InvalidState(_("One vote at a time: answer the open one first."))
        require_sensible(table, about, by, seat)
        others = voters(table, here) - {by}
        alone = about == END and not others and len(table.people()) > 1
        now = transaction.table_time
        held, lapses = lasts(table)
        hold = now + held if alone or is_held(table, about, seat, here) else 0.0
        table.votes += 1
        until = max(now, hold if alone else 0.0) + lapses
        look = hold or until
        table.vote = Vote(table.votes, about, by, [by], until, hold, look, seat, alone)
        facts = {"by": table.seats[by]} | ({} if seat is None else {"who": table.seats[seat]})
        transaction.tell(f"table.propose_{about}", **facts)
        settle(transaction, here)
        if table.days:  # in live play the voters are present
            put_vote(transaction.connection, code, table, transaction.now)

    return _changed(tables, code, work, idempotency_key)


def cast_vote(
    tables: TableService, code: str, player: int, number: int, yes: bool
) -> TableSnapshot:
    """Vote yes or no on the vote with that number. Raises NotPermitted, InvalidState or
    StaleMove.
    """

    def work(transaction: TableTransaction, here: Here) -> None:
        table, vote = transaction.table, transaction.table.vote
        if vote is None or vote.number != number:
            raise StaleMove(_("That vote is over."))
        seat = voter(table, player)
        if seat == vote.seat:
            table.vote = None
            transaction.tell("table.is_here", who=table.seats[seat])
        elif not yes:
            table.vote = None
            transaction.tell("table.refuses", who=table.seats[seat])
        elif seat not in vote.yes:
            vote.yes.append(seat)
            transaction.tell("table.agrees", who=table.seats[seat])
            settle(transaction, here)
        elif vote.alone:
            if transaction.table_time < vote.hold:
                raise InvalidState(
                    _("You are alone here. Wait until the minute has passed, then press again.")
                )
            vote.alone = False
            settle(transaction, here)

    return _changed(tables, code, work)


def _changed(
    tables: TableService,
    code: str,
    work: Callable[[TableTransaction, Here], None],
    idempotency_key: IdempotencyKey | None = None,
) -> TableSnapshot:
    # Other processes may have to be asked who is present. This is done before the transaction,
    # which must be short.
    here = tables.here(code)
    return tables.change(code, lambda transaction: work(transaction, here), idempotency_key)
