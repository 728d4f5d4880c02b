"""Each player's result in each finished match, and the public pages."""

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, String, Table

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

# One row per player and finished match that counts. All figures are computed from it.
results = Table(
    "results",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    player_column("player_id", OnErase.DELETE, OnMerge.MOVE, nullable=False),
    Column("game", String(32), nullable=False),
    Column("board", String(64), nullable=False),  # the label of the deal's board, or empty
    Column("began_at", Float, nullable=False),
    Column("ended_at", Float, nullable=False),
    Column("rivals", String(8), nullable=False),  # "people", or the level of the strongest bot
    Column("place", Integer),  # NULL if no player won
    Column("points", Float),  # NULL if stopped early
    Column("perfect", Boolean, nullable=False),  # won without conceding a point
    Column("decisions", Integer),  # NULL if not timed
    Column("seconds", Float),  # total time of these decisions
    Index("ix_results_player_id", "player_id", "game", "ended_at", "place"),
    Index("ix_results_board", "player_id", "board"),
)

# Only players with a public page have a row.
public_pages = Table(
    "public_pages",
    metadata,
    player_column("player_id", OnErase.DELETE, OnMerge.DELETE, keeps=False, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    Column("shows", String(80), nullable=False),  # public.PARTS, separated by spaces
)
