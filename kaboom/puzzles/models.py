"""Players' attempts at puzzles, with the ratings of players and puzzles."""

from sqlalchemy import Boolean, Column, Float, Index, Integer, String, Table

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

# A player's first attempt at each puzzle, and both ratings after it (kaboom.ratings.openskill).
puzzle_tries = Table(
    "puzzle_tries",
    metadata,
    Column("id", Id, primary_key=True),
    player_column(
        "player_id", OnErase.DELETE, OnMerge.MOVE, same=["puzzle"], keeps=False, nullable=False
    ),
    Column("puzzle", String(16), nullable=False),
    Column("game", String(32), nullable=False),
    Column("right", Boolean, nullable=False),
    Column("solved", Boolean, nullable=False),  # whether solved at the first attempt or later
    Column("mu", Integer, nullable=False),  # the player's rating, in thousandths
    Column("sigma", Integer, nullable=False),
    Column("puzzle_mu", Integer, nullable=False),
    Column("puzzle_sigma", Integer, nullable=False),
    Column("at", Float, nullable=False),
    Index("uq_puzzle_tries_player_id", "player_id", "puzzle", unique=True),
    Index("ix_puzzle_tries_puzzle", "puzzle", "id"),
)
