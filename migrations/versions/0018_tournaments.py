"""Tournaments, their events, entrants and tables."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", Id, nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("host_id", Id),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("names", sa.Integer, nullable=False),
        sa.Column("due_at", sa.Float),
        sa.Column("ended", sa.Boolean, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.ForeignKeyConstraint(["host_id"], ["players.id"], name="fk_tournaments_host_id"),
        sa.UniqueConstraint("code", name="uq_tournaments_code"),
    )
    op.create_index("ix_tournaments_due_at", "tournaments", ["due_at"])
    op.create_index("ix_tournaments_host_id", "tournaments", ["host_id"])
    op.create_index("ix_tournaments_listed", "tournaments", ["listed", "created_at"])
    op.create_table(
        "tournament_events",
        sa.Column("tournament_id", Id, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "seq", name="pk_tournament_events"),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_tournament_events_tournament_id"
        ),
    )
    op.create_table(
        "entrants",
        sa.Column("tournament_id", Id, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("player_id", Id),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("cut", sa.String(80), nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_entrants"),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_entrants_tournament_id"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_entrants_player_id"),
        sa.UniqueConstraint("tournament_id", "player_id", name="uq_entrants_tournament_id"),
    )
    op.create_index("ix_entrants_player_id", "entrants", ["player_id"])
    op.create_table(
        "pods",
        sa.Column("id", Id, nullable=False),
        sa.Column("tournament_id", Id, nullable=False),
        sa.Column("pairing", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("table_id", Id),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("result", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_pods"),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_pods_tournament_id"
        ),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_pods_table_id"),
        sa.UniqueConstraint("table_id", name="uq_pods_table_id"),
        sa.UniqueConstraint("tournament_id", "pairing", "number", name="uq_pods_tournament_id"),
    )
    op.create_index("ix_pods_state", "pods", ["state"])


def downgrade() -> None:
    for name in ("pods", "entrants", "tournament_events", "tournaments"):
        op.drop_table(name)
