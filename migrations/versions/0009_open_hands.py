"""The delay in minutes after which spectators see the hands of a match."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("hands", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("matches", "hands")
