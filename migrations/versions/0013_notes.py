"""Private notes on matches."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "notes",
        sa.Column("match_id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "player_id", name="pk_notes"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_notes_match_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_notes_player_id"),
    )
    op.create_index("ix_notes_player_id", "notes", ["player_id"])


def downgrade() -> None:
    op.drop_table("notes")
