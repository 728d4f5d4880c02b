"""Brings a database to the latest schema (migrations/, with Alembic): `kaboom migrate` and
`python app.py` call it; a server (kaboom.app) only refuses to start with an older schema.
"""

from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from kaboom.config import ROOT
from kaboom.db.database import busy_or_error

# A server does not load Alembic, which would take a tenth of its startup time: only migrations do.
if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = ROOT / "migrations"


class NotMigrated(RuntimeError):
    """A database that is older than this version; str() is a sentence for the host."""


def config(url: str, secret_key: str = "") -> "Config":
    """Return Alembic's configuration for a database."""
    from alembic.config import Config

    made = Config()
    made.set_main_option("script_location", str(MIGRATIONS))
    made.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    made.attributes["secret_key"] = secret_key
    return made


def upgrade(url: str, secret_key: str = "", revision: str = "head") -> None:
    """Run every migration that the database lacks; a database of a later version lacks none.

    Raises Unavailable if the database cannot be used.
    """
    from alembic import command
    from alembic.script.revision import ResolutionError
    from alembic.util import CommandError

    try:
        command.upgrade(config(url, secret_key), revision)
    except DBAPIError as error:
        raise busy_or_error(error) from error
    except CommandError as error:
        unknown = error.__cause__
        if not isinstance(unknown, ResolutionError) or str(unknown.argument) <= newest():
            raise


def schema(connection: Connection) -> str:
    """Return the number of a database's last migration; empty if it has none."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found or ""


def newest() -> str:
    """Return the number of the newest migration."""
    return max(path.name for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))[:4]


def missing(connection: Connection) -> str:
    """Return a sentence for the host if the database is older than this version, otherwise "".

    A newer database can be used as well, since migrations only add.
    """
    found, wanted = schema(connection), newest()
    if found >= wanted:
        return ""
    has = f"has had migrations up to {found}" if found else "has not been set up"
    return f"The database {has}, and this version needs {wanted}. Run `kaboom migrate` first."
