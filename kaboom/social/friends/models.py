"""Friends, requests, blocks and reports."""

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, LargeBinary, String, Table

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

# Pairs of friends: a row for each of the two, so that one index serves both directions.
friends = Table(
    "friends",
    metadata,
    player_column(
        "player_id",
        OnErase.DELETE,
        OnMerge.MOVE,
        same=["friend_id"],
        pair="friend_id",
        primary_key=True,
    ),
    player_column(
        "friend_id",
        OnErase.DELETE,
        OnMerge.MOVE,
        same=["player_id"],
        pair="player_id",
        primary_key=True,
    ),
    Column("since", Float, nullable=False),
    Index("ix_friends_friend_id", "friend_id"),
)

# Unanswered friend requests.
friend_requests = Table(
    "asks",
    metadata,
    player_column(
        "from_id", OnErase.DELETE, OnMerge.MOVE, same=["to_id"], pair="to_id", primary_key=True
    ),
    player_column(
        "to_id", OnErase.DELETE, OnMerge.MOVE, same=["from_id"], pair="from_id", primary_key=True
    ),
    Column("at", Float, nullable=False),
    Index("ix_asks_to_id", "to_id"),
)

blocks = Table(
    "blocks",
    metadata,
    player_column(
        "from_id", OnErase.DELETE, OnMerge.MOVE, same=["to_id"], pair="to_id", primary_key=True
    ),
    player_column(
        "to_id", OnErase.DELETE, OnMerge.MOVE, same=["from_id"], pair="from_id", primary_key=True
    ),
    Column("at", Float, nullable=False),
    Index("ix_blocks_to_id", "to_id"),
)

# Invitations of friends to tables that have not begun; deleted when they are answered.
table_invitations = Table(
    "table_invitations",
    metadata,
    Column("table_id", Id, ForeignKey("tables.id"), primary_key=True),
    player_column(
        "to_id", OnErase.DELETE, OnMerge.MOVE, same=["table_id"], pair="from_id", primary_key=True
    ),
    player_column("from_id", OnErase.DELETE, OnMerge.MOVE, nullable=False),
    Column("at", Float, nullable=False),
    Index("ix_table_invitations_to_id", "to_id", "at"),
    Index("ix_table_invitations_from_id", "from_id"),
)

# Reports about players to the host of the server, kept for a while.
reports = Table(
    "reports",
    metadata,
    Column("id", Id, primary_key=True),
    # null: the account was erased
    player_column("by_id", OnErase.SET_NULL, OnMerge.MOVE),
    player_column("about_id", OnErase.SET_NULL, OnMerge.MOVE),
    Column("code", String(16), nullable=False),  # code of the table or review
    Column("reason", String(16), nullable=False),
    Column("evidence", LargeBinary, nullable=False),  # the last chat messages, encrypted
    Column("at", Float, nullable=False),
    Column("closed", Boolean, nullable=False),
    Column("words", LargeBinary),  # the reporter's own, encrypted; null: none, or an erased account
    Index("ix_reports_at", "at"),
    Index("ix_reports_by_id", "by_id", "at"),
    Index("ix_reports_about_id", "about_id"),
)
