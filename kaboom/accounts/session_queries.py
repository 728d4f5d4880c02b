"""SQL statements for a player's devices. Each has a session key of its own."""

import secrets
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, select, update

from kaboom.accounts.models import keys, players
from kaboom.accounts.player_queries import NO_KEY, add_key


class DeviceRow(NamedTuple):
    """A browser on which a player is signed in. Days are counted since 1970."""

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


def of_player(connection: Connection, player: int) -> Sequence[DeviceRow]:
    """Return a player's devices, most recently seen first."""
    return [DeviceRow(*row) for row in connection.execute(_of_player, {"player": player})]


def seen(connection: Connection, key_hash: str, day: int, device: str) -> None:
    """Record that a browser was seen on a day; `device` is its default name."""
    known = connection.execute(_known, {"key": key_hash}).first()
    if known is not None and (known[0] < day or not known[1]):
        called = known[1] or device
        connection.execute(_seen, {"key": key_hash, "day": day, "called": called})


def call(connection: Connection, key_hash: str, device: str) -> None:
    """Rename a device."""
    connection.execute(_call, {"key": key_hash, "called": device})


def sign_out(connection: Connection, key_hash: str) -> None:
    """Remove a session key from its player. An unknown key changes nothing."""
    connection.execute(_out, {"key": key_hash})
    connection.execute(_old_key, {"key": key_hash, "none": _no_key()})


def sign_all_out(connection: Connection, player: int) -> None:
    """Remove all session keys of a player."""
    connection.execute(_all_out, {"player": player})
    connection.execute(_old_key_of, {"player": player, "none": _no_key()})


def replace_key(connection: Connection, old: str, new: str, player: int, now: float) -> None:
    """Sign a browser in as a player with the key hash `new`; its old key is removed."""
    sign_out(connection, old)
    add_key(connection, new, player, now)


def _no_key() -> str:
    """Return a placeholder for a removed key hash, which no browser's key has."""
    return f"{NO_KEY}{secrets.token_hex(31)}"
