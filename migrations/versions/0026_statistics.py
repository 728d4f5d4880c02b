"""Each player's results of finished matches, and public pages."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

Id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
STRENGTH = ("easy", "normal", "hard")


def upgrade() -> None:
    results = op.create_table(
        "results",
        sa.Column("match_id", Id, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player_id", Id, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("board", sa.String(64), nullable=False),
        sa.Column("began_at", sa.Float, nullable=False),
        sa.Column("ended_at", sa.Float, nullable=False),
        sa.Column("rivals", sa.String(8), nullable=False),
        sa.Column("place", sa.Integer),
        sa.Column("points", sa.Float),
        sa.Column("perfect", sa.Boolean, nullable=False),
        sa.Column("decisions", sa.Integer),
        sa.Column("seconds", sa.Float),
        sa.PrimaryKeyConstraint("match_id", "seat", name="pk_results"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_results_match_id"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_results_player_id"),
    )
    op.create_index("ix_results_player_id", "results", ["player_id", "game", "ended_at", "place"])
    op.create_index("ix_results_board", "results", ["player_id", "board"])
    op.create_table(
        "public_pages",
        sa.Column("player_id", Id, nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("shows", sa.String(80), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_public_pages"),
        sa.UniqueConstraint("code", name="uq_public_pages_code"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_public_pages_player_id"),
    )
    _fill(results)


def _fill(results: sa.Table) -> None:
    """Add the existing matches, whose decision times are unknown."""
    connection, last = op.get_bind(), 0
    matches = sa.table(
        "matches",
        *map(sa.column, ("id", "game", "board", "started_at", "ended_at", "outcome", "levels")),
        sa.column("origin"),
    )
    parts = sa.table("parts", *map(sa.column, ("match_id", "seat", "player_id", "place")))
    while True:
        found = connection.execute(
            sa.select(matches)
            .where(matches.c.id > last, matches.c.ended_at.is_not(None), matches.c.origin.is_(None))
            .order_by(matches.c.id)
            .limit(500)
        ).all()
        if not found:
            return
        last = found[-1].id
        played: dict[int, list[sa.Row]] = {}
        for row in connection.execute(
            sa.select(parts).where(parts.c.match_id.in_([it.id for it in found]))
        ):
            played.setdefault(row.match_id, []).append(row)
        rows = [
            _row(match, part, {it.player_id for it in played[match.id]})
            for match in found
            for part in played.get(match.id, ())
        ]
        if rows:
            connection.execute(sa.insert(results), rows)


def _row(match: sa.Row, part: sa.Row, people: set[int]) -> dict[str, object]:
    outcome, levels = json.loads(match.outcome), json.loads(match.levels or "[]")
    bots = [STRENGTH.index(it) for it in levels if it in STRENGTH]
    rivals = "people" if len(people) > 1 or not bots else STRENGTH[max(bots)]
    scores = outcome.get("scores") or []
    scored = part.seat < len(scores) and outcome.get("reason", "won") != "stopped"
    return {
        "match_id": match.id,
        "seat": part.seat,
        "player_id": part.player_id,
        "game": match.game,
        "board": match.board,
        "began_at": match.started_at,
        "ended_at": match.ended_at,
        "rivals": rivals,
        "place": part.place,
        "points": scores[part.seat] if scored else None,
        "perfect": False,
        "decisions": None,
        "seconds": None,
    }


def downgrade() -> None:
    op.drop_table("public_pages")
    op.drop_table("results")
