"""The tables of the database. The truth is in `matches` and `moves`; `tables.body` is a cache.

Times are seconds since 1970. docs/decisions/0003-core-statements.md says why there is no ORM.
"""

from sqlalchemy import (
    BigInteger,
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
)

tables = Table(
    "tables",
    metadata,
    Column("id", Id, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("match_id", Id, nullable=True),  # the match being played, or the last one
    Column("version", Integer, nullable=False),  # rises with every change
    Column("due_at", Float, nullable=True),  # when the clock must look at the table next
    Column("body", Text, nullable=False),  # kaboom.tables.table.Table as JSON
    Column("created_at", Float, nullable=False),
    Column("touched_at", Float, nullable=False),
    Index("ix_tables_due_at", "due_at"),
)

matches = Table(
    "matches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("table_id", Id, ForeignKey("tables.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("game", String(32), nullable=False),
    Column("game_version", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("names", Text, nullable=False),  # by seat, as JSON
    Column("seed", LargeBinary, nullable=False),
    Column("started_at", Float, nullable=False),
    Column("ended_at", Float, nullable=True),
    Column("outcome", Text, nullable=True),
    UniqueConstraint("table_id", "number"),
)

moves = Table(
    "moves",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),  # 1, 2, 3 … without a gap
    Column("cmd", String(64), nullable=False),  # a form sent twice carries the same command id
    Column("text", Text, nullable=False),  # the move, "0 bid KS"
    Column("at", Float, nullable=False),
    Column("chain", String(64), nullable=False),  # SHA-256 over the chain so far and this row
    UniqueConstraint("match_id", "cmd"),
)

sittings = Table(
    "sittings",
    metadata,
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("table_id", Id, ForeignKey("tables.id"), primary_key=True),
)
