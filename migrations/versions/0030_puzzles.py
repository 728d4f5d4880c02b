"""Attempts at puzzles, and the ratings of puzzles and players."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "puzzle_tries",
        sa.Column("id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("right", sa.Boolean, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("mu", sa.Integer, nullable=False),
        sa.Column("sigma", sa.Integer, nullable=False),
        sa.Column("puzzle_mu", sa.Integer, nullable=False),
        sa.Column("puzzle_sigma", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_puzzle_tries"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_puzzle_tries_player_id"),
    )
    op.create_index(
        "uq_puzzle_tries_player_id", "puzzle_tries", ["player_id", "puzzle"], unique=True
    )
    op.create_index("ix_puzzle_tries_puzzle", "puzzle_tries", ["puzzle", "id"])


def downgrade() -> None:
    op.drop_table("puzzle_tries")
