"""The whole database in one file and back, whichever of the two stores it is in.

The file is gzip of lines of JSON: a head, then each row as [table, column values], parents before
children. Bytes are written as {"b64": "…"}; what is sealed stays sealed, so the file is as secret
as the database and needs the same SECRET_KEY. One transaction reads it all: it is exact under load.
"""

import base64
import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, text

from kaboom.db.database import Database
from kaboom.db.key_check import all_locked
from kaboom.db.migrate import schema
from kaboom.db.models import metadata, pulse

# Rises when the file is written in another way. What it holds is told by its schema, the number of
# the last migration: of an older one columns are lacking that have defaults, and come last in their
# tables; of a newer one nothing is read. Up to 5 the format alone told of both.
FORMAT = "kaboom-backup/6"
READABLE = (FORMAT, *(f"kaboom-backup/{older}" for older in (5, 4, 3, 2)))
AT_ONCE = 500  # rows


class InvalidBackup(ValueError):
    """A file that cannot be restored; str() says why."""


def save(database: Database, file: Path, on_row: Callable[[int], None] = lambda rows: None) -> int:
    """Write a backup; return its number of rows. `on_row(so_far)` is called now and then."""
    whole = file.with_name(file.name + ".part")

    def work(connection: Connection) -> int:
        count = 0
        with gzip.open(whole, "wt", encoding="utf-8", compresslevel=6) as out:
            head = {"format": FORMAT, "schema": schema(connection), "rows": _rows(connection)}
            out.write(json.dumps(head) + "\n")
            for table in metadata.sorted_tables:
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
            error.filename = str(file)  # a write does not say which file it was
        raise
    return count


def load(database: Database, file: Path, on_row: Callable[[int], None] = lambda rows: None) -> int:
    """Fill an empty, migrated database from a backup; return the number of rows.

    All or nothing. Raises InvalidBackup if the file is not a backup, or of a later version of
    Kaboom, or sealed with another secret, or the database is not empty.
    """
    its = str(head(file).get("schema", ""))

    def work(connection: Connection) -> int:
        if its > (ours := schema(connection)):
            raise InvalidBackup(
                f"{file} is of a later version of Kaboom (its schema is {its}, ours {ours}):"
                " install that version, then restore."
            )
        connection.execute(delete(pulse))  # a server may have looked at the empty database
        if _rows(connection):
            raise InvalidBackup("The database is not empty: restore into a fresh one.")
        count = 0
        for name, rows in _batches(_lines(file)):
            table = metadata.tables.get(name)
            if table is None:
                raise InvalidBackup(f"There is no table {name}: the file is of another version.")
            columns = [column.name for column in table.columns]
            values = [dict(zip(columns[: len(row)], row, strict=True)) for row in rows]
            connection.execute(insert(table), values)
            count += len(rows)
            on_row(count)
        if all_locked(connection):
            raise InvalidBackup(
                f"{file} was sealed with another SECRET_KEY (or file .key beside the SQLite file):"
                " put that one here, then restore. Nothing was restored."
            )
        if not database.sqlite:
            _count_on(connection)
        return count

    return database.write(work)


def head(file: Path) -> dict[str, Any]:
    """Return what a backup says about itself; raises InvalidBackup."""
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            found: dict[str, Any] = json.loads(lines.readline())
    except (OSError, EOFError, ValueError) as error:
        raise InvalidBackup(f"{file} is no backup of Kaboom: {error}") from error
    if not isinstance(found, dict) or found.get("format") not in READABLE:
        raise InvalidBackup(f"{file} is not in the format {FORMAT}.")
    return found


def _lines(file: Path) -> Iterator[list[Any]]:
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            next(lines)  # its head
            for line in lines:
                row = json.loads(line)
                if row == "end":
                    return
                yield row
    except (OSError, EOFError, ValueError) as error:
        raise InvalidBackup(f"{file} is damaged: {error}") from error
    raise InvalidBackup(f"{file} is cut off.")


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
    """Return how many rows there are in all tables."""
    counts = (select(func.count()).select_from(table) for table in metadata.sorted_tables)
    return sum(connection.execute(count).scalar_one() for count in counts)


def _count_on(connection: Connection) -> None:
    """Let PostgreSQL's numbering continue after the highest number restored."""
    for table in metadata.sorted_tables:
        if "id" in table.columns:
            connection.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), "
                    f"(SELECT COALESCE(MAX(id), 0) + 1 FROM {table.name}), false)"
                )
            )
