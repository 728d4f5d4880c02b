"""Encrypt game state; add records, cuts, chat, mutes, transfers, passwords, the lobby.

The four changed tables are read, recreated and refilled, because SQLite cannot alter a column.
"""

import base64
import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from kaboom.db.ids import new_code
from kaboom.engine.fairness.commitment import commitment, new_seed
from kaboom.engine.fairness.hash_chain import linked

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
OLD = ("sittings", "moves", "matches", "tables")  # tables with foreign keys first


def upgrade() -> None:
    bind = op.get_bind()
    old = {name: _rows(bind, name) for name in OLD}
    for name in OLD:
        op.drop_table(name)
    _create()
    seal = bind.info["cipher"]
    codes = {row["id"]: new_code() for row in old["matches"]}
    chains = {row["id"]: commitment(bytes(row["seed"])) for row in old["matches"]}
    moves = list(_moves(old["matches"], old["moves"], chains, seal))
    _fill("tables", [_table(row, codes, chains, seal) for row in old["tables"]])
    _fill("matches", [_match(row, codes, seal) for row in old["matches"]])
    _fill("moves", moves)
    _fill(
        "sittings", [{**row, "sat": True, "webhook": "", "failures": 0} for row in old["sittings"]]
    )
    if bind.dialect.name != "sqlite":
        for name in ("tables", "matches"):
            op.execute(
                f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), "
                f"(SELECT COALESCE(MAX(id), 0) + 1 FROM {name}), false)"
            )
    _forbid_changes_of_the_log()


def _rows(bind: sa.Connection, name: str) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in bind.execute(sa.text(f"SELECT * FROM {name}"))]


def _create() -> None:
    op.create_table(
        "tables",
        sa.Column("id", Id, nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("match_id", Id, nullable=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("due_at", sa.Float, nullable=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("talk", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("touched_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.UniqueConstraint("code", name="uq_tables_code"),
    )
    op.create_index("ix_tables_due_at", "tables", ["due_at"])
    op.create_index("ix_tables_listed", "tables", ["listed", "touched_at"])
    op.create_index("ix_tables_touched_at", "tables", ["touched_at"])
    op.create_table(
        "matches",
        sa.Column("id", Id, nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("table_id", Id, nullable=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("game_version", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("names", sa.Text, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("cuts", sa.Text, nullable=False),
        sa.Column("started_at", sa.Float, nullable=False),
        sa.Column("ended_at", sa.Float, nullable=True),
        sa.Column("outcome", sa.Text, nullable=True),
        sa.Column("digest", sa.String(64), nullable=True),
        sa.Column("hidden", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_matches_table_id"),
        sa.UniqueConstraint("code", name="uq_matches_code"),
        sa.UniqueConstraint("table_id", "number", name="uq_matches_table_id"),
    )
    op.create_index("ix_matches_ended_at", "matches", ["ended_at"])
    op.create_table(
        "moves",
        sa.Column("match_id", Id, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("cmd", sa.String(64), nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
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
        sa.Column("sat", sa.Boolean, nullable=False),
        sa.Column("webhook", sa.Text, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "table_id", name="pk_sittings"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_sittings_player_id"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_sittings_table_id"),
    )
    op.create_table(
        "parts",
        sa.Column("match_id", Id, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("place", sa.Integer, nullable=True),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_parts"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_parts_match_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_parts_player_id"),
    )
    op.create_index("ix_parts_player_id", "parts", ["player_id"])
    op.create_table(
        "imports",
        sa.Column("code", sa.String(24), nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.Column("expires_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("code", name="pk_imports"),
    )
    op.create_index("ix_imports_expires_at", "imports", ["expires_at"])
    op.create_table(
        "lines",
        sa.Column("id", Id, nullable=False),
        sa.Column("table_id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("phrase", sa.String(16), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("match", sa.Integer, nullable=False),
        sa.Column("watcher", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_lines"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_lines_table_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_lines_player_id"),
    )
    op.create_index("ix_lines_table_id", "lines", ["table_id", "id"])
    op.create_table(
        "mutes",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("muted_id", Id, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "muted_id", name="pk_mutes"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_mutes_player_id"),
        sa.ForeignKeyConstraint(["muted_id"], ["players.id"], name="fk_mutes_muted_id"),
    )
    op.create_table(
        "passes",
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("table_id", Id, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("expires_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("secret_hash", name="pk_passes"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_passes_table_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_passes_player_id"),
    )


def _fill(name: str, rows: list[dict[str, Any]]) -> None:
    if rows:
        op.bulk_insert(sa.table(name, *(sa.column(key) for key in rows[0])), rows)


def _table(
    row: dict[str, Any], codes: dict[int, str], chains: dict[int, str], seal: Any
) -> dict[str, Any]:
    table = json.loads(row["body"])
    table["next_seed"] = base64.b64encode(new_seed()).decode()
    if row["match_id"] is not None:
        table["record"], table["chain"] = codes[row["match_id"]], chains[row["match_id"]]
    body = seal.encrypt(json.dumps(table, separators=(",", ":")).encode(), "table")
    return {**row, "body": body, "listed": False, "password": "", "talk": 0}


def _match(row: dict[str, Any], codes: dict[int, str], seal: Any) -> dict[str, Any]:
    seed = seal.encrypt(bytes(row["seed"]), "seed")
    more = {"cuts": "[]", "digest": None, "hidden": False}
    return {**row, **more, "code": codes[row["id"]], "seed": seed}


def _moves(
    matches: list[dict[str, Any]],
    moves: list[dict[str, Any]],
    chains: dict[int, str],
    seal: Any,
) -> Iterator[dict[str, Any]]:
    """Yield the log with each text encrypted; leave in `chains` the last link of each match."""
    seeds = {row["id"]: bytes(row["seed"]) for row in matches}
    for row in sorted(moves, key=lambda row: (row["match_id"], row["seq"])):
        match = row["match_id"]
        chains[match] = linked(
            seeds[match], chains[match], row["seq"], row["cmd"], row["text"], row["at"]
        )
        text = seal.encrypt(row["text"].encode(), "move")
        yield {**row, "text": text, "chain": chains[match]}


def _forbid_changes_of_the_log() -> None:
    """A logged move is never edited, not even by mistake."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER moves_are_final BEFORE UPDATE ON moves "
            "BEGIN SELECT RAISE(ABORT, 'the move log is append-only'); END"
        )
        return
    op.execute(
        "CREATE TRIGGER moves_are_final BEFORE UPDATE ON moves "
        "FOR EACH ROW EXECUTE FUNCTION moves_are_final()"
    )


def downgrade() -> None:
    raise NotImplementedError("encryption cannot be undone: restore a backup instead")
