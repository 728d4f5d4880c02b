"""Heartbeats of workers, by which players are credited with the time of an outage."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("beat_at", sa.Float, nullable=False),
        sa.Column("given_back", sa.Float, nullable=False),
        sa.Column("outages", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_pulse"),
    )


def downgrade() -> None:
    op.drop_table("pulse")
