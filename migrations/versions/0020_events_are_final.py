"""Events of a tournament cannot be edited."""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

SAID = "the log of a tournament is append-only"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER events_are_final BEFORE UPDATE ON tournament_events "
            f"BEGIN SELECT RAISE(ABORT, '{SAID}'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION events_are_final() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{SAID}'; END $$"
    )
    op.execute(
        "CREATE TRIGGER events_are_final BEFORE UPDATE ON tournament_events "
        "FOR EACH ROW EXECUTE FUNCTION events_are_final()"
    )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER events_are_final")
        return
    op.execute("DROP TRIGGER events_are_final ON tournament_events")
    op.execute("DROP FUNCTION events_are_final")
