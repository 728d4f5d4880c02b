"""The reporter's own words in a report, encrypted."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("reports", sa.Column("words", sa.LargeBinary))


def downgrade() -> None:
    op.drop_column("reports", "words")
