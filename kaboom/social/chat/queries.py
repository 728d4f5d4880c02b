"""SQL statements for table chats and muted players.

The column that counts a table's lines has a historical name, `talk`.
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

from kaboom.accounts.models import players
from kaboom.social.chat.models import chat_messages, mutes
from kaboom.social.friends.models import blocks
from kaboom.tables.models import tables


class ChatMessageRow(NamedTuple):
    """A line of chat as stored; one without text or phrase was deleted."""

    id: int
    player_id: int
    name: str
    text: str
    phrase: str
    at: float
    match: int
    watcher: bool


class Hearing(NamedTuple):
    """What a player may read at a table: players' lines from before `until`, spectators' lines from
    matches up to `match`, and always their own.
    """

    table_id: int
    player: int
    until: float
    match: int


_of_table: Any = chat_messages.c.table_id == bindparam("table_id")
_heard = or_(
    chat_messages.c.player_id == bindparam("player"),
    chat_messages.c.watcher & (chat_messages.c.match <= bindparam("match")),
    ~chat_messages.c.watcher & (chat_messages.c.at <= bindparam("until")),
)
_not_muted = chat_messages.c.player_id.not_in(
    union_all(
        select(mutes.c.muted_id).where(mutes.c.player_id == bindparam("player")),
        select(blocks.c.to_id).where(blocks.c.from_id == bindparam("player")),
    )
)
_lines = (
    select(*(chat_messages.c[name] for name in ChatMessageRow._fields))
    .where(_of_table, chat_messages.c.id < bindparam("before"), _heard, _not_muted)
    .order_by(chat_messages.c.id.desc())
    .limit(bindparam("most"))
)
_deleted = (chat_messages.c.text == "") & (chat_messages.c.phrase == "")
# A line may become readable after a newer one, so the last line alone does not show what is new.
_heard_so_far = select(
    func.coalesce(func.max(chat_messages.c.id), 0), func.count() + func.count().filter(_deleted)
).where(_of_table, _heard)
_own = chat_messages.c.player_id == bindparam("player")
_others = and_(~_own, ~_deleted, _heard, _not_muted)
_last_of_each = select(
    func.coalesce(func.max(chat_messages.c.id).filter(_own), 0),
    func.coalesce(func.max(chat_messages.c.id).filter(_others), 0),
).where(_of_table)
_line = select(*(chat_messages.c[name] for name in ChatMessageRow._fields)).where(
    _of_table, chat_messages.c.id == bindparam("line")
)
_heard_line = _line.where(_heard)
_add_line = insert(chat_messages)
_empty_line = (
    update(chat_messages)
    .where(
        chat_messages.c.id == bindparam("line"), chat_messages.c.table_id == bindparam("at_table")
    )
    .values(text="", phrase="")
)
_rename = (
    update(chat_messages)
    .where(
        chat_messages.c.table_id == bindparam("at_table"),
        chat_messages.c.player_id == bindparam("author"),
    )
    .values(name=bindparam("new_name"))
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
_drop_of_table = delete(chat_messages).where(chat_messages.c.table_id == bindparam("gone"))


def heard_lines(
    connection: Connection, hearing: Hearing, before: int, most: int
) -> Sequence[ChatMessageRow]:
    """Return the last readable lines before a line, except those by muted authors, oldest first."""
    values = hearing._asdict() | {"before": before, "most": most}
    return [ChatMessageRow(*row) for row in connection.execute(_lines, values)][::-1]


def heard_so_far(connection: Connection, hearing: Hearing) -> tuple[int, int]:
    """Return the number of the last line that a player may read, and the count of lines, in which
    deleted ones count twice.
    """
    last, count = connection.execute(_heard_so_far, hearing._asdict()).one()
    return last, count


def last_of_each(connection: Connection, hearing: Hearing) -> tuple[int, int]:
    """Return the number of the last line a player wrote at a table, and of the last line by others
    that they may read, without deleted lines or muted authors; 0 if there is none.
    """
    own, others = connection.execute(_last_of_each, hearing._asdict()).one()
    return own, others


def line(connection: Connection, table_id: int, number: int) -> ChatMessageRow | None:
    """Return one line of a table's chat, or None."""
    row = connection.execute(_line, {"table_id": table_id, "line": number}).first()
    return None if row is None else ChatMessageRow(*row)


def heard_line(connection: Connection, hearing: Hearing, number: int) -> ChatMessageRow | None:
    """Return one line that a player may read, or None."""
    row = connection.execute(_heard_line, hearing._asdict() | {"line": number}).first()
    return None if row is None else ChatMessageRow(*row)


def add_line(connection: Connection, values: dict[str, Any]) -> None:
    """Store a line, and increment the table's count of lines."""
    connection.execute(_add_line, values)
    connection.execute(_one_more, {"table_id": values["table_id"]})


def empty_line(connection: Connection, table_id: int, number: int) -> None:
    """Remove the text of a line, and increment the table's count of lines."""
    connection.execute(_empty_line, {"line": number, "at_table": table_id})
    connection.execute(_one_more, {"table_id": table_id})


def rename(connection: Connection, table_id: int, player: int, name: str) -> None:
    """Rename the author of lines at a table; if there are any, increment the count of lines."""
    values = {"at_table": table_id, "author": player, "new_name": name}
    if connection.execute(_rename, values).rowcount:
        connection.execute(_one_more, {"table_id": table_id})


def muted(connection: Connection, player: int) -> list[tuple[int, str]]:
    """Return the ids and names of all players whom a player has muted, at any table."""
    return [(row[0], row[1]) for row in connection.execute(_muted, {"player": player})]


def mute(connection: Connection, player: int, other: int) -> None:
    """Mute `other` for `player`."""
    if other not in [known for known, _ in muted(connection, player)]:
        connection.execute(_mute, {"player_id": player, "muted_id": other})


def unmute(connection: Connection, player: int, other: int) -> None:
    """Unmute `other` for `player`."""
    connection.execute(_unmute, {"player": player, "muted": other})


def drop_of_table(connection: Connection, table_id: int) -> None:
    """Delete the chat of a table that is being deleted."""
    connection.execute(_drop_of_table, {"gone": table_id})
