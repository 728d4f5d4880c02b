"""Keys that the server generates for itself."""

from sqlalchemy import Column, LargeBinary, String, Table

from kaboom.db.metadata import metadata

# Keys the server generates for itself, shared by all its workers.
server_keys = Table(
    "server_keys",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", LargeBinary, nullable=False),  # encrypted
)
