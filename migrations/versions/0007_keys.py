"""Keys for several browsers of one player; those in `players` are copied.

Old workers continue to read and write the first browser's key in `players`, where newer workers
look up keys that are missing here.
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "keys",
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("device", sa.String(40), nullable=False),
        sa.Column("made_day", sa.Integer, nullable=False),
        sa.Column("seen_day", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key_hash", name="pk_keys"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_keys_player_id"),
    )
    op.create_index("ix_keys_player_id", "keys", ["player_id"])
    op.execute(
        "INSERT INTO keys (key_hash, player_id, device, made_day, seen_day) "
        "SELECT key_hash, id, '', CAST(created_at / 86400 AS INTEGER), "
        "CAST((CASE WHEN acted_at > created_at THEN acted_at ELSE created_at END) / 86400 "
        "AS INTEGER) FROM players"
    )


def downgrade() -> None:
    op.drop_table("keys")
