"""Backup and restore of the whole database, in SQLite or PostgreSQL.

The file is gzip-compressed lines of JSON: a header, then each row as [table, column values],
parents before children. Bytes are written as {"b64": "…"}; what is encrypted stays encrypted, so
the file is as secret as the database and needs the same SECRET_KEY. A single transaction reads
everything, so a backup is consistent even under load.
"""

import base64
import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, func, insert, inspect, select, text

from kaboom.db.database import Database
from kaboom.db.key_check import all_locked
from kaboom.db.metadata import all_tables
from kaboom.db.migrate import schema

# Increases when the file's layout changes. The schema of its rows is identified by the number of
# the last migration: an older file lacks columns that have defaults and are last in their tables; a
# newer file is refused. Up to format 5, the format's number stood for both.
FORMAT = "kaboom-backup/6"
READABLE = (FORMAT, *(f"kaboom-backup/{older}" for older in (5, 4, 3, 2)))
AT_ONCE = 500  # rows


class InvalidBackup(ValueError):
    """A file that cannot be restored; str() says why."""


def save(database: Database, file: Path, on_row: Callable[[int], None] = lambda rows: None) -> int:
    """Write a backup; return its number of rows. `on_row(so_far)` is called after every AT_ONCE
    rows.
    """
    whole = file.with_name(file.name + ".part")

    def work(connection: Connection) -> int:
        count = 0
        with gzip.open(whole, "wt", encoding="utf-8", compresslevel=6) as out:
            head = {"format": FORMAT, "schema": schema(connection), "rows": _rows(connection)}
            out.write(json.dumps(head) + "\n")
            for table in all_tables().sorted_tables:
                statement = select(table).order_by(*table.primary_key)
                streamed = connection.execution_options(stream_results=True)
                with streamed.execute(statement) as rows:
                    for row in rows:
                        out.write(json.dumps([table.name, [_written(v) for v in row]]) + "\n")
                        count += 1
                        if count % AT_ONCE == 0:
                            on_row(count)
            out.write('"end"\n')
        return count

    try:
        count = database.read_one_moment(work)
        whole.replace(file)
    except BaseException as error:
        with suppress(OSError):
            whole.unlink()
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(file)  # errors while writing do not name the file
        raise
    return count


def load(database: Database, file: Path, on_row: Callable[[int], None] = lambda rows: None) -> int:
    """Fill an empty, migrated database from a backup, completely or not at all; return the number
    of rows. Raises InvalidBackup if the file is not a backup, comes from a later version of Kaboom
    or was encrypted with another secret, or if the database is not empty.
    """
    its = str(head(file).get("schema", ""))

    def work(connection: Connection) -> int:
        if its > (ours := schema(connection)):
            raise InvalidBackup(
                f"{file} is from a later version of Kaboom (its schema is {its}, ours {ours})."
                " Install that version, then restore."
            )
        # A server may have written a row when it started on the empty database.
        connection.execute(delete(all_tables().tables["pulse"]))
        if _rows(connection):
            raise InvalidBackup("The database is not empty. Restore into a new one.")
        count = 0
        for name, rows in _batches(_lines(file)):
            table = all_tables().tables.get(name)
            if table is None:
                raise InvalidBackup(
                    f"The database has no table {name}. The file is from another version."
                )
            columns = [column.name for column in table.columns]
            values = [dict(zip(columns[: len(row)], row, strict=True)) for row in rows]
            connection.execute(insert(table), values)
            count += len(rows)
            on_row(count)
        if all_locked(connection):
            raise InvalidBackup(
                f"{file} was encrypted with another SECRET_KEY (or another .key file beside the "
                "SQLite file). Restore that key first. Nothing was restored."
            )
        if not database.sqlite:
            _count_on(connection)
        return count

    return database.write(work)


def head(file: Path) -> dict[str, Any]:
    """Return the header of a backup; raises InvalidBackup."""
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            found: dict[str, Any] = json.loads(lines.readline())
    except (OSError, EOFError, ValueError) as error:
        raise InvalidBackup(f"{file} cannot be read as a Kaboom backup: {error}") from error
    if not isinstance(found, dict) or found.get("format") not in READABLE:
        raise InvalidBackup(
            f"{file} is not in the format {FORMAT}, nor in an older one back to {READABLE[-1]}."
        )
    return found


def _lines(file: Path) -> Iterator[list[Any]]:
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            next(lines)  # the header
            for line in lines:
                row = json.loads(line)
                if row == "end":
                    return
                yield row
    except (OSError, EOFError, ValueError) as error:
        raise InvalidBackup(f"{file} is damaged: {error}") from error
    raise InvalidBackup(f"{file} is incomplete.")


def _batches(lines: Iterable[list[Any]]) -> Iterator[tuple[str, list[list[Any]]]]:
    """Yield rows of one table in batches."""
    name = ""
    rows: list[list[Any]] = []
    for found, values in lines:
        if rows and (found != name or len(rows) == AT_ONCE):
            yield name, rows
            rows = []
        name = found
        rows.append([_read(value) for value in values])
    if rows:
        yield name, rows


def _written(value: Any) -> Any:
    return {"b64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _read(value: Any) -> Any:
    return base64.b64decode(value["b64"]) if isinstance(value, dict) else value


def _rows(connection: Connection) -> int:
    """Return the number of rows in all tables."""
    there = {*inspect(connection).get_table_names()}  # an older schema has fewer
    counts = (
        select(func.count()).select_from(table)
        for table in all_tables().sorted_tables
        if table.name in there
    )
    return sum(connection.execute(count).scalar_one() for count in counts)


def _count_on(connection: Connection) -> None:
    """Let PostgreSQL's sequences continue after the highest restored id."""
    there = {*inspect(connection).get_table_names()}
    for table in all_tables().sorted_tables:
        if "id" in table.columns and table.name in there:
            connection.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), "
                    f"(SELECT COALESCE(MAX(id), 0) + 1 FROM {table.name}), false)"
                )
            )
