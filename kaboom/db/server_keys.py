"""Statements for keys of the server's own, sealed, such as the one that signs notifications."""

from sqlalchemy import Connection, bindparam, select, text

from kaboom.db.encryption import Unreadable, seal_of_store
from kaboom.db.models import server_keys

_key = select(server_keys.c.value).where(server_keys.c.name == bindparam("called"))
_add_key = text(
    "INSERT INTO server_keys (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING"
)


def server_key(connection: Connection, name: str) -> str:
    """Return a key of the server's own, or nothing."""
    sealed = connection.execute(_key, {"called": name}).scalar()
    if sealed is None:
        return ""
    try:
        return seal_of_store(connection).open(sealed, "server key").decode()
    except Unreadable:
        return ""


def keep_server_key(connection: Connection, name: str, value: str) -> None:
    """Keep a key of the server's own, unless there is one already."""
    sealed = seal_of_store(connection).close(value.encode(), "server key")
    connection.execute(_add_key, {"name": name, "value": sealed})
