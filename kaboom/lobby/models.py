"""Tables for presets and seat transfers."""

from sqlalchemy import Column, Float, ForeignKey, Index, String, Table, Text, UniqueConstraint

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

# Named sets of options that players have saved, as written by kaboom.engine.options.short.
rule_sets = Table(
    "rule_sets",
    metadata,
    Column("id", Id, primary_key=True),
    player_column("player_id", OnErase.DELETE, OnMerge.MOVE, same=["game", "name"], nullable=False),
    Column("game", String(32), nullable=False),
    Column("name", String(80), nullable=False),
    Column("options", Text, nullable=False),
    UniqueConstraint("player_id", "game", "name"),
)

# One-use links that move a seat to another device. Only the hash of the link's secret is kept.
seat_transfers = Table(
    "passes",
    metadata,
    Column("secret_hash", String(64), primary_key=True),
    Column("table_id", Id, ForeignKey("tables.id"), nullable=False),
    # The player who gives the seat away.
    player_column("player_id", OnErase.DELETE, OnMerge.DELETE, nullable=False),
    Column("expires_at", Float, nullable=False),
    Index("ix_passes_player_id", "player_id"),
)
