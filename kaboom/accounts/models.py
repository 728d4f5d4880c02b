"""Players, the session keys of their browsers, their API keys, and their credentials."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
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

players = Table(
    "players",
    metadata,
    Column("id", Id, primary_key=True),
    Column("key_hash", String(64), nullable=False, unique=True),  # hash of the first browser's key
    Column("name", String(80), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("acted_at", Float, nullable=False, server_default="0"),  # last activity of the player
    Index("ix_players_acted_at", "acted_at"),
)

# The keys of a player's browsers. A key older than this table is only in `players` until its next
# use.
keys = Table(
    "keys",
    metadata,
    Column("key_hash", String(64), primary_key=True),
    player_column("player_id", OnErase.ELSEWHERE, OnMerge.ELSEWHERE, keeps=False, nullable=False),
    Column("device", String(40), nullable=False),  # named by its owner, or after its user agent
    Column("made_day", Integer, nullable=False),  # days since 1970
    Column("seen_day", Integer, nullable=False),
    Index("ix_keys_player_id", "player_id"),
)

# Account credentials. All are optional.
accounts = Table(
    "accounts",
    metadata,
    player_column("player_id", OnErase.DELETE, OnMerge.ELSEWHERE, primary_key=True),
    Column("handle", String(80), nullable=False),  # or empty; not shown to other players
    Column("look", String(80), unique=True),  # canonical form, unique among lookalikes
    Column("password", Text, nullable=False),  # argon2id, or empty
    Column("words_hash", String(64), unique=True),  # hash of the recovery words
    Column("present", Boolean, nullable=False),  # friends may see when the player is online
    Column("made_at", Float, nullable=False),
    # Friends, and the clubs to which the tables belong, may see results in their feeds.
    Column("shares", Boolean, nullable=False, server_default=false()),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("credential", String(1400), primary_key=True),  # its id, in base64url
    player_column("player_id", OnErase.DELETE, OnMerge.ELSEWHERE, nullable=False),
    Column("public_key", LargeBinary, nullable=False),  # with the id, as sent by the authenticator
    Column("label", String(40), nullable=False),
    Column("made_day", Integer, nullable=False),
    Column("used_day", Integer, nullable=False),
    Index("ix_passkeys_player_id", "player_id"),
)

# The accounts at an OpenID provider that sign players in, by a hash of issuer and subject.
openid_identities = Table(
    "openid_identities",
    metadata,
    Column("identity_hash", String(64), primary_key=True),
    player_column("player_id", OnErase.DELETE, OnMerge.ELSEWHERE, nullable=False),
    Column("made_day", Integer, nullable=False),
    Column("used_day", Integer, nullable=False),
    Index("ix_openid_identities_player_id", "player_id"),
)

# One-use tokens that expire: links, challenges, requests to confirm.
tokens = Table(
    "offers",
    metadata,
    Column("secret_hash", String(64), primary_key=True),
    Column("kind", String(16), nullable=False),
    # the player who created it, or NULL
    player_column("player_id", OnErase.DELETE, OnMerge.DELETE),
    Column("about", LargeBinary, nullable=False),  # encrypted
    Column("expires_at", Float, nullable=False),
    Index("ix_offers_player_id", "player_id"),
    Index("ix_offers_expires_at", "expires_at"),
)

# API keys of players. Only their hashes are stored; docs/api.md.
program_keys = Table(
    "program_keys",
    metadata,
    Column("key_hash", String(64), primary_key=True),
    player_column("player_id", OnErase.DELETE, OnMerge.MOVE, nullable=False),
    Column("name", String(80), nullable=False),  # named by its owner
    Column("scopes", String(80), nullable=False),  # scopes, separated by spaces
    Column("table_code", String(16), nullable=False),  # the only table it is for; empty: any
    Column("made_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
    Index("ix_program_keys_player_id", "player_id"),
    Index("ix_program_keys_expires_at", "expires_at"),
)
