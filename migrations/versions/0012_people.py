"""Friends, friend requests, blocks, and reports to the server's host."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "friends",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("friend_id", Id, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "friend_id", name="pk_friends"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_friends_player_id"),
        sa.ForeignKeyConstraint(["friend_id"], ["players.id"], name="fk_friends_friend_id"),
    )
    op.create_index("ix_friends_friend_id", "friends", ["friend_id"])
    for name in ("asks", "blocks"):
        op.create_table(
            name,
            sa.Column("from_id", Id, nullable=False),
            sa.Column("to_id", Id, nullable=False),
            sa.Column("at", sa.Float, nullable=False),
            sa.PrimaryKeyConstraint("from_id", "to_id", name=f"pk_{name}"),
            sa.ForeignKeyConstraint(["from_id"], ["players.id"], name=f"fk_{name}_from_id"),
            sa.ForeignKeyConstraint(["to_id"], ["players.id"], name=f"fk_{name}_to_id"),
        )
        op.create_index(f"ix_{name}_to_id", name, ["to_id"])
    op.create_table(
        "reports",
        sa.Column("id", Id, nullable=False),
        sa.Column("by_id", Id),
        sa.Column("about_id", Id),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("reason", sa.String(16), nullable=False),
        sa.Column("evidence", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
        sa.ForeignKeyConstraint(["by_id"], ["players.id"], name="fk_reports_by_id"),
        sa.ForeignKeyConstraint(["about_id"], ["players.id"], name="fk_reports_about_id"),
    )
    op.create_index("ix_reports_at", "reports", ["at"])
    op.create_index("ix_reports_by_id", "reports", ["by_id", "at"])
    op.create_index("ix_reports_about_id", "reports", ["about_id"])


def downgrade() -> None:
    for name in ("reports", "blocks", "asks", "friends"):
        op.drop_table(name)
