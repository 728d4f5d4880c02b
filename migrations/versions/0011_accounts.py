"""Credentials for signing in on another device, and one-use secrets."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("handle", sa.String(80), nullable=False),
        sa.Column("look", sa.String(80)),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("words_hash", sa.String(64)),
        sa.Column("present", sa.Boolean, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_accounts"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_accounts_player_id"),
        sa.UniqueConstraint("look", name="uq_accounts_look"),
        sa.UniqueConstraint("words_hash", name="uq_accounts_words_hash"),
    )
    op.create_table(
        "passkeys",
        sa.Column("credential", sa.String(1400), nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("made_day", sa.Integer, nullable=False),
        sa.Column("used_day", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("credential", name="pk_passkeys"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_passkeys_player_id"),
    )
    op.create_index("ix_passkeys_player_id", "passkeys", ["player_id"])
    op.create_table(
        "offers",
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("player_id", Id),
        sa.Column("about", sa.LargeBinary, nullable=False),
        sa.Column("expires_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("secret_hash", name="pk_offers"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_offers_player_id"),
    )
    op.create_index("ix_offers_player_id", "offers", ["player_id"])
    op.create_index("ix_offers_expires_at", "offers", ["expires_at"])


def downgrade() -> None:
    for name in ("offers", "passkeys", "accounts"):
        op.drop_table(name)
