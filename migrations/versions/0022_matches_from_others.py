"""Matches that continue from a step of another one."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("origin", sa.LargeBinary))


def downgrade() -> None:
    op.drop_column("matches", "origin")
