"""SQL statements for maintenance: lists of tables, expired tables and idle players."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, exists, func, or_, select, update

from kaboom.accounts.models import players
from kaboom.db.player_columns import player_columns
from kaboom.db.times import DAY
from kaboom.tables import hooks
from kaboom.tables.models import match_players, matches, moves, sittings, tables
from kaboom.tables.table import BANKS


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
LONGEST_VACATION = 21  # days for which a correspondence match may wait for a player
ON_TOP = LONGEST_VACATION + max(BANKS)  # … and then for one who uses up a whole time bank
_forgotten = and_(
    tables.c.touched_at < bindparam("since"),
    or_(
        tables.c.days == 0,
        tables.c.touched_at + (tables.c.days + ON_TOP) * DAY < bindparam("since"),
    ),
)
_untouched = (
    select(tables.c.code).where(_forgotten).order_by(tables.c.touched_at).limit(bindparam("most"))
)
_count_untouched = select(func.count()).select_from(tables).where(_forgotten)
_still_untouched = select(tables.c.id).where(tables.c.code == bindparam("code"), _forgotten)
_unfinished = select(matches.c.id).where(
    matches.c.table_id == bindparam("table_id"), matches.c.ended_at.is_(None)
)
_outlive = update(matches).where(matches.c.table_id == bindparam("gone")).values(table_id=None)


def listing(
    connection: Connection, most: int, first: int = 0, playing: bool = False
) -> Sequence[TableLine]:
    """Return tables, most recently used first; with `playing`, only those with a running match."""
    found = connection.execute(
        _listing_playing if playing else _listing, {"most": most, "first": first}
    )
    return [TableLine(*row) for row in found]


def codes(connection: Connection, playing: bool = False) -> Sequence[str]:
    """Return the codes of all tables or, with `playing`, of those with a running match."""
    return list(connection.execute(_codes_playing if playing else _codes).scalars())


def untouched(connection: Connection, since: float, most: int) -> Sequence[str]:
    """Return the codes of tables that no player has used after `since`, oldest first."""
    return [row[0] for row in connection.execute(_untouched, {"since": since, "most": most})]


def count_untouched(connection: Connection, since: float) -> int:
    """Return the number of tables that no player has used after `since`."""
    return connection.execute(_count_untouched, {"since": since}).scalar() or 0


def take_away(connection: Connection, code: str, since: float) -> bool:
    """Delete a table unless it was used after `since`; return True if it was deleted.

    Its finished matches stay as records; a running match is deleted with it.
    """
    keys = {"code": code, "since": since}
    table_id = connection.execute(_still_untouched.with_for_update(), keys).scalar()
    if table_id is None:
        return False
    unfinished = [row[0] for row in connection.execute(_unfinished, {"table_id": table_id})]
    for let_go in hooks.on_delete:
        let_go(connection, table_id)
    for table in (moves, match_players):
        connection.execute(delete(table).where(table.c.match_id.in_(unfinished)))
    connection.execute(delete(matches).where(matches.c.id.in_(unfinished)))
    connection.execute(_outlive, {"gone": table_id})
    connection.execute(delete(sittings).where(sittings.c.table_id == table_id))
    connection.execute(delete(tables).where(tables.c.id == table_id))
    return True


def idle(connection: Connection, since: float, most: int) -> Sequence[int]:
    """Return the ids of players who have been idle since `since` and have no data that would keep
    them (kaboom.db.player_columns): no table they sat at or were admitted to, no match, no friend …
    """
    return list(connection.execute(_idle_statements()[0], {"since": since, "most": most}).scalars())


def forget_idle(connection: Connection, ids: Sequence[int], since: float) -> int:
    """Delete those of these players who are still idle; return how many.

    They are locked first. A player who acts at the same time has to wait, and then becomes a new
    player.
    """
    still = connection.execute(_idle_statements()[1], {"ids": ids, "since": since})
    gone = list(still.scalars())
    for it in player_columns():
        if not it.keeps:
            connection.execute(delete(it.column.table).where(it.column.in_(gone)))
    connection.execute(delete(players).where(players.c.id.in_(gone)))
    return len(gone)


@cache
def _idle_statements() -> tuple[Any, Any]:
    """Return two statements: one finds idle players, one locks those who are still idle."""
    idle = and_(
        players.c.acted_at < bindparam("since"),
        *(~exists().where(it.column == players.c.id) for it in player_columns() if it.keeps),
    )
    still = select(players.c.id).where(idle, players.c.id.in_(bindparam("ids")))
    return select(players.c.id).where(idle).limit(bindparam("most")), still.with_for_update()
