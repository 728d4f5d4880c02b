"""Challenges: the board, the step it starts from, and the seat."""

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, LargeBinary, String, Table

from kaboom.db.metadata import metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

# Its deal is a board of its own; the players are in board_tries.
challenges = Table(
    "challenges",
    metadata,
    Column("code", String(16), primary_key=True),
    Column("board", String(64), ForeignKey("boards.label"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("level", String(8), nullable=False),  # the level of its bots
    # The step of a match that it continues (kaboom.engine.continued_match), as encrypted JSON.
    Column("origin", LargeBinary, nullable=False),
    Column("names", String(1000), nullable=False),  # the names in that match by seat, as JSON
    player_column("by_id", OnErase.SET_NULL, OnMerge.MOVE, keeps=False),
    Column("made_at", Float, nullable=False),
    Index("ix_challenges_by_id", "by_id"),
)
