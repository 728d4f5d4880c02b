"""Players, known by the keys their browsers have."""

from contextlib import suppress

from sqlalchemy import Connection

from kaboom.errors import TableNotFound
from kaboom.tables import queries
from kaboom.tables.permissions import require_readable_name
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot


def player(tables: Tables, key_hash: str, name: str) -> tuple[int, str]:
    """Return id and cleaned name of the player with that key, stored or renamed as needed.

    Raises InvalidState when nothing readable is left of the name.
    """
    name = require_readable_name(name)

    def work(connection: Connection) -> tuple[int, str]:
        known = queries.acting(connection, key_hash, tables.now())
        if known is None:
            return queries.add_player(connection, key_hash, name, tables.now()), name
        if known[1] != name:
            queries.rename(connection, known[0], name)
        return known[0], name

    return tables.database.write(work)


def known(tables: Tables, key_hash: str) -> tuple[int, str] | None:
    """Return id and name of the player with that key, or None.

    Of strangers, who have no key, the store knows nothing and is not asked.
    """
    if not key_hash:
        return None
    return tables.database.read(lambda connection: queries.player(connection, key_hash))


def knows(tables: Tables, key_hash: str) -> bool:
    """Say whether a player has that key."""
    return known(tables, key_hash) is not None


def tables_of(tables: Tables, key_hash: str, most: int = 10) -> list[TableSnapshot]:
    """Return the tables a player last sat at, newest first."""
    if not key_hash:
        return []

    def work(connection: Connection) -> list[str]:
        known = queries.player(connection, key_hash)
        return queries.tables_of(connection, known[0], most) if known else []

    found = []
    for code in tables.database.read(work):
        with suppress(TableNotFound):  # damaged, or removed at this very moment
            found.append(tables.look(code, key_hash))
    return [snapshot for snapshot in found if snapshot.me is not None]
