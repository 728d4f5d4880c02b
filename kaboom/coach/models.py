"""The table of coaching jobs: one per player and match, with progress and results."""

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, LargeBinary, String, Table

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

# One row per player and match for which coaching was requested. The worker that has the job sends
# heartbeats (`seen_at`). If they stop, another worker continues from the stored results.
coachings = Table(
    "coachings",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id"), primary_key=True),
    player_column("player_id", OnErase.DELETE, OnMerge.MOVE, same=["match_id"], primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("asked_at", Float, nullable=False),
    Column("worker", String(32)),  # the worker that has the job
    Column("seen_at", Float),  # the worker's last heartbeat
    Column("tries", Integer, nullable=False, server_default="0"),  # how many workers began the job
    Column("steps", Integer),  # total number of steps; NULL until known
    Column("made", Integer, nullable=False, server_default="0"),  # steps done
    Column("body", LargeBinary),  # the decisions judged so far: encrypted JSON
    Column("ended_at", Float),  # NULL while unfinished
    Column("cost", Float),  # mean cost of a decision; NULL while unknown
    Index("ix_coachings_player_id", "player_id"),
    Index("ix_coachings_ended_at", "ended_at", "asked_at"),
)
