"""SQL statements for the API keys of players."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from kaboom.accounts.models import keys, program_keys
from kaboom.db.fast_path import rows


class KeyRow(NamedTuple):
    """A stored API key; times are in seconds since 1970."""

    key_hash: str
    player_id: int
    name: str
    scopes: str  # separated by spaces
    table_code: str  # empty: for any table
    made_at: float
    expires_at: float


class Owned(NamedTuple):
    """An API key's scopes, and the hash of one of its player's session keys."""

    player_hash: str
    scopes: str
    table_code: str


_hash = program_keys.c.key_hash == bindparam("of_hash")
_player = program_keys.c.player_id == bindparam("whose")
_alive = program_keys.c.expires_at > bindparam("now")
_add = insert(program_keys)
_owned = (
    select(func.min(keys.c.key_hash), program_keys.c.scopes, program_keys.c.table_code)
    .join(keys, keys.c.player_id == program_keys.c.player_id)
    .where(_hash, _alive)
    .group_by(program_keys.c.scopes, program_keys.c.table_code)
)
_of_player = (
    select(*(program_keys.c[name] for name in KeyRow._fields))
    .where(_player, _alive)
    .order_by(program_keys.c.made_at.desc(), program_keys.c.key_hash)
)
_alive_of = select(program_keys.c.key_hash).where(
    program_keys.c.key_hash.in_(bindparam("hashes")), _alive
)
_count = select(func.count()).where(_player, _alive)
_revoke = delete(program_keys).where(_player, _hash)
_drop_old = delete(program_keys).where(program_keys.c.expires_at <= bindparam("now"))


def add(connection: Connection, row: KeyRow) -> None:
    """Store an API key."""
    connection.execute(_add, row._asdict())


def owned(connection: Connection, key_hash: str, now: float) -> Owned | None:
    """Return the API key with that hash; None if it is unknown, revoked or expired, or if its
    player is signed out everywhere.
    """
    found = rows(connection, _owned, {"of_hash": key_hash, "now": now})
    return Owned(*found[0]) if found else None


def alive(connection: Connection, hashes: Collection[str], now: float) -> set[str]:
    """Return the hashes among these whose keys are neither revoked nor expired."""
    found = connection.execute(_alive_of, {"hashes": list(hashes), "now": now})
    return set(found.scalars())


def of_player(connection: Connection, player_id: int, now: float) -> Sequence[KeyRow]:
    """Return a player's valid keys, newest first."""
    found = connection.execute(_of_player, {"whose": player_id, "now": now})
    return [KeyRow(*row) for row in found]


def count(connection: Connection, player_id: int, now: float) -> int:
    """Return the number of valid keys of a player."""
    return connection.execute(_count, {"whose": player_id, "now": now}).scalar() or 0


def revoke(connection: Connection, player_id: int, key_hash: str) -> bool:
    """Revoke a player's key; return True if it existed."""
    return bool(connection.execute(_revoke, {"whose": player_id, "of_hash": key_hash}).rowcount)


def drop_old(connection: Connection, now: float) -> None:
    """Delete expired keys."""
    connection.execute(_drop_old, {"now": now})
