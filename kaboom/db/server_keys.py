"""SQL statements for the server's own encrypted keys, such as the one that signs notifications."""

from sqlalchemy import Connection, bindparam, select, text

from kaboom.db.encryption import Unreadable, cipher_of_store
from kaboom.db.models import server_keys

_key = select(server_keys.c.value).where(server_keys.c.name == bindparam("called"))
_add_key = text(
    "INSERT INTO server_keys (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING"
)


def server_key(connection: Connection, name: str) -> str:
    """Return one of the server's own keys, or ""."""
    encrypted = connection.execute(_key, {"called": name}).scalar()
    if encrypted is None:
        return ""
    try:
        return cipher_of_store(connection).decrypt(encrypted, "server key").decode()
    except Unreadable:
        return ""


def keep_server_key(connection: Connection, name: str, value: str) -> None:
    """Store one of the server's own keys, unless it exists already."""
    encrypted = cipher_of_store(connection).encrypt(value.encode(), "server key")
    connection.execute(_add_key, {"name": name, "value": encrypted})
