"""Players' bots, called at an HTTPS URL."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "remote_bots",
        sa.Column("id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("address", sa.LargeBinary, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("shared", sa.Boolean, nullable=False),
        sa.Column("paused", sa.Boolean, nullable=False),
        sa.Column("checked_at", sa.Float),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_remote_bots"),
        sa.ForeignKeyConstraint(["owner_id"], ["players.id"], name="fk_remote_bots_owner_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_remote_bots_player_id"),
        sa.UniqueConstraint("player_id", name="uq_remote_bots_player_id"),
    )
    op.create_index("ix_remote_bots_owner_id", "remote_bots", ["owner_id"])
    op.create_table(
        "remote_bot_seats",
        sa.Column("bot_id", Id, nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("seen", sa.Integer, nullable=False),
        sa.Column("asked", sa.String(16), nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("leased_until", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("bot_id", "code", name="pk_remote_bot_seats"),
    )
    op.create_index("ix_remote_bot_seats_code", "remote_bot_seats", ["code"])
    op.create_table(
        "remote_bot_calls",
        sa.Column("id", Id, nullable=False),
        sa.Column("bot_id", Id, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("detail", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_remote_bot_calls"),
    )
    op.create_index("ix_remote_bot_calls_bot_id", "remote_bot_calls", ["bot_id", "id"])


def downgrade() -> None:
    for name in ("remote_bot_calls", "remote_bot_seats", "remote_bots"):
        op.drop_table(name)
