"""The players' seats before seats were drawn by lot."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("drawn", sa.Text, nullable=False, server_default="[]"))


def downgrade() -> None:
    op.drop_column("matches", "drawn")
