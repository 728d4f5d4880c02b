"""An index of the acts of hosts by what they are about."""

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_host_acts_about_act", "host_acts", ["about", "act"])


def downgrade() -> None:
    op.drop_index("ix_host_acts_about_act", "host_acts")
