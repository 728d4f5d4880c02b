"""Executes the most frequent small statements directly with the database driver.

SQLAlchemy builds the statements and translates the errors; its other work on each execution takes
three times as long as SQLite's.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Dialect, Executable
from sqlalchemy.exc import DBAPIError

from kaboom.db import traces


def rows(connection: Connection, statement: Executable, values: Mapping[str, Any]) -> Sequence[Any]:
    """Return the rows that a statement yields, as tuples of the driver's own values.

    Raises the same errors as SQLAlchemy.
    """
    return _executed(connection, statement, values, reads=True)


def change(connection: Connection, statement: Executable, values: Mapping[str, Any]) -> None:
    """Execute a statement that returns no rows. It sets the columns that `values` names.

    Raises the same errors as SQLAlchemy.
    """
    _executed(connection, statement, values, reads=False)


def _executed(
    connection: Connection, statement: Executable, values: Mapping[str, Any], reads: bool
) -> Sequence[Any]:
    dialect: Any = connection.dialect
    text, names, fixed = _compiled(statement, dialect, tuple(values))
    given = {**fixed, **values}
    cursor = connection.connection.cursor()
    try:
        with traces.statement(text):
            cursor.execute(text, given if names is None else [given[name] for name in names])
        found: Sequence[Any] = cursor.fetchall() if reads else ()
        return found
    except dialect.dbapi.Error as error:
        if dialect.is_disconnect(error, connection.connection.dbapi_connection, cursor):
            # SQLAlchemy will meet the same error, and knows what it means for all connections.
            connection.execute(statement, dict(values))
        hidden = connection.engine.hide_parameters
        raise DBAPIError.instance(
            text, given, error, dialect.dbapi.Error, hidden, dialect=dialect
        ) from error
    finally:
        cursor.close()


@cache
def _compiled(
    statement: Any, dialect: Dialect, columns: tuple[str, ...]
) -> tuple[str, Sequence[str] | None, Mapping[str, Any]]:
    """Return the SQL of a statement, the names of its values in order (None: passed by name), and
    its fixed values.
    """
    made = statement.compile(dialect=dialect, column_keys=columns)
    return made.string, made.positiontup if made.positional else None, made.params
