"""Waiting for opponents, and alerts when a player is waiting."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "match_requests",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("days", sa.Integer, nullable=False),
        sa.Column("rated", sa.Boolean),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("seen_at", sa.Float, nullable=False),
        sa.Column("bots_at", sa.Float),
        sa.Column("code", sa.String(16)),
        sa.PrimaryKeyConstraint("player_id", name="pk_match_requests"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_match_requests_player_id"),
    )
    op.create_index("ix_match_requests_code", "match_requests", ["code", "seen_at"])
    op.create_index("ix_match_requests_seen_at", "match_requests", ["seen_at"])
    op.create_table(
        "match_alerts",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("days", sa.Integer, nullable=False),
        sa.Column("rated", sa.Boolean),
        sa.Column("until", sa.Float, nullable=False),
        sa.Column("sent_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_match_alerts"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_match_alerts_player_id"),
    )
    op.create_index("ix_match_alerts_until", "match_alerts", ["until"])
    op.create_table(
        "match_waits",
        sa.Column("id", Id, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("days", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_match_waits"),
    )
    op.create_index("ix_match_waits_game", "match_waits", ["game", "days", "at"])
    op.create_index("ix_match_waits_at", "match_waits", ["at"])


def downgrade() -> None:
    for name in ("match_waits", "match_alerts", "match_requests"):
        op.drop_table(name)
