"""Alembic's environment: run by kaboom.db.migrate, or by `alembic` with the same settings."""

from contextlib import closing

from alembic import context
from sqlalchemy import text

from kaboom.db.database import Database
from kaboom.db.metadata import all_tables

ADVISORY_LOCK = 7_226_601  # one worker migrates, the others wait


def run() -> None:
    """Run the migrations inside one transaction."""
    url = context.config.get_main_option("sqlalchemy.url")
    assert url is not None
    database = Database(url, context.config.attributes.get("secret_key", ""))
    with closing(database), database._writer.begin() as connection:
        if not database.sqlite:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({ADVISORY_LOCK})"))
        context.configure(connection=connection, target_metadata=all_tables())
        context.run_migrations()


run()
