"""Correspondence matches: a table's days, players' vacations, nudges in the outbox."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.add_column("tables", sa.Column("days", sa.Integer, nullable=False, server_default="0"))
    op.add_column(
        "calls", sa.Column("nudge", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.create_table(
        "vacations",
        sa.Column("player_id", Id, autoincrement=False, nullable=False),
        sa.Column("year", sa.Integer, nullable=False),
        sa.Column("used", sa.Integer, nullable=False),
        sa.Column("began_at", sa.Float, nullable=False),
        sa.Column("ends_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_vacations"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_vacations_player_id"),
    )


def downgrade() -> None:
    op.drop_table("vacations")
    op.drop_column("calls", "nudge")
    op.drop_column("tables", "days")
