"""Statements about the keys with which programs act for a player."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from kaboom.db.fast_path import rows
from kaboom.db.models import keys, program_keys


class KeyRow(NamedTuple):
    """A key as stored; times are seconds since 1970."""

    key_hash: str
    player_id: int
    name: str
    scopes: str  # with spaces between
    table_code: str  # empty: for any table
    made_at: float
    expires_at: float


class Owned(NamedTuple):
    """What a key is good for, and the hash of a key that a device of its player has."""

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
    """Store a new key."""
    connection.execute(_add, row._asdict())


def owned(connection: Connection, key_hash: str, now: float) -> Owned | None:
    """Return what the key with that hash is good for; None if it is unknown, revoked or expired, or
    its player is signed in nowhere.
    """
    found = rows(connection, _owned, {"of_hash": key_hash, "now": now})
    return Owned(*found[0]) if found else None


def alive(connection: Connection, hashes: Collection[str], now: float) -> set[str]:
    """Return those of the keys that are good now."""
    found = connection.execute(_alive_of, {"hashes": list(hashes), "now": now})
    return set(found.scalars())


def of_player(connection: Connection, player_id: int, now: float) -> Sequence[KeyRow]:
    """Return a player's keys that are good now, the newest first."""
    found = connection.execute(_of_player, {"whose": player_id, "now": now})
    return [KeyRow(*row) for row in found]


def count(connection: Connection, player_id: int, now: float) -> int:
    """Return how many keys of a player are good now."""
    return connection.execute(_count, {"whose": player_id, "now": now}).scalar() or 0


def revoke(connection: Connection, player_id: int, key_hash: str) -> bool:
    """End a key of a player; return whether there was one."""
    return bool(connection.execute(_revoke, {"whose": player_id, "of_hash": key_hash}).rowcount)


def drop_old(connection: Connection, now: float) -> None:
    """Delete keys that have expired."""
    connection.execute(_drop_old, {"now": now})
