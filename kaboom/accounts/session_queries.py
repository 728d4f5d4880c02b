"""Statements for the devices one player is known on: each has a key of its own."""

import secrets
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, select, update

from kaboom.accounts.player_queries import NO_KEY
from kaboom.db.models import keys, players, sittings, tables


class DeviceRow(NamedTuple):
    """A browser somebody is known by. Days are counted since 1970."""

    key_hash: str
    device: str
    made_day: int
    seen_day: int


_of_player = (
    select(*(keys.c[name] for name in DeviceRow._fields))
    .where(keys.c.player_id == bindparam("player"))
    .order_by(keys.c.seen_day.desc(), keys.c.made_day.desc(), keys.c.key_hash)
)
_this = keys.c.key_hash == bindparam("key")
_known = select(keys.c.seen_day, keys.c.device).where(_this)
_seen = update(keys).where(_this).values(seen_day=bindparam("day"), device=bindparam("called"))
_call = update(keys).where(_this).values(device=bindparam("called"))
_out = delete(keys).where(_this)
_all_out = delete(keys).where(keys.c.player_id == bindparam("player"))
_old_key = (
    update(players).where(players.c.key_hash == bindparam("key")).values(key_hash=bindparam("none"))
)
_old_key_of = (
    update(players).where(players.c.id == bindparam("player")).values(key_hash=bindparam("none"))
)
_codes = (
    select(tables.c.code)
    .join(sittings, sittings.c.table_id == tables.c.id)
    .where(sittings.c.player_id == bindparam("player"))
)


def no_key() -> str:
    """Return what stands where a key was: nobody has it, but keys for programs lead through it."""
    return f"{NO_KEY}{secrets.token_hex(31)}"


def of_player(connection: Connection, player: int) -> Sequence[DeviceRow]:
    """Return a player's devices, the last seen first."""
    return [DeviceRow(*row) for row in connection.execute(_of_player, {"player": player})]


def seen(connection: Connection, key_hash: str, day: int, device: str) -> None:
    """Note that a browser was seen on a day; `device` is what it is called unless it has a name."""
    known = connection.execute(_known, {"key": key_hash}).first()
    if known is not None and (known[0] < day or not known[1]):
        called = known[1] or device
        connection.execute(_seen, {"key": key_hash, "day": day, "called": called})


def call(connection: Connection, key_hash: str, device: str) -> None:
    """Give a device a name."""
    connection.execute(_call, {"key": key_hash, "called": device})


def sign_out(connection: Connection, key_hash: str, no_key: str) -> None:
    """Let a key lead to nobody, for servers of the last version, too; `no_key` is nobody's."""
    connection.execute(_out, {"key": key_hash})
    connection.execute(_old_key, {"key": key_hash, "none": no_key})


def sign_all_out(connection: Connection, player: int, no_key: str) -> None:
    """Let none of a player's keys lead to anybody."""
    connection.execute(_all_out, {"player": player})
    connection.execute(_old_key_of, {"player": player, "none": no_key})


def tables_of(connection: Connection, player: int) -> Sequence[str]:
    """Return the codes of all tables a player sat at or was let in to."""
    return list(connection.execute(_codes, {"player": player}).scalars())
