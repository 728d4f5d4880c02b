"""Statements that make one player of two. What is missing here a test finds."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, Connection, and_, bindparam, delete, exists, or_, select, update

from kaboom.store.models import (
    asks,
    blocks,
    board_tries,
    call_settings,
    friends,
    keys,
    lines,
    mutes,
    notes,
    offers,
    parts,
    passes,
    players,
    program_keys,
    rating_wishes,
    ratings,
    reports,
    rule_sets,
    sittings,
    vacations,
    ways,
)
from kaboom.store.ratings import carry as carry_ratings

# What a guest has becomes another player's, by the columns that name them. Beside each: those that
# would be the same in two rows; the guest's row then goes.
CARRIED: list[tuple[Column[Any], tuple[Column[Any], ...]]] = [
    (parts.c.player_id, ()),
    (lines.c.player_id, ()),
    (sittings.c.player_id, (sittings.c.table_id,)),
    (mutes.c.player_id, (mutes.c.muted_id,)),
    (mutes.c.muted_id, (mutes.c.player_id,)),
    (rule_sets.c.player_id, (rule_sets.c.game, rule_sets.c.name)),
    (friends.c.player_id, (friends.c.friend_id,)),
    (friends.c.friend_id, (friends.c.player_id,)),
    (asks.c.from_id, (asks.c.to_id,)),
    (asks.c.to_id, (asks.c.from_id,)),
    (blocks.c.from_id, (blocks.c.to_id,)),
    (blocks.c.to_id, (blocks.c.from_id,)),
    (program_keys.c.player_id, ()),
    (notes.c.player_id, (notes.c.match_id,)),
    (vacations.c.player_id, ()),
    (board_tries.c.player_id, (board_tries.c.board,)),
    (reports.c.by_id, ()),
    (reports.c.about_id, ()),
    (ways.c.player_id, (ways.c.print, ways.c.made_at)),
]
# Nobody has these twice with themselves.
PAIRS = [
    (mutes.c.player_id, mutes.c.muted_id),
    (friends.c.player_id, friends.c.friend_id),
    (asks.c.from_id, asks.c.to_id),
    (blocks.c.from_id, blocks.c.to_id),
]
# What is not carried along; of the ratings, what kaboom.store.ratings has left.
DROPPED = [
    passes.c.player_id,
    offers.c.player_id,
    call_settings.c.player_id,
    rating_wishes.c.player_id,
    ratings.c.player_id,
]


def _double(column: Column[Any], same: tuple[Column[Any], ...]) -> Any:
    """Return what deletes the guest's rows that the other player has already."""
    theirs = column.table.alias()
    return delete(column.table).where(
        column == bindparam("guest"),
        exists(select(1).select_from(theirs)).where(
            theirs.c[column.name] == bindparam("other"),
            and_(*(theirs.c[it.name] == it for it in same)),
        ),
    )


def _with_oneself(one: Column[Any], two: Column[Any]) -> Any:
    """Return what deletes what the two had with each other."""
    guest: Any = bindparam("guest")
    other: Any = bindparam("other")
    return delete(one.table).where(
        or_(and_(one == guest, two == other), and_(one == other, two == guest))
    )


def _shorter_vacation(whose: str, than: str, or_equal: bool) -> Any:
    """Return what deletes the vacation of one of the two if the other's lasts longer."""
    theirs = vacations.alias()
    longer = theirs.c.ends_at > vacations.c.ends_at
    return delete(vacations).where(
        vacations.c.player_id == bindparam(whose),
        exists(select(1).select_from(theirs)).where(
            theirs.c.player_id == bindparam(than),
            or_(longer, theirs.c.ends_at == vacations.c.ends_at) if or_equal else longer,
        ),
    )


_statements = [
    _shorter_vacation("other", "guest", or_equal=False),
    _shorter_vacation("guest", "other", or_equal=True),
    *(_with_oneself(one, two) for one, two in PAIRS),
    *(_double(column, same) for column, same in CARRIED if same),
    *(
        update(column.table)
        .where(column == bindparam("guest"))
        .values({column.name: bindparam("other")})
        for column, _ in CARRIED
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
    *(delete(column.table).where(column == bindparam("guest")) for column in DROPPED),
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
_stands = update(sittings).where(
    sittings.c.player_id == bindparam("guest"), sittings.c.table_id == bindparam("at")
)
_pending = (
    select(offers.c.player_id)
    .where(offers.c.kind == "merge", offers.c.player_id.is_not(None))
    .order_by(offers.c.expires_at)
    .limit(bindparam("most"))
)


def carry(connection: Connection, guest: int, other: int, key_hash: str, no_key: str) -> None:
    """Let all that a guest has be another player's; only the browser with that key stays known.

    The guest's row stays, belonging to nobody; `no_key` is nobody's."""
    carry_ratings(connection, guest, other)
    values = {"guest": guest, "other": other}
    for statement in _statements:
        wanted = {name: values[name] for name in statement.compile().params if name in values}
        connection.execute(statement, wanted)
    connection.execute(_key, {**values, "signed": key_hash})
    connection.execute(_keys, {"guest": guest})
    connection.execute(_nobody, {"guest": guest, "none": no_key})


def sits_anywhere(connection: Connection, guest: int) -> bool:
    """Say whether a player is noted as sitting at some table."""
    return connection.execute(_sits, {"guest": guest}).first() is not None


def stand_up(connection: Connection, guest: int, table_id: int) -> None:
    """Note that a player does not sit at a table any more, but may look."""
    connection.execute(_stands, {"guest": guest, "at": table_id, "sat": False})


def pending(connection: Connection, most: int) -> Sequence[int]:
    """Return guests who are being carried along, the first ones first."""
    return list(connection.execute(_pending, {"most": most}).scalars())
