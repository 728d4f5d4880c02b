"""Statements for keeping a room in order: lists of tables, removing old ones and idle players."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, exists, func, or_, select, update

from kaboom.db.models import (
    lines,
    matches,
    moves,
    notes,
    parts,
    passes,
    players,
    sittings,
    tables,
)
from kaboom.db.player_columns import OF_PLAYERS
from kaboom.db.times import DAY
from kaboom.tables import hooks


class TableLine(NamedTuple):
    """A table in a host's list. Times are seconds since 1970."""

    code: str
    game: str
    matches: int
    playing: bool
    touched_at: float


_ended = (
    select(matches.c.table_id, func.count().label("count"))
    .where(matches.c.table_id.is_not(None))
    .group_by(matches.c.table_id)
    .subquery()
)
_listing = (
    select(
        tables.c.code,
        tables.c.game,
        func.coalesce(_ended.c.count, 0),
        and_(matches.c.id.is_not(None), matches.c.ended_at.is_(None)),
        tables.c.touched_at,
    )
    .select_from(
        tables.outerjoin(matches, matches.c.id == tables.c.match_id).outerjoin(
            _ended, _ended.c.table_id == tables.c.id
        )
    )
    .order_by(tables.c.touched_at.desc())
    .limit(bindparam("most"))
    .offset(bindparam("first"))
)
_listing_playing = _listing.where(matches.c.id.is_not(None), matches.c.ended_at.is_(None))
_codes = select(tables.c.code).order_by(tables.c.id)
_codes_playing = (
    select(tables.c.code)
    .join(matches, matches.c.id == tables.c.match_id)
    .where(matches.c.ended_at.is_(None))
    .order_by(tables.c.id)
)
LONGEST_VACATION = 21  # days: nothing happens meanwhile where all wait for whoever is away
_forgotten = and_(
    tables.c.touched_at < bindparam("since"),
    or_(
        tables.c.days == 0,
        tables.c.touched_at + (tables.c.days + LONGEST_VACATION) * DAY < bindparam("since"),
    ),
)
_untouched = (
    select(tables.c.code).where(_forgotten).order_by(tables.c.touched_at).limit(bindparam("most"))
)
_still_untouched = select(tables.c.id).where(tables.c.code == bindparam("code"), _forgotten)
_unfinished = select(matches.c.id).where(
    matches.c.table_id == bindparam("table_id"), matches.c.ended_at.is_(None)
)
_outlive = update(matches).where(matches.c.table_id == bindparam("gone")).values(table_id=None)
_idle = and_(
    players.c.acted_at < bindparam("since"),
    *(~exists().where(it.column == players.c.id) for it in OF_PLAYERS if it.keeps),
)
_some_idle = select(players.c.id).where(_idle).limit(bindparam("most"))
_still_idle = select(players.c.id).where(_idle, players.c.id.in_(bindparam("ids")))


def listing(
    connection: Connection, most: int, first: int = 0, playing: bool = False
) -> Sequence[TableLine]:
    """Return tables, the last touched first; with `playing` only those with a match going on."""
    found = connection.execute(
        _listing_playing if playing else _listing, {"most": most, "first": first}
    )
    return [TableLine(*row) for row in found]


def codes(connection: Connection, playing: bool = False) -> Sequence[str]:
    """Return the codes of all tables, or of those with a match going on."""
    return list(connection.execute(_codes_playing if playing else _codes).scalars())


def untouched(connection: Connection, since: float, most: int) -> Sequence[str]:
    """Return the codes of tables nobody has touched since that time, the oldest first."""
    return [row[0] for row in connection.execute(_untouched, {"since": since, "most": most})]


def take_away(connection: Connection, code: str, since: float) -> bool:
    """Delete a table, unless it was touched since that time; return whether it is gone.

    Its finished matches stay, as records; a match that was going on goes with it.
    """
    keys = {"code": code, "since": since}
    table_id = connection.execute(_still_untouched.with_for_update(), keys).scalar()
    if table_id is None:
        return False
    unfinished = [row[0] for row in connection.execute(_unfinished, {"table_id": table_id})]
    for table in (moves, parts, notes):
        connection.execute(delete(table).where(table.c.match_id.in_(unfinished)))
    connection.execute(delete(matches).where(matches.c.id.in_(unfinished)))
    connection.execute(_outlive, {"gone": table_id})
    for table in (sittings, lines, passes):
        connection.execute(delete(table).where(table.c.table_id == table_id))
    for let_go in hooks.on_delete:
        let_go(connection, table_id)
    connection.execute(delete(tables).where(tables.c.id == table_id))
    return True


def idle(connection: Connection, since: float, most: int) -> Sequence[int]:
    """Return players who have done nothing since that time and have nothing here that would keep
    them (kaboom.db.player_columns): no table they sat at or were let in to, no match, no friend …
    """
    return list(connection.execute(_some_idle, {"since": since, "most": most}).scalars())


def forget_idle(connection: Connection, ids: Sequence[int], since: float) -> int:
    """Delete those of the players who are still idle; return how many.

    They are locked first: a player who acts now waits, and is then somebody new.
    """
    still = connection.execute(_still_idle.with_for_update(), {"ids": ids, "since": since})
    gone = list(still.scalars())
    for it in OF_PLAYERS:
        if not it.keeps:
            connection.execute(delete(it.column.table).where(it.column.in_(gone)))
    connection.execute(delete(players).where(players.c.id.in_(gone)))
    return len(gone)
