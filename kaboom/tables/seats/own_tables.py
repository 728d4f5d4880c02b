"""The tables at which a player sits."""

from contextlib import suppress

from sqlalchemy import Connection

from kaboom.accounts import player_queries
from kaboom.errors import TableNotFound
from kaboom.tables import queries
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot


def tables_of(tables: TableService, key_hash: str, most: int = 10) -> list[TableSnapshot]:
    """Return up to `most` tables at which the player with that key sits, most recently changed
    first.
    """
    if not key_hash:
        return []

    def work(connection: Connection) -> list[str]:
        known = player_queries.player(connection, key_hash)
        return queries.tables_of(connection, known[0], most) if known else []

    found = []
    for code in tables.database.read(work):
        with suppress(TableNotFound):  # damaged, or deleted since the query
            found.append(tables.get(code, key_hash))
    return [snapshot for snapshot in found if snapshot.me is not None]
