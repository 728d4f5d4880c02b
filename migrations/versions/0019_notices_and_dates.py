"""Notifications that are not about a turn, and club events."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "notices",
        sa.Column("way_id", Id, nullable=False),
        sa.Column("about", sa.String(40), nullable=False),
        sa.Column("due_at", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("leased_until", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("way_id", "about", name="pk_notices"),
        sa.ForeignKeyConstraint(["way_id"], ["ways.id"], name="fk_notices_way_id"),
    )
    op.create_index("ix_notices_due_at", "notices", ["due_at"])
    op.create_index("ix_notices_about", "notices", ["about"])
    op.create_table(
        "club_dates",
        sa.Column("id", Id, nullable=False),
        sa.Column("club_id", Id, nullable=False),
        sa.Column("by_id", Id),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("note", sa.String(80), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_club_dates"),
        sa.ForeignKeyConstraint(["club_id"], ["clubs.id"], name="fk_club_dates_club_id"),
        sa.ForeignKeyConstraint(["by_id"], ["players.id"], name="fk_club_dates_by_id"),
    )
    op.create_index("ix_club_dates_club_id", "club_dates", ["club_id", "at"])
    op.create_index("ix_club_dates_by_id", "club_dates", ["by_id"])
    op.create_index("ix_club_dates_at", "club_dates", ["at"])
    op.create_table(
        "date_goers",
        sa.Column("date_id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.PrimaryKeyConstraint("date_id", "player_id", name="pk_date_goers"),
        sa.ForeignKeyConstraint(["date_id"], ["club_dates.id"], name="fk_date_goers_date_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_date_goers_player_id"),
    )
    op.create_index("ix_date_goers_player_id", "date_goers", ["player_id"])


def downgrade() -> None:
    for name in ("date_goers", "club_dates", "notices"):
        op.drop_table(name)
