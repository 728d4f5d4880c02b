"""SQL statements for identities at an OpenID provider."""

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select, update

from kaboom.accounts.models import openid_identities as identities

_of = identities.c.player_id == bindparam("player")
_this = identities.c.identity_hash == bindparam("identity")
_owner = select(identities.c.player_id).where(_this)
_used = update(identities).where(_this).values(used_day=bindparam("day"))
_has = select(exists().where(_of))
_count = select(func.count()).select_from(identities).where(_of)
_drop = delete(identities).where(_of)


def owner(connection: Connection, identity: str) -> int | None:
    """Return the id of the player whose identity has that hash, or None."""
    found: int | None = connection.execute(_owner, {"identity": identity}).scalar()
    return found


def used(connection: Connection, identity: str, day: int) -> None:
    """Record the day on which an identity was used."""
    connection.execute(_used, {"identity": identity, "day": day})


def has(connection: Connection, player: int) -> bool:
    """Return True if a player can sign in through the provider."""
    return bool(connection.execute(_has, {"player": player}).scalar())


def count(connection: Connection, player: int) -> int:
    """Return the number of a player's identities."""
    return int(connection.execute(_count, {"player": player}).scalar() or 0)


def add(connection: Connection, identity: str, player: int, day: int) -> None:
    """Store an identity. Raises IntegrityError if a player already has it."""
    values = {"player_id": player, "made_day": day, "used_day": day}
    connection.execute(insert(identities), {"identity_hash": identity, **values})


def drop(connection: Connection, player: int) -> None:
    """Delete a player's identities."""
    connection.execute(_drop, {"player": player})
