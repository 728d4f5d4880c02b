"""Bring a database to the newest schema (migrations/, by Alembic)."""

from typing import TYPE_CHECKING

from kaboom.settings import ROOT

# A server does without Alembic: it takes a tenth of a start, and is loaded where one migrates.
if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = ROOT / "migrations"


def config(url: str, secret_key: str = "") -> "Config":
    """Return Alembic's configuration for a database."""
    from alembic.config import Config

    made = Config()
    made.set_main_option("script_location", str(MIGRATIONS))
    made.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    made.attributes["secret_key"] = secret_key
    return made


def upgrade(url: str, secret_key: str = "", revision: str = "head") -> None:
    """Run every migration the database has not had yet."""
    from alembic import command

    command.upgrade(config(url, secret_key), revision)
