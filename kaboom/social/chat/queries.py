"""Statements for the chat at a table, and who has muted whom.

The column that counts its lines is called `talk`, as it always has been.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    union_all,
    update,
)

from kaboom.db.models import blocks, lines, mutes, players, tables


class LineRow(NamedTuple):
    """A line of chat as stored; one without text and phrase was deleted."""

    id: int
    player_id: int
    name: str
    text: str
    phrase: str
    at: float
    match: int
    watcher: bool


class Hearing(NamedTuple):
    """What somebody may read at a table: players' lines from before `until`, spectators' lines of
    matches up to `match`, and always their own.
    """

    table_id: int
    player: int
    until: float
    match: int


_of_table: Any = lines.c.table_id == bindparam("table_id")
_heard = or_(
    lines.c.player_id == bindparam("player"),
    lines.c.watcher & (lines.c.match <= bindparam("match")),
    ~lines.c.watcher & (lines.c.at <= bindparam("until")),
)
_not_muted = lines.c.player_id.not_in(
    union_all(
        select(mutes.c.muted_id).where(mutes.c.player_id == bindparam("player")),
        select(blocks.c.to_id).where(blocks.c.from_id == bindparam("player")),
    )
)
_lines = (
    select(*(lines.c[name] for name in LineRow._fields))
    .where(_of_table, lines.c.id < bindparam("before"), _heard, _not_muted)
    .order_by(lines.c.id.desc())
    .limit(bindparam("most"))
)
_deleted = (lines.c.text == "") & (lines.c.phrase == "")
# A line may be heard later than one after it, so the last one alone does not show what is new.
_heard_so_far = select(
    func.coalesce(func.max(lines.c.id), 0), func.count() + func.count().filter(_deleted)
).where(_of_table, _heard)
_own = lines.c.player_id == bindparam("player")
_others = and_(~_own, ~_deleted, _heard, _not_muted)
_last_of_each = select(
    func.coalesce(func.max(lines.c.id).filter(_own), 0),
    func.coalesce(func.max(lines.c.id).filter(_others), 0),
).where(_of_table)
_line = select(*(lines.c[name] for name in LineRow._fields)).where(
    _of_table, lines.c.id == bindparam("line")
)
_add_line = insert(lines)
_empty_line = (
    update(lines)
    .where(lines.c.id == bindparam("line"), lines.c.table_id == bindparam("at_table"))
    .values(text="", phrase="")
)
_one_more = (
    update(tables).where(tables.c.id == bindparam("table_id")).values(talk=tables.c.talk + 1)
)
_muted = (
    select(mutes.c.muted_id, players.c.name)
    .select_from(mutes.join(players, players.c.id == mutes.c.muted_id))
    .where(mutes.c.player_id == bindparam("player"))
    .order_by(players.c.name)
)
_mute = insert(mutes)
_unmute = delete(mutes).where(
    mutes.c.player_id == bindparam("player"), mutes.c.muted_id == bindparam("muted")
)


def heard_lines(
    connection: Connection, hearing: Hearing, before: int, most: int
) -> Sequence[LineRow]:
    """Return the last lines somebody hears before a line, oldest first, without muted writers."""
    values = hearing._asdict() | {"before": before, "most": most}
    return [LineRow(*row) for row in connection.execute(_lines, values)][::-1]


def heard_so_far(connection: Connection, hearing: Hearing) -> tuple[int, int]:
    """Return the last line somebody may read, and their count, deleted ones counted twice."""
    last, count = connection.execute(_heard_so_far, hearing._asdict()).one()
    return last, count


def last_of_each(connection: Connection, hearing: Hearing) -> tuple[int, int]:
    """Return the last line somebody wrote at a table, and the last one of others that they may read
    and have not muted, with words in it; 0 where there is none.
    """
    own, others = connection.execute(_last_of_each, hearing._asdict()).one()
    return own, others


def line(connection: Connection, table_id: int, number: int) -> LineRow | None:
    """Return one line of a table."""
    row = connection.execute(_line, {"table_id": table_id, "line": number}).first()
    return None if row is None else LineRow(*row)


def add_line(connection: Connection, values: dict[str, Any]) -> None:
    """Store a line, and raise the table's count of chat."""
    connection.execute(_add_line, values)
    connection.execute(_one_more, {"table_id": values["table_id"]})


def empty_line(connection: Connection, table_id: int, number: int) -> None:
    """Remove the words from a line, and raise the table's count of chat."""
    connection.execute(_empty_line, {"line": number, "at_table": table_id})
    connection.execute(_one_more, {"table_id": table_id})


def muted(connection: Connection, player: int) -> list[tuple[int, str]]:
    """Return id and name of everyone a player has muted, at any table."""
    return [(row[0], row[1]) for row in connection.execute(_muted, {"player": player})]


def mute(connection: Connection, player: int, other: int) -> None:
    """Mute one player for another."""
    if other not in [known for known, _ in muted(connection, player)]:
        connection.execute(_mute, {"player_id": player, "muted_id": other})


def unmute(connection: Connection, player: int, other: int) -> None:
    """Unmute one player for another."""
    connection.execute(_unmute, {"player": player, "muted": other})
