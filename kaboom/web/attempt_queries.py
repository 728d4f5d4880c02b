"""SQL statements that count attempts for all workers together."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, select, text

from kaboom.web.models import attempts


class Limit(NamedTuple):
    """At most `most` attempts with the key `id` within `seconds` of the first one."""

    id: str
    most: int
    seconds: float


# One statement: of two that count at the same moment, the second sees the first's count.
_count = text(
    "INSERT INTO tries (id, made, ends_at) VALUES (:id, 1, :ends_at) ON CONFLICT (id) DO UPDATE"
    " SET made = CASE WHEN tries.ends_at <= :now THEN 1 ELSE tries.made + 1 END,"
    " ends_at = CASE WHEN tries.ends_at <= :now THEN :ends_at ELSE tries.ends_at END"
    " WHERE tries.ends_at <= :now OR tries.made < :most RETURNING made"
)
_give_back = text("UPDATE tries SET made = made - 1 WHERE id = :id AND made > 0")
_made = select(attempts.c.made).where(
    attempts.c.id == bindparam("id"), attempts.c.ends_at > bindparam("at")
)
_drop_old = delete(attempts).where(attempts.c.ends_at <= bindparam("now"))


def reached(connection: Connection, limits: Sequence[Limit], now: float) -> Limit | None:
    """Return the first limit that is reached, or None. This only reads."""
    for limit in limits:
        made = connection.execute(_made, {"id": limit.id, "at": now}).scalar()
        if made is not None and made >= limit.most:
            return limit
    return None


def made(connection: Connection, limit: Limit, now: float) -> int:
    """Return the number of attempts that count at `now`."""
    return connection.execute(_made, {"id": limit.id, "at": now}).scalar() or 0


def count(connection: Connection, limits: Sequence[Limit], now: float) -> Limit | None:
    """Count an attempt against all limits; return the first one that is reached, or None.

    If a limit is returned, the transaction must be rolled back, so that nothing is counted.
    """
    for limit in limits:
        ends_at = now + limit.seconds
        values = {"id": limit.id, "most": limit.most, "now": now, "ends_at": ends_at}
        if connection.execute(_count, values).first() is None:
            return limit
    return None


def give_back(connection: Connection, limits: Sequence[Limit]) -> None:
    """Subtract an attempt from the counts."""
    for limit in limits:
        connection.execute(_give_back, {"id": limit.id})


def drop_old(connection: Connection, now: float) -> None:
    """Delete counts that have expired."""
    connection.execute(_drop_old, {"now": now})
