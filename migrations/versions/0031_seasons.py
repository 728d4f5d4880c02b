"""Stored monthly leaderboards."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "seasons",
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.Column("counted_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("month", "game", name="pk_seasons"),
    )
    op.create_table(
        "season_places",
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("who", sa.BigInteger, nullable=False),
        sa.Column("mu", sa.Integer, nullable=False),
        sa.Column("sigma", sa.Integer, nullable=False),
        sa.Column("played", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer),
        sa.PrimaryKeyConstraint("month", "game", "who", name="pk_season_places"),
    )
    op.create_index("ix_season_places_who", "season_places", ["who", "game"])
    op.create_index("ix_rating_steps_day", "rating_steps", ["game", "day"])


def downgrade() -> None:
    op.drop_index("ix_rating_steps_day", "rating_steps")
    op.drop_table("season_places")
    op.drop_table("seasons")
