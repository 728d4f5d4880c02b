"""Invitations of friends to tables."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "table_invitations",
        sa.Column("table_id", Id, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("to_id", Id, sa.ForeignKey("players.id"), primary_key=True),
        sa.Column("from_id", Id, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("ix_table_invitations_to_id", "table_invitations", ["to_id", "at"])
    op.create_index("ix_table_invitations_from_id", "table_invitations", ["from_id"])


def downgrade() -> None:
    op.drop_table("table_invitations")
