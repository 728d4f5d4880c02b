"""SQL statements for access to tables: public tables, and a table's password."""

from typing import Any

from sqlalchemy import Connection, bindparam, select

from kaboom.db.fast_path import rows
from kaboom.tables.models import tables

_listed: Any = (
    select(tables.c.code)
    .where(tables.c.listed, tables.c.touched_at > bindparam("since"))
    .order_by(tables.c.created_at.desc(), tables.c.id.desc())
    .limit(bindparam("most"))
    .offset(bindparam("skip"))
)
_password = select(tables.c.id, tables.c.password).where(tables.c.code == bindparam("code"))


def listed(connection: Connection, since: float, most: int, skip: int) -> list[str]:
    """Return the codes of public tables changed since `since`, newest table first."""
    values = {"since": since, "most": most, "skip": skip}
    return [row[0] for row in rows(connection, _listed, values)]


def password(connection: Connection, code: str) -> tuple[int, str] | None:
    """Return a table's id and password hash (empty if it has no password), or None."""
    row = connection.execute(_password, {"code": code}).first()
    return None if row is None else (row[0], row[1])
