"""Challenges to play the same deal."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "challenges",
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("board", sa.String(64), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("level", sa.String(8), nullable=False),
        sa.Column("origin", sa.LargeBinary, nullable=False),
        sa.Column("names", sa.String(1000), nullable=False),
        sa.Column("by_id", Id),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_challenges"),
        sa.ForeignKeyConstraint(["board"], ["boards.label"], name="fk_challenges_board"),
        sa.ForeignKeyConstraint(["by_id"], ["players.id"], name="fk_challenges_by_id"),
    )
    op.create_index("ix_challenges_by_id", "challenges", ["by_id"])


def downgrade() -> None:
    op.drop_table("challenges")
