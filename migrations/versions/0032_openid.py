"""Identities from OpenID providers."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "openid_identities",
        sa.Column("identity_hash", sa.String(64), nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("made_day", sa.Integer, nullable=False),
        sa.Column("used_day", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("identity_hash", name="pk_openid_identities"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name="fk_openid_identities_player_id"
        ),
    )
    op.create_index("ix_openid_identities_player_id", "openid_identities", ["player_id"])


def downgrade() -> None:
    op.drop_table("openid_identities")
