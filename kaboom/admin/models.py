"""Tables for the server's hosts, their acts, and the sanctions of players."""

from sqlalchemy import Boolean, Column, Float, Index, Integer, String, Table, Text

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

server_hosts = Table(
    "server_hosts",
    metadata,
    player_column("player_id", OnErase.DELETE, OnMerge.DELETE, primary_key=True),
    Column("since", Float, nullable=False),
)

# Append-only. The host is stored by name, which stays when the account is erased.
host_acts = Table(
    "host_acts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("at", Float, nullable=False),
    Column("host", String(80), nullable=False),
    Column("act", String(24), nullable=False),
    Column("about", String(120), nullable=False),  # a player, a table, a match
    Column("why", Text, nullable=False),
    Index("ix_host_acts_about_act", "about", "act"),
)

# Sanctions, and what the player is told about them.
sanctions = Table(
    "sanctions",
    metadata,
    Column("id", Id, primary_key=True),
    player_column("player_id", OnErase.DELETE, OnMerge.MOVE, keeps=True, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("why", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("until", Float, nullable=False),  # when it ends; 0: a message only
    Column("read", Boolean, nullable=False),  # the player has pressed “I have read this”
    # The hash of a blocked IP address, taken from the player's next request; "?" until then.
    Column("address", String(64), nullable=False),
    Index("ix_sanctions_player_id", "player_id"),
    Index("ix_sanctions_until", "until"),
)

# Keys of browsers whose player is banned. They belong to no player until the ban ends, so that open
# pages show nothing.
keys_set_aside = Table(
    "keys_set_aside",
    metadata,
    Column("key_hash", String(64), primary_key=True),
    player_column("player_id", OnErase.DELETE, OnMerge.MOVE, keeps=True, nullable=False),
    Column("device", String(40), nullable=False),
    Column("made_day", Integer, nullable=False),
    Index("ix_keys_set_aside_player_id", "player_id"),
)

# Notices on all pages: "halt" (no table can be opened) and "today".
server_notices = Table(
    "server_notices",
    metadata,
    Column("kind", String(8), primary_key=True),
    Column("text", Text, nullable=False),
)
