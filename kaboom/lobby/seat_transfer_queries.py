"""Statements for seats that move to another device."""

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select

from kaboom.db.models import passes


class PassRow(NamedTuple):
    """A one-use link: which table it is for, whose seat it gives away, and until when."""

    table_id: int
    player_id: int
    expires_at: float


_add_pass = insert(passes)
_pass = select(passes.c.table_id, passes.c.player_id, passes.c.expires_at).where(
    passes.c.secret_hash == bindparam("secret")
)
_use_pass = delete(passes).where(passes.c.secret_hash == bindparam("secret"))
_drop_passes = delete(passes).where(passes.c.expires_at < bindparam("now"))


def add_pass(connection: Connection, secret_hash: str, now: float, row: PassRow) -> None:
    """Store a one-use link; links that are too old are deleted."""
    connection.execute(_drop_passes, {"now": now})
    connection.execute(_add_pass, {"secret_hash": secret_hash, **row._asdict()})


def find_pass(connection: Connection, secret_hash: str) -> PassRow | None:
    """Return the one-use link with that secret's hash, however old."""
    row = connection.execute(_pass, {"secret": secret_hash}).first()
    return None if row is None else PassRow(*row)


def use_pass(connection: Connection, secret_hash: str) -> bool:
    """Use a one-use link up; return whether it was still there."""
    return bool(connection.execute(_use_pass, {"secret": secret_hash}).rowcount)
