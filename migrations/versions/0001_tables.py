"""Players, tables, matches and the append-only move log."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", Id, nullable=False),
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("key_hash", name="uq_players_key_hash"),
    )
    op.create_table(
        "tables",
        sa.Column("id", Id, nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("match_id", Id, nullable=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("due_at", sa.Float, nullable=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("touched_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.UniqueConstraint("code", name="uq_tables_code"),
    )
    op.create_index("ix_tables_due_at", "tables", ["due_at"])
    op.create_table(
        "matches",
        sa.Column("id", Id, nullable=False),
        sa.Column("table_id", Id, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("game_version", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("names", sa.Text, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("started_at", sa.Float, nullable=False),
        sa.Column("ended_at", sa.Float, nullable=True),
        sa.Column("outcome", sa.Text, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_matches_table_id"),
        sa.UniqueConstraint("table_id", "number", name="uq_matches_table_id"),
    )
    op.create_table(
        "moves",
        sa.Column("match_id", Id, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("cmd", sa.String(64), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seq", name="pk_moves"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_moves_match_id"),
        sa.UniqueConstraint("match_id", "cmd", name="uq_moves_match_id"),
    )
    op.create_table(
        "sittings",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("table_id", Id, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "table_id", name="pk_sittings"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_sittings_player_id"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_sittings_table_id"),
    )
    _forbid_changes_of_the_log()


def _forbid_changes_of_the_log() -> None:
    """A logged move is never edited, not even by mistake."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER moves_are_final BEFORE UPDATE ON moves "
            "BEGIN SELECT RAISE(ABORT, 'the move log is append-only'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION moves_are_final() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the move log is append-only'; END $$"
    )
    op.execute(
        "CREATE TRIGGER moves_are_final BEFORE UPDATE ON moves "
        "FOR EACH ROW EXECUTE FUNCTION moves_are_final()"
    )


def downgrade() -> None:
    for name in ("sittings", "moves", "matches", "tables", "players"):
        op.drop_table(name)
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION moves_are_final")
