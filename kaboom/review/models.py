"""Reviews, their members and their remarks."""

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table, Text

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

reviews = Table(
    "reviews",
    metadata,
    Column("id", Id, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    Column("match_id", Id, ForeignKey("matches.id"), nullable=False),
    player_column("by_id", OnErase.SET_NULL, OnMerge.MOVE, keeps=False),
    player_column("leader_id", OnErase.SET_NULL, OnMerge.MOVE, keeps=False),
    # the member who asks for the lead
    player_column("asks_id", OnErase.SET_NULL, OnMerge.MOVE, keeps=False),
    Column("step", Integer, nullable=False),  # the leader's step
    Column("eyes", String(8), nullable=False),  # "": all cards; "watch": a spectator; else a seat
    Column("version", Integer, nullable=False),  # incremented when the leader moves
    Column("made_at", Float, nullable=False),
    Index("ix_reviews_match_id", "match_id"),
    Index("ix_reviews_by_id", "by_id"),
    Index("ix_reviews_leader_id", "leader_id"),
    Index("ix_reviews_asks_id", "asks_id"),
)

review_members = Table(
    "review_members",
    metadata,
    Column("review_id", Id, ForeignKey("reviews.id"), primary_key=True),
    player_column("player_id", OnErase.DELETE, OnMerge.MOVE, same=["review_id"], primary_key=True),
    Column("name", String(80), nullable=False),
    Column("joined_at", Float, nullable=False),
    Index("ix_review_members_player_id", "player_id"),
)

remarks = Table(
    "remarks",
    metadata,
    Column("id", Id, primary_key=True),
    Column("review_id", Id, ForeignKey("reviews.id"), nullable=False),
    player_column("player_id", OnErase.KEEP, OnMerge.MOVE, nullable=False),
    Column("name", String(80), nullable=False),  # the author's name at the time
    Column("step", Integer, nullable=False),
    Column("eyes", String(8), nullable=False),
    Column("text", Text, nullable=False),  # empty if deleted
    Column("at", Float, nullable=False),
    Index("ix_remarks_review_id", "review_id", "id"),
    Index("ix_remarks_player_id", "player_id"),
)
