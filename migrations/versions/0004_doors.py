"""Password attempts, completed commands, and each player's last action."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column("acted_at", sa.Float, nullable=False, server_default="0"))
    op.create_index("ix_players_acted_at", "players", ["acted_at"])
    op.create_index("ix_lines_player_id", "lines", ["player_id"])
    op.create_table(
        "tries",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("made", sa.Integer, nullable=False),
        sa.Column("ends_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tries"),
    )
    op.create_index("ix_tries_ends_at", "tries", ["ends_at"])
    op.create_table(
        "commands",
        sa.Column("who", sa.String(64), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sa.Column("done_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("who", "id", name="pk_commands"),
    )
    op.create_index("ix_commands_done_at", "commands", ["done_at"])


def downgrade() -> None:
    for name in ("commands", "tries"):
        op.drop_table(name)
    op.drop_index("ix_lines_player_id", "lines")
    op.drop_index("ix_players_acted_at", "players")
    op.drop_column("players", "acted_at")
