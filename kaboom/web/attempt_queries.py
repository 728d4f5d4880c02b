"""Counts attempts where all workers share the count, so that it holds however many ask at once."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, select, text

from kaboom.db.models import tries


class Limit(NamedTuple):
    """At most `most` attempts at what `id` stands for, within `seconds` of the first."""

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
_made = select(tries.c.made).where(tries.c.id == bindparam("id"), tries.c.ends_at > bindparam("at"))
_drop_old = delete(tries).where(tries.c.ends_at <= bindparam("now"))


def reached(connection: Connection, limits: Sequence[Limit], now: float) -> Limit | None:
    """Return the first limit that is reached, if any. This costs only a read."""
    for limit in limits:
        made = connection.execute(_made, {"id": limit.id, "at": now}).scalar()
        if made is not None and made >= limit.most:
            return limit
    return None


def made(connection: Connection, limit: Limit, now: float) -> int:
    """Return how many attempts are counted just now."""
    return connection.execute(_made, {"id": limit.id, "at": now}).scalar() or 0


def count(connection: Connection, limits: Sequence[Limit], now: float) -> Limit | None:
    """Count an attempt against all limits; return the first that is reached, if any.

    Then the transaction must be rolled back, so that nothing was counted.
    """
    for limit in limits:
        ends_at = now + limit.seconds
        values = {"id": limit.id, "most": limit.most, "now": now, "ends_at": ends_at}
        if connection.execute(_count, values).first() is None:
            return limit
    return None


def give_back(connection: Connection, limits: Sequence[Limit]) -> None:
    """Take an attempt off the counts."""
    for limit in limits:
        connection.execute(_give_back, {"id": limit.id})


def drop_old(connection: Connection, now: float) -> None:
    """Delete counts that have expired."""
    connection.execute(_drop_old, {"now": now})
