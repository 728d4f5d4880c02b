"""Requests to judge the decisions of a finished match."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "coachings",
        sa.Column("match_id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("asked_at", sa.Float, nullable=False),
        sa.Column("worker", sa.String(32)),
        sa.Column("seen_at", sa.Float),
        sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
        sa.Column("steps", sa.Integer),
        sa.Column("made", sa.Integer, nullable=False, server_default="0"),
        sa.Column("body", sa.LargeBinary),
        sa.Column("ended_at", sa.Float),
        sa.Column("cost", sa.Float),
        sa.PrimaryKeyConstraint("match_id", "player_id", name="pk_coachings"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_coachings_match_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_coachings_player_id"),
    )
    op.create_index("ix_coachings_player_id", "coachings", ["player_id"])
    op.create_index("ix_coachings_ended_at", "coachings", ["ended_at", "asked_at"])


def downgrade() -> None:
    op.drop_table("coachings")
