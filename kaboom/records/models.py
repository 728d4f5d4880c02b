"""Uploaded records, and players’ notes on their matches."""

from sqlalchemy import Column, Float, ForeignKey, Index, LargeBinary, String, Table

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

# Uploaded records, stored until they expire and found only by their links.
imports = Table(
    "imports",
    metadata,
    Column("code", String(24), primary_key=True),
    Column("text", LargeBinary, nullable=False),  # the file, encrypted
    Column("expires_at", Float, nullable=False),
    Index("ix_imports_expires_at", "expires_at"),
)

# Players' private notes on their matches.
notes = Table(
    "notes",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id"), primary_key=True),
    player_column("player_id", OnErase.DELETE, OnMerge.MOVE, same=["match_id"], primary_key=True),
    Column("text", LargeBinary, nullable=False),  # encrypted
    Index("ix_notes_player_id", "player_id"),
)
