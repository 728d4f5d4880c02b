"""Notification channels, pending notifications and reminders, and players' preferences.

The SQL names are historical: `ways` are channels, `calls` are notifications, `notices` are
reminders.
"""

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
    false,
)

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

# Notification channels (kaboom.notifications.channels), with their latest results.
channels = Table(
    "ways",
    metadata,
    Column("id", Id, primary_key=True),
    player_column(
        "player_id", OnErase.ELSEWHERE, OnMerge.MOVE, same=["print", "made_at"], nullable=False
    ),
    Column("kind", String(16), nullable=False),  # mail, push, or the format of a webhook
    Column("address", LargeBinary, nullable=False),  # encrypted
    Column("print", String(64), nullable=False),  # a keyed hash, the same for the same address
    Column("table_id", Id, ForeignKey("tables.id")),  # None: for all of the player's tables
    Column("made_at", Float, nullable=False),
    Column("checked_at", Float),  # when its owner confirmed it; null: not yet
    Column("failures", Integer, nullable=False),  # consecutive undelivered notifications
    Column("sent_at", Float, nullable=False),  # when the last one was delivered; 0: none yet
    Column("secret_hash", String(64), unique=True),  # hash of the secret in its e-mails' links
    Index("ix_ways_player_id", "player_id"),
    Index("ix_ways_checked_at", "checked_at", "made_at"),
    Index("ix_ways_print", "print"),
    Index("ix_ways_table_id", "table_id"),
)

# The outbox: one notification per channel, table and turn. A row stays until the player's next
# turn there.
notifications = Table(
    "calls",
    metadata,
    Column("way_id", Id, ForeignKey("ways.id"), primary_key=True),
    Column("table_id", Id, ForeignKey("tables.id"), primary_key=True),
    Column("turn", Integer, primary_key=True),  # the table's version with which it began
    Column("due_at", Float),  # when it is checked next; null: done
    Column("state", String(8), nullable=False),  # waiting, sent, moot, failed
    Column("tries", Integer, nullable=False),
    Column("leased_until", Float, nullable=False),  # no other worker sends it until then
    Column("nudge", Boolean, nullable=False, server_default=false()),  # another player asked for it
    Index("ix_calls_due_at", "due_at"),
    Index("ix_calls_table_id", "table_id"),
)

# Notifications that are not about a turn (kaboom.notifications.reminders). A row is deleted once it
# has been handled.
reminders = Table(
    "notices",
    metadata,
    Column("way_id", Id, ForeignKey("ways.id"), primary_key=True),
    Column("about", String(40), primary_key=True),  # "check-in CODE", "vote CODE 3", "date 12"
    Column("due_at", Float, nullable=False),  # when it is checked next
    Column("tries", Integer, nullable=False),
    Column("leased_until", Float, nullable=False),  # no other worker sends it until then
    Index("ix_notices_due_at", "due_at"),
    Index("ix_notices_about", "about"),
)

# When and how a player wants to be notified, on all channels.
call_settings = Table(
    "call_settings",
    metadata,
    player_column("player_id", OnErase.ELSEWHERE, OnMerge.ELSEWHERE, keeps=False, primary_key=True),
    Column("quiet_from", Integer),  # minutes since midnight in `zone`; null: no quiet hours
    Column("quiet_to", Integer),
    Column("zone", String(64), nullable=False),
    Column("digest", Integer, nullable=False),  # minimum minutes between two notifications
    Column("language", String(16), nullable=False),
    Column("base", Text, nullable=False),  # base URL of links, as the player's browser used it
    Column("feed_hash", String(64), unique=True),  # of the secret in the URL of the turns
    Column("feed", LargeBinary),  # that secret, encrypted
    Column("results_hash", String(64)),  # of the secret in the URL of the results feed
    Index("ix_call_settings_results_hash", "results_hash", unique=True),
)
