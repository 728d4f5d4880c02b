"""API keys, and the lifetime of stored answers."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "program_keys",
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column(
            "player_id",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            sa.ForeignKey("players.id", name="fk_program_keys_player_id"),
            nullable=False,
        ),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("scopes", sa.String(80), nullable=False),
        sa.Column("table_code", sa.String(16), nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.Column("expires_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("key_hash", name="pk_program_keys"),
    )
    op.create_index("ix_program_keys_player_id", "program_keys", ["player_id"])
    op.create_index("ix_program_keys_expires_at", "program_keys", ["expires_at"])
    op.add_column("commands", sa.Column("kept", sa.Float, nullable=False, server_default="600"))


def downgrade() -> None:
    op.drop_column("commands", "kept")
    op.drop_table("program_keys")
