"""Chat messages at tables, and muted players."""

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, Text

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

chat_messages = Table(
    "lines",
    metadata,
    Column("id", Id, primary_key=True),
    Column("table_id", Id, ForeignKey("tables.id"), nullable=False),
    player_column("player_id", OnErase.KEEP, OnMerge.MOVE, nullable=False),
    Column("name", String(80), nullable=False),  # the author's name at the time
    Column("text", Text, nullable=False),
    # The key of a quick phrase. A deleted line has no key and no text.
    Column("phrase", String(16), nullable=False),
    Column("at", Float, nullable=False),
    Column("match", Integer, nullable=False),  # the match it was written in, 0 before the first
    Column("watcher", Boolean, nullable=False),  # written by a spectator
    Index("ix_lines_table_id", "table_id", "id"),
    Index("ix_lines_player_id", "player_id"),
)

mutes = Table(
    "mutes",
    metadata,
    player_column(
        "player_id",
        OnErase.DELETE,
        OnMerge.MOVE,
        same=["muted_id"],
        pair="muted_id",
        keeps=False,
        primary_key=True,
    ),
    player_column(
        "muted_id",
        OnErase.KEEP,
        OnMerge.MOVE,
        same=["player_id"],
        pair="player_id",
        primary_key=True,
    ),
    Index("ix_mutes_muted_id", "muted_id"),
)
