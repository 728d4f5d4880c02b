"""Boards that several tables play, and their players; ratings, and matches that players
left early.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
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
    op.add_column("parts", sa.Column("gone", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "rating_wishes",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("shown", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_rating_wishes"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_rating_wishes_player_id"),
    )
    op.create_table(
        "ratings",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("mu", sa.Integer, nullable=False),
        sa.Column("sigma", sa.Integer, nullable=False),
        sa.Column("played", sa.Integer, nullable=False),
        sa.Column("last_day", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "game", name="pk_ratings"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_ratings_player_id"),
    )
    op.create_index("ix_ratings_game", "ratings", ["game", "mu"])
    op.create_table(
        "rating_steps",
        sa.Column("seq", Id, nullable=False),
        sa.Column("match_id", Id, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("who", sa.BigInteger, nullable=False),
        sa.Column("day", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("nth", sa.Integer, nullable=False),
        sa.Column("mu", sa.Integer, nullable=False),
        sa.Column("sigma", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_rating_steps"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_rating_steps_match_id"),
        sa.UniqueConstraint("match_id", "seat", name="uq_rating_steps_match_id"),
    )
    op.create_index("ix_rating_steps_who", "rating_steps", ["who", "game", "day"])


def downgrade() -> None:
    for name in ("rating_steps", "ratings", "rating_wishes"):
        op.drop_table(name)
    op.drop_column("parts", "gone")
    op.drop_table("board_tries")
    op.drop_table("boards")
    op.drop_column("matches", "board")
