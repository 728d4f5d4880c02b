"""Boards, which many tables play, and who played them."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0014"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.add_column(
        "matches", sa.Column("board", sa.String(64), nullable=False, server_default=sa.text("''"))
    )
    op.create_table(
        "boards",
        sa.Column("label", sa.String(64), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("cut", sa.String(64), nullable=False),
        sa.Column("opens_at", sa.Float, nullable=False),
        sa.Column("closed_at", sa.Float),
        sa.PrimaryKeyConstraint("label", name="pk_boards"),
    )
    op.create_index("ix_boards_opens_at", "boards", ["opens_at"])
    op.create_table(
        "board_tries",
        sa.Column("board", sa.String(64), nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("result", sa.Integer),
        sa.PrimaryKeyConstraint("board", "player_id", name="pk_board_tries"),
        sa.ForeignKeyConstraint(["board"], ["boards.label"], name="fk_board_tries_board"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_board_tries_player_id"),
    )
    op.create_index("ix_board_tries_player_id", "board_tries", ["player_id"])


def downgrade() -> None:
    op.drop_table("board_tries")
    op.drop_table("boards")
    op.drop_column("matches", "board")
