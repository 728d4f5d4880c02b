"""Notification channels, the outbox, quiet hours, and the server's own keys.

Addresses in `sittings.webhook`, which are encrypted, become channels in migration 0021.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.add_column("sittings", sa.Column("snoozed_until", sa.Float))
    op.create_table(
        "ways",
        sa.Column("id", Id, primary_key=True),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("address", sa.LargeBinary, nullable=False),
        sa.Column("print", sa.String(64), nullable=False),
        sa.Column("table_id", Id),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.Column("checked_at", sa.Float),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("sent_at", sa.Float, nullable=False),
        sa.Column("secret_hash", sa.String(64)),
        sa.PrimaryKeyConstraint("id", name="pk_ways"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_ways_player_id"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_ways_table_id"),
        sa.UniqueConstraint("secret_hash", name="uq_ways_secret_hash"),
    )
    op.create_index("ix_ways_player_id", "ways", ["player_id"])
    op.create_index("ix_ways_print", "ways", ["print"])
    op.create_index("ix_ways_table_id", "ways", ["table_id"])
    op.create_table(
        "calls",
        sa.Column("way_id", Id, nullable=False),
        sa.Column("table_id", Id, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("due_at", sa.Float),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("leased_until", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("way_id", "table_id", "turn", name="pk_calls"),
        sa.ForeignKeyConstraint(["way_id"], ["ways.id"], name="fk_calls_way_id"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_calls_table_id"),
    )
    op.create_index("ix_calls_due_at", "calls", ["due_at"])
    op.create_index("ix_calls_table_id", "calls", ["table_id"])
    op.create_table(
        "call_settings",
        sa.Column("player_id", Id, autoincrement=False, nullable=False),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_to", sa.Integer),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("digest", sa.Integer, nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("base", sa.Text, nullable=False),
        sa.Column("feed_hash", sa.String(64)),
        sa.Column("feed", sa.LargeBinary),
        sa.PrimaryKeyConstraint("player_id", name="pk_call_settings"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_call_settings_player_id"),
        sa.UniqueConstraint("feed_hash", name="uq_call_settings_feed_hash"),
    )
    op.create_table(
        "server_keys",
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_server_keys"),
    )


def downgrade() -> None:
    for name in ("server_keys", "call_settings", "calls", "ways"):
        op.drop_table(name)
    op.drop_column("sittings", "snoozed_until")
