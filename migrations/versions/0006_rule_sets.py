"""Players' presets."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "rule_sets",
        sa.Column("id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rule_sets"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_rule_sets_player_id"),
        sa.UniqueConstraint("player_id", "game", "name", name="uq_rule_sets_player_id"),
    )


def downgrade() -> None:
    op.drop_table("rule_sets")
