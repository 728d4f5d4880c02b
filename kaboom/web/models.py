"""Short-lived request data: password attempts, and the results of forms."""

from sqlalchemy import Column, Float, Index, Integer, LargeBinary, String, Table

from kaboom.db.metadata import metadata

# Password attempts, counted for a while; `id` is the hash of what is counted.
attempts = Table(
    "tries",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("made", Integer, nullable=False),
    Column("ends_at", Float, nullable=False),  # the count starts again from then on
    Index("ix_tries_ends_at", "ends_at"),
)

# Forms that changed something, and their results: a repeated form is handled only once.
idempotency_keys = Table(
    "commands",
    metadata,
    Column("who", String(64), primary_key=True),  # hash of the browser's key, or of its IP address
    Column("id", String(64), primary_key=True),  # hash of the form
    Column("answer", LargeBinary, nullable=False),  # encrypted
    Column("done_at", Float, nullable=False),
    Column("kept", Float, nullable=False, server_default="600"),  # seconds
    Index("ix_commands_done_at", "done_at"),
)
