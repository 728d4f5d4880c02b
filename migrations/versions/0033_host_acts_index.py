"""An index of hosts' acts by subject."""

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_host_acts_about_act", "host_acts", ["about", "act"])


def downgrade() -> None:
    op.drop_index("ix_host_acts_about_act", "host_acts")
