"""Remote bots, the tables they sit at, and the log of calls."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
)

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

# A bot sits at tables as a player of its own, without a browser or a key.
remote_bots = Table(
    "remote_bots",
    metadata,
    Column("id", Id, primary_key=True),
    player_column("owner_id", OnErase.ELSEWHERE, OnMerge.MOVE, nullable=False),
    player_column("player_id", OnErase.DELETE, OnMerge.DELETE, nullable=False, unique=True),
    Column("name", String(80), nullable=False),
    Column("address", LargeBinary, nullable=False),  # encrypted
    Column("secret", LargeBinary, nullable=False),  # encrypted; signs requests
    Column("shared", Boolean, nullable=False),  # other players may invite it, too
    Column("paused", Boolean, nullable=False),
    Column("checked_at", Float),  # time of the verified hello; NULL: not called yet
    Column("made_at", Float, nullable=False),
    Index("ix_remote_bots_owner_id", "owner_id"),
)

# The seats of bots. A row is deleted with its table or its bot.
remote_bot_seats = Table(
    "remote_bot_seats",
    metadata,
    Column("bot_id", Id, primary_key=True),
    Column("code", String(16), primary_key=True),  # code of the table
    Column("seen", Integer, nullable=False),  # the last version of the table that was handled
    Column("asked", String(16), nullable=False),  # the last prompt that was handled
    Column("failures", Integer, nullable=False),  # consecutive failures in this match
    Column("leased_until", Float, nullable=False),  # a worker's lease ends then
    Index("ix_remote_bot_seats_code", "code"),
)

# The log of calls for authors: the last ones of each bot.
remote_bot_calls = Table(
    "remote_bot_calls",
    metadata,
    Column("id", Id, primary_key=True),
    Column("bot_id", Id, nullable=False),
    Column("at", Float, nullable=False),
    Column("game", String(32), nullable=False),
    Column("what", String(16), nullable=False),  # a key of texts.RESULTS
    Column("seconds", Float, nullable=False),
    Column("detail", LargeBinary, nullable=False),  # the response or the error; encrypted
    Index("ix_remote_bot_calls_bot_id", "bot_id", "id"),
)
