"""Clubs and their members, tables and matches; consent to share results; the feed of results."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "clubs",
        sa.Column("id", Id, primary_key=True),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("asking", sa.Boolean, nullable=False),
        sa.Column("phrases", sa.Boolean, nullable=False),
        sa.Column("links", sa.Integer, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_clubs"),
        sa.UniqueConstraint("code", name="uq_clubs_code"),
    )
    op.create_table(
        "members",
        sa.Column("club_id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("standing", sa.String(8), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("club_id", "player_id", name="pk_members"),
        sa.ForeignKeyConstraint(["club_id"], ["clubs.id"], name="fk_members_club_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_members_player_id"),
    )
    op.create_index("ix_members_player_id", "members", ["player_id"])
    for table, time in (("tables", "touched_at"), ("matches", "ended_at")):
        _add_club(table)
        op.create_index(f"ix_{table}_club_id", table, ["club_id", time])
    # An index finds a player's latest matches without reading all of them.
    op.drop_index("ix_parts_player_id", "parts")
    op.create_index("ix_parts_player_id", "parts", ["player_id", "match_id"])
    # Erasing and merging accounts look up rows by player.
    op.create_index("ix_mutes_muted_id", "mutes", ["muted_id"])
    op.create_index("ix_passes_player_id", "passes", ["player_id"])
    op.create_index("ix_ways_checked_at", "ways", ["checked_at", "made_at"])
    op.add_column(
        "accounts", sa.Column("shares", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("call_settings", sa.Column("results_hash", sa.String(64)))
    op.create_index("ix_call_settings_results_hash", "call_settings", ["results_hash"], unique=True)


def _add_club(table: str) -> None:
    if op.get_bind().dialect.name == "sqlite":  # SQLite adds a reference only with its column
        op.execute(f"ALTER TABLE {table} ADD COLUMN club_id INTEGER REFERENCES clubs (id)")
        return
    op.add_column(table, sa.Column("club_id", Id))
    op.create_foreign_key(f"fk_{table}_club_id", table, "clubs", ["club_id"], ["id"])


def downgrade() -> None:
    op.drop_index("ix_call_settings_results_hash", "call_settings")
    op.drop_column("call_settings", "results_hash")
    op.drop_column("accounts", "shares")
    op.drop_index("ix_ways_checked_at", "ways")
    op.drop_index("ix_passes_player_id", "passes")
    op.drop_index("ix_mutes_muted_id", "mutes")
    op.drop_index("ix_parts_player_id", "parts")
    op.create_index("ix_parts_player_id", "parts", ["player_id"])
    for table in ("matches", "tables"):
        op.drop_index(f"ix_{table}_club_id", table)
        op.drop_column(table, "club_id")
    op.drop_table("members")
    op.drop_table("clubs")
