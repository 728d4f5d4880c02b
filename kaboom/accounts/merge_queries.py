"""Merging two players in every table that refers to players (kaboom.db.player_columns)."""

from collections.abc import Sequence
from functools import cache
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

from kaboom.accounts import hooks, player_queries, session_queries
from kaboom.accounts.models import keys, tokens
from kaboom.db.player_columns import OnMerge, player_columns
from kaboom.features import load_hooks


def _double(column: Column[Any], same: tuple[Column[Any], ...]) -> Any:
    """Return the statement that deletes the guest's rows for which the other player has a
    counterpart.
    """
    theirs = column.table.alias()
    return delete(column.table).where(
        column == bindparam("guest"),
        exists(select(1).select_from(theirs)).where(
            theirs.c[column.name] == bindparam("other"),
            *(theirs.c[it.name] == it for it in same),
        ),
    )


def _with_oneself(one: Column[Any], two: Column[Any]) -> Any:
    """Return the statement that deletes rows linking the two players."""
    guest: Any = bindparam("guest")
    other: Any = bindparam("other")
    return delete(one.table).where(
        or_(and_(one == guest, two == other), and_(one == other, two == guest))
    )


@cache
def _statements() -> list[Any]:
    """Return the statements that move a guest's rows to the other player."""
    columns = player_columns()
    moved = [it for it in columns if it.on_merge is OnMerge.MOVE]
    return [
        *(_with_oneself(it.column, it.pair) for it in columns if it.pair is not None),
        *(_double(it.column, it.same) for it in moved if it.same),
        *(
            update(it.column.table)
            .where(it.column == bindparam("guest"))
            .values({it.column.name: bindparam("other")})
            for it in moved
        ),
        *(
            delete(it.column.table).where(it.column == bindparam("guest"))
            for it in columns
            if it.on_merge is OnMerge.DELETE
        ),
    ]


_key = (
    update(keys)
    .where(keys.c.key_hash == bindparam("signed"), keys.c.player_id == bindparam("guest"))
    .values(player_id=bindparam("other"))
)
_pending = (
    select(tokens.c.player_id)
    .where(tokens.c.kind == "merge", tokens.c.player_id.is_not(None))
    .order_by(tokens.c.expires_at)
    .limit(bindparam("most"))
)


def carry(connection: Connection, guest: int, other: int, key_hash: str) -> None:
    """Move all of a guest's data to another player. Only the browser with that key stays signed in.

    The guest's row stays without an owner.
    """
    values = {"guest": guest, "other": other}
    for statement in _statements():
        wanted = {name: values[name] for name in statement.compile().params if name in values}
        connection.execute(statement, wanted)
    load_hooks()
    for carry_on in hooks.on_merge:
        carry_on(connection, guest, other)
    connection.execute(_key, {**values, "signed": key_hash})
    session_queries.sign_all_out(connection, guest)
    player_queries.rename(connection, guest, "")


def pending(connection: Connection, most: int) -> Sequence[int]:
    """Return the ids of up to `most` guests whose merge is pending, oldest first."""
    return list(connection.execute(_pending, {"most": most}).scalars())
