"""Shared reviews: reviews, participants, remarks."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("id", Id, nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("match_id", Id, nullable=False),
        sa.Column("by_id", Id),
        sa.Column("leader_id", Id),
        sa.Column("asks_id", Id),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("eyes", sa.String(8), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reviews"),
        sa.UniqueConstraint("code", name="uq_reviews_code"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_reviews_match_id"),
        sa.ForeignKeyConstraint(["by_id"], ["players.id"], name="fk_reviews_by_id"),
        sa.ForeignKeyConstraint(["leader_id"], ["players.id"], name="fk_reviews_leader_id"),
        sa.ForeignKeyConstraint(["asks_id"], ["players.id"], name="fk_reviews_asks_id"),
    )
    for column in ("match_id", "by_id", "leader_id", "asks_id"):
        op.create_index(f"ix_reviews_{column}", "reviews", [column])
    op.create_table(
        "review_members",
        sa.Column("review_id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("joined_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("review_id", "player_id", name="pk_review_members"),
        sa.ForeignKeyConstraint(["review_id"], ["reviews.id"], name="fk_review_members_review_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_review_members_player_id"),
    )
    op.create_index("ix_review_members_player_id", "review_members", ["player_id"])
    op.create_table(
        "remarks",
        sa.Column("id", Id, nullable=False),
        sa.Column("review_id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("eyes", sa.String(8), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_remarks"),
        sa.ForeignKeyConstraint(["review_id"], ["reviews.id"], name="fk_remarks_review_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_remarks_player_id"),
    )
    op.create_index("ix_remarks_review_id", "remarks", ["review_id", "id"])
    op.create_index("ix_remarks_player_id", "remarks", ["player_id"])


def downgrade() -> None:
    op.drop_table("remarks")
    op.drop_table("review_members")
    op.drop_table("reviews")
