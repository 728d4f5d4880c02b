"""Bring a database to the newest schema (migrations/, by Alembic)."""

from alembic import command
from alembic.config import Config

from kaboom.settings import ROOT

MIGRATIONS = ROOT / "migrations"


def config(url: str, secret_key: str = "") -> Config:
    """Return Alembic's configuration for a database."""
    made = Config()
    made.set_main_option("script_location", str(MIGRATIONS))
    made.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    made.attributes["secret_key"] = secret_key
    return made


def upgrade(url: str, secret_key: str = "", revision: str = "head") -> None:
    """Run every migration the database has not had yet."""
    command.upgrade(config(url, secret_key), revision)
