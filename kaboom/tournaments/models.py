"""Tournaments: their logs, entrants and pods."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

# Tournaments. Their events are authoritative; all else is computed (kaboom.tournaments).
tournaments = Table(
    "tournaments",
    metadata,
    Column("id", Id, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    # organiser; null: deleted
    player_column("host_id", OnErase.ELSEWHERE, OnMerge.MOVE),
    Column("settings", Text, nullable=False),  # kaboom.tournaments.rules.events.Settings as JSON
    Column("seed", LargeBinary, nullable=False),  # encrypted
    Column("commitment", String(64), nullable=False),  # the SHA-256 of the seed
    Column("version", Integer, nullable=False),  # number of the last event
    Column("names", Integer, nullable=False),  # increases when an entrant changes
    Column("due_at", Float),  # when it must be handled next, in table time
    Column("ended", Boolean, nullable=False),
    Column("listed", Boolean, nullable=False),  # listed in the lobby
    Column("created_at", Float, nullable=False),
    Index("ix_tournaments_due_at", "due_at"),
    Index("ix_tournaments_host_id", "host_id"),
    Index("ix_tournaments_listed", "listed", "created_at"),
)

tournament_events = Table(
    "tournament_events",
    metadata,
    Column("tournament_id", Id, ForeignKey("tournaments.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),  # 1, 2, 3 … without a gap
    Column("body", Text, nullable=False),  # kaboom.tournaments.rules.events.Event as JSON
    Column("at", Float, nullable=False),
)

entrants = Table(
    "entrants",
    metadata,
    Column("tournament_id", Id, ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # 1, 2, 3 … in the order of entering
    # null: a bot, or deleted
    player_column("player_id", OnErase.ELSEWHERE, OnMerge.ELSEWHERE),
    Column("name", String(80), nullable=False),
    Column("cut", String(80), nullable=False),  # their contribution to the draw
    UniqueConstraint("tournament_id", "player_id"),
    Index("ix_entrants_player_id", "player_id"),
)

# The tables of a tournament. `pairing` is the event that made the pod, `number` counts from 0.
pods = Table(
    "pods",
    metadata,
    Column("id", Id, primary_key=True),
    Column("tournament_id", Id, ForeignKey("tournaments.id"), nullable=False),
    Column("pairing", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("table_id", Id, ForeignKey("tables.id"), unique=True),  # null: it has expired
    Column("state", String(8), nullable=False),  # open, ready, playing, ended, done, void
    Column("result", Text),  # tournaments.results.PodResult as JSON, written at the match's end
    UniqueConstraint("tournament_id", "pairing", "number"),
    Index("ix_pods_state", "state"),
)
