"""The host's pages: hosts, their acts, sanctions, notices."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "server_hosts",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_server_hosts"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_server_hosts_player_id"),
    )
    op.create_table(
        "host_acts",
        sa.Column("id", Id, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("host", sa.String(80), nullable=False),
        sa.Column("act", sa.String(24), nullable=False),
        sa.Column("about", sa.String(120), nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_host_acts"),
    )
    op.create_table(
        "sanctions",
        sa.Column("id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
        sa.Column("read", sa.Boolean, nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sanctions"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_sanctions_player_id"),
    )
    op.create_index("ix_sanctions_player_id", "sanctions", ["player_id"])
    op.create_index("ix_sanctions_until", "sanctions", ["until"])
    op.create_table(
        "keys_set_aside",
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("device", sa.String(40), nullable=False),
        sa.Column("made_day", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key_hash", name="pk_keys_set_aside"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_keys_set_aside_player_id"),
    )
    op.create_index("ix_keys_set_aside_player_id", "keys_set_aside", ["player_id"])
    op.create_table(
        "server_notices",
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("kind", name="pk_server_notices"),
    )


def downgrade() -> None:
    for name in ("server_notices", "keys_set_aside", "sanctions", "host_acts", "server_hosts"):
        op.drop_table(name)
