"""Carrying a guest's seats along when they become another player (kaboom.accounts.merge)."""

from kaboom.accounts import hooks, merge_queries, session_queries
from kaboom.errors import TableNotFound
from kaboom.tables import queries
from kaboom.tables.service import Tables
from kaboom.tables.sittings import hand_over
from kaboom.tables.transaction import TableTransaction


def carry_seats(tables: Tables, guest: int, other: int) -> bool:
    """Let a guest's seats be another player's; return whether the guest has none left."""
    for code in tables.database.read(lambda c: session_queries.tables_of(c, guest)):
        try:
            tables.change(code, lambda transaction: _carry_seat(transaction, guest, other))
        except TableNotFound:  # damaged, or removed at this very moment
            continue
    return not tables.database.read(lambda c: merge_queries.sits_anywhere(c, guest))


def _carry_seat(transaction: TableTransaction, guest: int, other: int) -> None:
    """Carry what a guest has at a table; nothing where both sit in a match being played."""
    table, connection, at = transaction.table, transaction.connection, transaction.row.id
    mine, theirs = table.seat_of(guest), table.seat_of(other)
    if mine is not None and theirs is not None and table.playing:
        return
    if table.host == guest:
        table.host = other
    table.shown_out = [other if player == guest else player for player in table.shown_out]
    if mine is not None and theirs is not None:
        table.chairs[mine] = None
    elif mine is not None:
        chair = table.chair(mine)
        chair.player = other
        queries.sit(connection, other, at)
        hand_over(connection, guest, other, at)
        if table.playing:
            queries.move_part(connection, table.match_id, mine, other)
    queries.let_look(connection, guest, at)


hooks.before_merge.append(carry_seats)
