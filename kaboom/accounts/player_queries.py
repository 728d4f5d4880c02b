"""SQL statements for players: session keys, names and activity."""

from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from kaboom.accounts.models import keys, players
from kaboom.db.fast_path import rows
from kaboom.db.ids import new_id
from kaboom.db.times import DAY

NO_KEY = "-"  # prefix of key hashes that belong to no browser

_key_hash: Any = bindparam("key_hash")
_player = (
    select(players.c.id, players.c.name)
    .join(keys, keys.c.player_id == players.c.id)
    .where(keys.c.key_hash == _key_hash)
)
_player_of_old = select(players.c.id, players.c.name).where(players.c.key_hash == _key_hash)
_act = update(players).values(acted_at=bindparam("at")).returning(players.c.id, players.c.name)
_owner = select(keys.c.player_id).where(keys.c.key_hash == bindparam("key")).scalar_subquery()
_acting = _act.where(players.c.id == _owner)
_acting_of_old = _act.where(players.c.key_hash == bindparam("key"))
_add_player = insert(players)
_add_key = insert(keys)
_rename = update(players).where(players.c.id == bindparam("player_id"))


def player(connection: Connection, key_hash: str) -> tuple[int, str] | None:
    """Return the id and name of the player with that session key; None if the key is unknown."""
    if not key_hash:
        return None  # a visitor without a key causes no query
    values = {"key_hash": key_hash}
    found = rows(connection, _player, values) or rows(connection, _player_of_old, values)
    return (found[0][0], found[0][1]) if found else None


def acting(connection: Connection, key_hash: str, now: float) -> tuple[int, str] | None:
    """Return the id and name of the player with that session key, and record the activity.

    Only players who have been inactive for a long time are deleted.
    """
    values = {"key": key_hash, "at": now}
    row = connection.execute(_acting, values).first()
    if row is None:
        row = connection.execute(_acting_of_old, values).first()
        if row is not None and not key_hash.startswith(NO_KEY):
            add_key(connection, key_hash, row[0], now)
    return None if row is None else (row[0], row[1])


def add_player(connection: Connection, key_hash: str, name: str, now: float) -> int:
    """Store a player and return the id."""
    values = {"key_hash": key_hash, "name": name, "created_at": now, "acted_at": now}
    player_id = new_id(connection.execute(_add_player, values))
    add_key(connection, key_hash, player_id, now)
    return player_id


def add_key(connection: Connection, key_hash: str, player_id: int, now: float) -> None:
    """Add a session key to a player."""
    today = int(now // DAY)
    values = {"device": "", "made_day": today, "seen_day": today}
    connection.execute(_add_key, {"key_hash": key_hash, "player_id": player_id, **values})


def rename(connection: Connection, player_id: int, name: str) -> None:
    """Rename a player."""
    connection.execute(_rename, {"player_id": player_id, "name": name})
