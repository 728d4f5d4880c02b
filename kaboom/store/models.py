"""The tables of the database. The truth is in `matches` and `moves`; `tables.body` is a cache.

Whatever reveals cards is sealed (kaboom.store.sealing). Times are seconds since 1970; table time
leaves out the times when nobody served (kaboom.tables.table_clock).
docs/decisions/0003-core-statements.md says why there is no ORM.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Id = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows only in an INTEGER key

players = Table(
    "players",
    metadata,
    Column("id", Id, primary_key=True),
    Column("key_hash", String(64), nullable=False, unique=True),  # of the browser's secret key
    Column("name", String(80), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("acted_at", Float, nullable=False, server_default="0"),  # sat down, spoke, got in …
    Index("ix_players_acted_at", "acted_at"),
)

tables = Table(
    "tables",
    metadata,
    Column("id", Id, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("match_id", Id),  # the match being played, or the last one
    Column("version", Integer, nullable=False),  # rises with every change
    Column("due_at", Float),  # when the clock must look next, in table time
    Column("body", LargeBinary, nullable=False),  # kaboom.tables.table.Table as JSON, sealed
    Column("listed", Boolean, nullable=False),  # found in the lobby, not only by its link
    Column("password", Text, nullable=False),  # argon2id of the password, or empty
    Column("talk", Integer, nullable=False),  # rises with every line of chat written or deleted
    Column("created_at", Float, nullable=False),
    Column("touched_at", Float, nullable=False),
    Index("ix_tables_due_at", "due_at"),
    Index("ix_tables_listed", "listed", "touched_at"),
    Index("ix_tables_touched_at", "touched_at"),
)

matches = Table(
    "matches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),  # the link of its record
    Column("table_id", Id, ForeignKey("tables.id")),  # none: the table has expired
    Column("number", Integer, nullable=False),
    Column("game", String(32), nullable=False),
    Column("game_version", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("names", Text, nullable=False),  # by seat, as JSON
    Column("seed", LargeBinary, nullable=False),  # sealed
    Column("cuts", Text, nullable=False),  # by seat, as JSON
    Column("started_at", Float, nullable=False),
    Column("ended_at", Float),
    Column("outcome", Text),
    Column("digest", String(64)),  # over the whole record, once it is over
    Column("hidden", Boolean, nullable=False),  # its players took it out of public view
    Column("levels", Text, nullable=False, server_default="[]"),  # of its bots by seat, as JSON
    UniqueConstraint("table_id", "number"),
    Index("ix_matches_ended_at", "ended_at"),
)

moves = Table(
    "moves",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),  # 1, 2, 3 … without a gap
    Column("cmd", String(64), nullable=False),  # a form sent twice carries the same command id
    Column("text", LargeBinary, nullable=False),  # the move, "0 bid KS", sealed
    Column("at", Float, nullable=False),
    Column("chain", String(64), nullable=False),  # keyed hash over the chain so far and this row
    UniqueConstraint("match_id", "cmd"),
)

# Who sat at which table, and who gave its password (and may watch without a seat).
sittings = Table(
    "sittings",
    metadata,
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("table_id", Id, ForeignKey("tables.id"), primary_key=True),
    Column("sat", Boolean, nullable=False),  # else only let in
    Column("webhook", Text, nullable=False),  # called at the player's turn, sealed; or empty
    Column("failures", Integer, nullable=False, default=0),  # of its calls, in a row
)

# Who played which match, for a player's own statistics.
parts = Table(
    "parts",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player_id", Id, ForeignKey("players.id"), nullable=False),
    Column("place", Integer),  # none: nobody won, or it is not over
    Index("ix_parts_player_id", "player_id"),
)

# Records from elsewhere, opened here for a while. Only somebody with the link can find one.
imports = Table(
    "imports",
    metadata,
    Column("code", String(24), primary_key=True),
    Column("text", LargeBinary, nullable=False),  # the file, sealed
    Column("expires_at", Float, nullable=False),
    Index("ix_imports_expires_at", "expires_at"),
)

lines = Table(
    "lines",
    metadata,
    Column("id", Id, primary_key=True),
    Column("table_id", Id, ForeignKey("tables.id"), nullable=False),
    Column("player_id", Id, ForeignKey("players.id"), nullable=False),
    Column("name", String(80), nullable=False),  # the writer's name at the time
    Column("text", Text, nullable=False),
    Column("phrase", String(16), nullable=False),  # a quick phrase's key; neither: deleted
    Column("at", Float, nullable=False),
    Column("match", Integer, nullable=False),  # the match it was written in, 0 before the first
    Column("watcher", Boolean, nullable=False),  # written by a spectator
    Index("ix_lines_table_id", "table_id", "id"),
    Index("ix_lines_player_id", "player_id"),
)

mutes = Table(
    "mutes",
    metadata,
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("muted_id", Id, ForeignKey("players.id"), primary_key=True),
)

# One-use links that carry a seat to another device. Only the hash of the link's secret is kept.
passes = Table(
    "passes",
    metadata,
    Column("secret_hash", String(64), primary_key=True),
    Column("table_id", Id, ForeignKey("tables.id"), nullable=False),
    Column("player_id", Id, ForeignKey("players.id"), nullable=False),  # who gives the seat away
    Column("expires_at", Float, nullable=False),
)

# Password attempts, counted for a while; `id` is the hash of what is counted.
tries = Table(
    "tries",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("made", Integer, nullable=False),
    Column("ends_at", Float, nullable=False),  # counted afresh from then on
    Index("ix_tries_ends_at", "ends_at"),
)

# Forms that made something, and their answers: one that comes twice is done once.
commands = Table(
    "commands",
    metadata,
    Column("who", String(64), primary_key=True),  # hash of the browser's key, or of its address
    Column("id", String(64), primary_key=True),  # hash of the form
    Column("answer", LargeBinary, nullable=False),  # sealed
    Column("done_at", Float, nullable=False),
    Index("ix_commands_done_at", "done_at"),
)

# When a worker last served: one row, once any worker has beaten.
pulse = Table(
    "pulse",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("beat_at", Float, nullable=False),
    Column("given_back", Float, nullable=False),  # seconds by which table time is behind
    Column("outages", Integer, nullable=False),  # how often time was given back
)
