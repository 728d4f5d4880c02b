"""SQL statements for seat transfers."""

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select

from kaboom.lobby.models import seat_transfers


class TransferRow(NamedTuple):
    """A one-use link: its table, the player who hands the seat over, and when it expires."""

    table_id: int
    player_id: int
    expires_at: float


_add = insert(seat_transfers)
_transfer = select(
    seat_transfers.c.table_id, seat_transfers.c.player_id, seat_transfers.c.expires_at
).where(seat_transfers.c.secret_hash == bindparam("secret"))
_use = delete(seat_transfers).where(seat_transfers.c.secret_hash == bindparam("secret"))
_drop_expired = delete(seat_transfers).where(seat_transfers.c.expires_at < bindparam("now"))
_drop_of_table = delete(seat_transfers).where(seat_transfers.c.table_id == bindparam("gone"))


def add_transfer(connection: Connection, secret_hash: str, now: float, row: TransferRow) -> None:
    """Store a one-use link; expired links are deleted."""
    connection.execute(_drop_expired, {"now": now})
    connection.execute(_add, {"secret_hash": secret_hash, **row._asdict()})


def find_transfer(connection: Connection, secret_hash: str) -> TransferRow | None:
    """Return the one-use link with that secret's hash, expired or not, or None."""
    row = connection.execute(_transfer, {"secret": secret_hash}).first()
    return None if row is None else TransferRow(*row)


def use_transfer(connection: Connection, secret_hash: str) -> bool:
    """Delete a one-use link when it is used; return False if it was used before."""
    return bool(connection.execute(_use, {"secret": secret_hash}).rowcount)


def drop_of_table(connection: Connection, table_id: int) -> None:
    """Delete the links of a table that is being deleted."""
    connection.execute(_drop_of_table, {"gone": table_id})
