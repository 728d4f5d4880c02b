"""Tables for players who wait for opponents, alerts, and waiting times."""

from sqlalchemy import Boolean, Column, Float, Index, Integer, String, Table

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

# One row per player, so that no player waits twice. With a `code` the player has been seated; the
# row stays for a while to send the player there.
match_requests = Table(
    "match_requests",
    metadata,
    player_column("player_id", OnErase.DELETE, OnMerge.DELETE, keeps=False, primary_key=True),
    Column("name", String(80), nullable=False),  # the player's name at the table
    Column("game", String(32), nullable=False),  # empty: any
    Column("days", Integer, nullable=False),  # days for each decision; 0: live play
    Column("rated", Boolean),  # null: either
    Column("since", Float, nullable=False),
    Column("seen_at", Float, nullable=False),  # the page's last heartbeat
    Column("bots_at", Float),  # when the player agreed to bots in the empty seats; null: not yet
    Column("code", String(16)),  # code of the table; null: still waiting
    Index("ix_match_requests_code", "code", "seen_at"),
    Index("ix_match_requests_seen_at", "seen_at"),
)

# Players who want to be notified when another player waits for a game.
match_alerts = Table(
    "match_alerts",
    metadata,
    player_column("player_id", OnErase.DELETE, OnMerge.DELETE, keeps=False, primary_key=True),
    Column("game", String(32), nullable=False),  # empty: any
    Column("days", Integer, nullable=False),
    Column("rated", Boolean),
    Column("until", Float, nullable=False),
    Column("sent_at", Float, nullable=False),  # time of the last notification; 0: none yet
    Index("ix_match_alerts_until", "until"),
)

# How long players waited until they were seated. No row names a player.
match_waits = Table(
    "match_waits",
    metadata,
    Column("id", Id, primary_key=True),
    Column("game", String(32), nullable=False),
    Column("days", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("at", Float, nullable=False),
    Index("ix_match_waits_game", "game", "days", "at"),
    Index("ix_match_waits_at", "at"),
)
