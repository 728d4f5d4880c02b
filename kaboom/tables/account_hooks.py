"""Updates tables when an account is erased (kaboom.accounts.erase), when a guest is merged into
another player (kaboom.accounts.merge), and when a key is reassigned to another player.
"""

from contextlib import suppress

from kaboom.accounts import hooks
from kaboom.db.services import Services
from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidState, TableNotFound
from kaboom.tables import queries
from kaboom.tables.clock import vacation_queries
from kaboom.tables.seats.leaving import MOST_TABLES, leave
from kaboom.tables.seats.own_tables import tables_of
from kaboom.tables.seats.transfer import transfer_seat
from kaboom.tables.service import TableService
from kaboom.tables.transaction import TableTransaction


def require_no_match(tables: TableService, key_hash: str) -> None:
    """Raise InvalidState if the player with this key is in the middle of a match."""
    for snapshot in tables_of(tables, key_hash, MOST_TABLES):
        if snapshot.table.playing:
            raise InvalidState(
                _(
                    "You are still in a match, at table {code}. Finish it or leave that table "
                    "first.",
                    code=snapshot.code,
                )
            )


def leave_tables(tables: TableService, key_hash: str) -> None:
    """Remove the player with this key from all their tables."""
    for snapshot in tables_of(tables, key_hash, MOST_TABLES):
        if snapshot.player is not None:
            leave(tables, snapshot.code, snapshot.player)


def carry_seats(tables: TableService, guest: int, other: int) -> bool:
    """Move a guest's seats to another player; return True if the guest has none left."""
    for code in tables.database.read(lambda c: queries.known_at(c, guest)):
        with suppress(TableNotFound):  # damaged, or deleted since the query
            tables.change(code, lambda transaction: _carry_seat(transaction, guest, other))
    return not tables.database.read(lambda c: queries.sits_anywhere(c, guest))


def _carry_seat(transaction: TableTransaction, guest: int, other: int) -> None:
    """Move a guest's seat and role at a table to the other player, unless both sit there during a
    match.
    """
    table, connection, at = transaction.table, transaction.connection, transaction.row.id
    mine, theirs = table.seat_of(guest), table.seat_of(other)
    if mine is not None and theirs is not None and table.playing:
        return
    if table.host == guest:
        table.host = other
    table.shown_out = [other if player == guest else player for player in table.shown_out]
    table.absent = [other if player == guest else player for player in table.absent]
    if mine is not None and theirs is not None:
        table.chairs[mine] = None
    elif mine is not None:
        occupant = table.occupant(mine)
        occupant.player = other
        queries.sit(connection, other, at)
        transfer_seat(connection, guest, other, at)
        if table.playing:
            queries.move_part(connection, table.match_id, mine, other)
    queries.let_look(connection, guest, at)


def refresh_pages(services: Services, player: int) -> None:
    """Tell every open page of a player's tables to reload."""
    for code in services.database.read(lambda connection: queries.known_at(connection, player)):
        services.signals.changed(code, None)


hooks.before_any_erase.append(require_no_match)
hooks.before_erase.append(leave_tables)
hooks.before_merge.append(carry_seats)
hooks.delays_merge.append(queries.sits_anywhere)
hooks.on_merge.append(vacation_queries.merge)
hooks.after_key_change.append(refresh_pages)
