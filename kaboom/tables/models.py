"""Tables, their matches and moves, and their players.

`matches` and `moves` are authoritative; `tables.body` is a cache.
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
    UniqueConstraint,
    false,
    text,
)

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

tables = Table(
    "tables",
    metadata,
    Column("id", Id, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("match_id", Id),  # the match being played, or the last one
    Column("version", Integer, nullable=False),  # increases with every change
    Column("due_at", Float),  # when the clock must check next, in table time
    Column("body", LargeBinary, nullable=False),  # kaboom.tables.table.Table as JSON, encrypted
    Column("listed", Boolean, nullable=False),  # listed in the lobby
    Column("password", Text, nullable=False),  # argon2id of the password, or empty
    Column("talk", Integer, nullable=False),  # increases with every line of chat written or deleted
    Column("created_at", Float, nullable=False),
    Column("touched_at", Float, nullable=False),
    # Days for each decision in correspondence play; 0: live play.
    Column("days", Integer, nullable=False, server_default="0"),
    Column("club_id", Id, ForeignKey("clubs.id")),  # the club whose members see the table
    Index("ix_tables_club_id", "club_id", "touched_at"),
    Index("ix_tables_due_at", "due_at"),
    Index("ix_tables_listed", "listed", "touched_at"),
    Index("ix_tables_touched_at", "touched_at"),
)

matches = Table(
    "matches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),  # code of its record
    Column("table_id", Id, ForeignKey("tables.id")),  # null: the table has expired
    Column("number", Integer, nullable=False),
    Column("game", String(32), nullable=False),
    Column("game_version", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("names", Text, nullable=False),  # by seat, as JSON
    Column("seed", LargeBinary, nullable=False),  # encrypted
    Column("cuts", Text, nullable=False),  # by seat, as JSON
    Column("started_at", Float, nullable=False),
    Column("ended_at", Float),
    Column("outcome", Text),
    Column("digest", String(64)),  # over the whole record, once the match is over
    Column("hidden", Boolean, nullable=False),  # by a player
    Column("levels", Text, nullable=False, server_default="[]"),  # of its bots by seat, as JSON
    # If seats were drawn: the place each seat's player had before, as JSON.
    Column("drawn", Text, nullable=False, server_default="[]"),
    # Minutes after which spectators see all hands, as its players agreed; 0: never.
    Column("hands", Integer, nullable=False, server_default="0"),
    # The label of the board whose deal was played, otherwise empty.
    Column("board", String(64), nullable=False, server_default=text("''")),
    Column("club_id", Id, ForeignKey("clubs.id")),  # the club of its table
    # Step of another match from which it continues (kaboom.engine.continued_match), as encrypted
    # JSON.
    Column("origin", LargeBinary),
    UniqueConstraint("table_id", "number"),
    Index("ix_matches_club_id", "club_id", "ended_at"),
    Index("ix_matches_ended_at", "ended_at"),
)

moves = Table(
    "moves",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),  # 1, 2, 3 … without a gap
    Column("cmd", String(64), nullable=False),  # a form sent twice has the same command id
    Column("text", LargeBinary, nullable=False),  # the move, such as "0 bid KS", encrypted
    Column("at", Float, nullable=False),
    Column("chain", String(64), nullable=False),  # keyed hash over the chain so far and this row
    UniqueConstraint("match_id", "cmd"),
)

# Players who sat at a table or were admitted to it.
sittings = Table(
    "sittings",
    metadata,
    player_column("player_id", OnErase.DELETE, OnMerge.MOVE, same=["table_id"], primary_key=True),
    Column("table_id", Id, ForeignKey("tables.id"), primary_key=True),
    Column("sat", Boolean, nullable=False),  # False: admitted, without a seat
    Column("webhook", Text, nullable=False, default=""),  # used only by 0.1.0
    Column("failures", Integer, nullable=False, default=0),  # used only by 0.1.0
    Column("snoozed_until", Float),  # no notifications from this table before then; null: no pause
)

# Who played which match, for a player's own statistics.
match_players = Table(
    "parts",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    player_column("player_id", OnErase.ELSEWHERE, OnMerge.MOVE, nullable=False),
    Column("place", Integer),  # null: no winner, or the match is not over
    Column("gone", Boolean, nullable=False, server_default=false()),  # left before the match ended
    Index("ix_parts_player_id", "player_id", "match_id"),  # finds the latest ones fast
)

# Deals that several tables play (tables/shared_deals). A board is secret until it is closed.
boards = Table(
    "boards",
    metadata,
    Column("label", String(64), primary_key=True),  # "day 2026-11-22"
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("secret", LargeBinary, nullable=False),  # encrypted
    Column("commitment", String(64), nullable=False),  # of the secret, published beforehand
    Column("cut", String(64), nullable=False),  # empty until drawn
    Column("opens_at", Float, nullable=False),
    Column("closed_at", Float),  # when its records become visible; null: not yet known
    Index("ix_boards_opens_at", "opens_at"),
)

# Attempts at boards, with their results.
board_tries = Table(
    "board_tries",
    metadata,
    Column("board", String(64), ForeignKey("boards.label"), primary_key=True),
    player_column("player_id", OnErase.DELETE, OnMerge.MOVE, same=["board"], primary_key=True),
    Column("code", String(16), nullable=False),  # of the table
    Column("result", Integer),  # higher is better; null: the attempt is not over
    Index("ix_board_tries_player_id", "player_id"),
)

# The last heartbeat of any worker: a single row, written by the first heartbeat.
heartbeats = Table(
    "pulse",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("beat_at", Float, nullable=False),
    Column("given_back", Float, nullable=False),  # seconds that table time lags behind
    Column("outages", Integer, nullable=False),  # number of outages
)

# The last vacation of a player, and the vacation days used in that year.
vacations = Table(
    "vacations",
    metadata,
    player_column("player_id", OnErase.DELETE, OnMerge.ELSEWHERE, keeps=False, primary_key=True),
    Column("year", Integer, nullable=False),
    Column("used", Integer, nullable=False),  # days
    Column("began_at", Float, nullable=False),
    Column("ends_at", Float, nullable=False),
)
