"""Making one player of two, in every table that knows one (kaboom.db.player_columns)."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    or_,
    select,
    update,
)

from kaboom.accounts import hooks
from kaboom.db.models import (
    blocks,
    friends,
    keys,
    offers,
    players,
    sittings,
    vacations,
)
from kaboom.db.player_columns import OF_PLAYERS, Merged

CARRIED = [it for it in OF_PLAYERS if it.merged is Merged.CARRIED]


def _double(column: Column[Any], same: tuple[Column[Any], ...] = ()) -> Any:
    """Return what deletes the guest's rows that the other player has already."""
    theirs = column.table.alias()
    return delete(column.table).where(
        column == bindparam("guest"),
        exists(select(1).select_from(theirs)).where(
            theirs.c[column.name] == bindparam("other"),
            *(theirs.c[it.name] == it for it in same),
        ),
    )


def _with_oneself(one: Column[Any], two: Column[Any]) -> Any:
    """Return what deletes what the two had with each other."""
    guest: Any = bindparam("guest")
    other: Any = bindparam("other")
    return delete(one.table).where(
        or_(and_(one == guest, two == other), and_(one == other, two == guest))
    )


_guests = vacations.alias()
_statements = [
    delete(vacations).where(  # that of the other player, if the guest's lasts longer; else theirs
        vacations.c.player_id == bindparam("other"),
        exists(select(1).select_from(_guests)).where(
            _guests.c.player_id == bindparam("guest"), _guests.c.ends_at > vacations.c.ends_at
        ),
    ),
    _double(vacations.c.player_id),
    *(_with_oneself(it.column, it.pair) for it in OF_PLAYERS if it.pair is not None),
    *(_double(it.column, it.same) for it in CARRIED if it.same),
    *(
        update(it.column.table)
        .where(it.column == bindparam("guest"))
        .values({it.column.name: bindparam("other")})
        for it in CARRIED
    ),
    delete(friends).where(  # whom one of the two had blocked
        or_(friends.c.player_id == bindparam("other"), friends.c.friend_id == bindparam("other")),
        exists(select(1).select_from(blocks)).where(
            or_(
                and_(
                    blocks.c.from_id == friends.c.player_id, blocks.c.to_id == friends.c.friend_id
                ),
                and_(
                    blocks.c.from_id == friends.c.friend_id, blocks.c.to_id == friends.c.player_id
                ),
            )
        ),
    ),
    *(
        delete(it.column.table).where(it.column == bindparam("guest"))
        for it in OF_PLAYERS
        if it.merged is Merged.DROPPED
    ),
]
_key = (
    update(keys)
    .where(keys.c.key_hash == bindparam("signed"), keys.c.player_id == bindparam("guest"))
    .values(player_id=bindparam("other"))
)
_keys = delete(keys).where(keys.c.player_id == bindparam("guest"))
_nobody = (
    update(players)
    .where(players.c.id == bindparam("guest"))
    .values(name="", key_hash=bindparam("none"))
)
_sits = select(sittings.c.table_id).where(
    sittings.c.player_id == bindparam("guest"), sittings.c.sat
)
_pending = (
    select(offers.c.player_id)
    .where(offers.c.kind == "merge", offers.c.player_id.is_not(None))
    .order_by(offers.c.expires_at)
    .limit(bindparam("most"))
)


def carry(connection: Connection, guest: int, other: int, key_hash: str, no_key: str) -> None:
    """Let all that a guest has be another player's; only the browser with that key stays known.

    The guest's row stays, belonging to nobody; `no_key` is nobody's.
    """
    values = {"guest": guest, "other": other}
    for statement in _statements:
        wanted = {name: values[name] for name in statement.compile().params if name in values}
        connection.execute(statement, wanted)
    hooks.load()
    for carry_on in hooks.on_merge:
        carry_on(connection, guest, other)
    connection.execute(_key, {**values, "signed": key_hash})
    connection.execute(_keys, {"guest": guest})
    connection.execute(_nobody, {"guest": guest, "none": no_key})


def sits_anywhere(connection: Connection, guest: int) -> bool:
    """Say whether a player is noted as sitting at some table."""
    return connection.execute(_sits, {"guest": guest}).first() is not None


def pending(connection: Connection, most: int) -> Sequence[int]:
    """Return guests who are being carried along, the first ones first."""
    return list(connection.execute(_pending, {"most": most}).scalars())
