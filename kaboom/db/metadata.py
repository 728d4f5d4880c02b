"""The metadata to which the tables of all rooms belong. Each room describes its tables in its
models.py.

Whatever reveals cards is encrypted (kaboom.db.encryption). Times are seconds since 1970; table time
excludes periods when no server ran (kaboom.tables.clock.table_time).
docs/decisions/0003-core-statements.md says why there is no ORM.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

from sqlalchemy import BigInteger, Integer, MetaData

from kaboom.config import PACKAGE
from kaboom.features import FEATURES

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Id = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows only by an INTEGER key


@cache
def all_tables() -> MetaData:
    """Return the metadata with the tables of every room, importing those not yet loaded."""
    for room in ("db", "web", *FEATURES):
        for path in sorted((PACKAGE / room).rglob("models.py")):
            import_module(_module(path))
    return metadata


def _module(path: Path) -> str:
    """Return the name of the module in a file."""
    return ".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts))
