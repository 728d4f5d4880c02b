"""The few small reads that are done all day, by the database driver itself.

SQLAlchemy builds the statement; what it does besides at each execution costs three times what
SQLite needs to answer.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Dialect, Select


def rows(
    connection: Connection, statement: Select[Any], values: Mapping[str, Any]
) -> Sequence[Any]:
    """Return the rows of a statement as tuples of what the driver makes of them.

    Raises what SQLAlchemy raises.
    """
    text, names, fixed = _compiled(statement, connection.dialect)
    cursor = connection.connection.cursor()
    try:
        given = {**fixed, **values}
        cursor.execute(text, given if names is None else [given[name] for name in names])
        found: Sequence[Any] = cursor.fetchall()
        return found
    except Exception:  # whatever it was, SQLAlchemy knows what follows for the connection
        return connection.execute(statement, values).all()
    finally:
        cursor.close()


@cache
def _compiled(
    statement: Select[Any], dialect: Dialect
) -> tuple[str, Sequence[str] | None, Mapping[str, Any]]:
    """Return a statement as text, its values in order (None: by name), and those that are fixed."""
    made: Any = statement.compile(dialect=dialect)
    return made.string, made.positiontup if made.positional else None, made.params
