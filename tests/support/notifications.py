"""The notifications that a player gets about a turn, without sending them."""

from kaboom.notifications import channel_queries as store
from kaboom.notifications import outbox
from kaboom.notifications.outbox_queries import NotificationRow
from kaboom.tables import queries


def due(tables, code, player):
    """Return the notifications about a player's turn at a table, one for each active channel."""
    snapshot = outbox._get(tables, code)
    if snapshot is None or not outbox.waits_for(snapshot, player):
        return []

    def work(connection):
        table_id = queries.table_id(connection, code)
        rows = [it for it in store.of_player(connection, player) if outbox._is_active(it)]
        return table_id, rows, store.wishes(connection, player)

    table_id, channels, wish = tables.database.read(work)
    return [
        outbox._notification_for(
            [(NotificationRow(it.id, table_id, 0, 0, code, None), it, snapshot)], wish
        )
        for it in channels
        if it.table_id in (None, table_id)
    ]
