"""Statements about the vacations of players whose matches are played over days."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from kaboom.db.models import players, vacations


class VacationRow(NamedTuple):
    """A player's last vacation (seconds since 1970), and the days used of the year it began in."""

    year: int
    used: int
    began_at: float
    ends_at: float


_mine = vacations.c.player_id == bindparam("whose")
_vacation = select(*(vacations.c[name] for name in VacationRow._fields)).where(_mine)
_running = select(vacations.c.player_id, vacations.c.began_at, vacations.c.ends_at).where(
    vacations.c.player_id.in_(bindparam("who")),
    vacations.c.ends_at > bindparam("now"),
)
_one_at_a_time = select(players.c.id).where(players.c.id == bindparam("whose")).with_for_update()
_change = update(vacations).where(_mine)
_add = insert(vacations)


def vacation(connection: Connection, player_id: int, lock: bool = False) -> VacationRow | None:
    """Return a player's last vacation, or None; with `lock` nobody else changes it until the
    transaction ends.
    """
    if lock:
        connection.execute(_one_at_a_time, {"whose": player_id})
    row = connection.execute(_vacation, {"whose": player_id}).first()
    return None if row is None else VacationRow(*row)


def keep(connection: Connection, player_id: int, row: VacationRow) -> None:
    """Keep a player's vacation in place of the last one."""
    values = row._asdict()
    if connection.execute(_change, {"whose": player_id, **values}).rowcount == 0:
        connection.execute(_add, {"player_id": player_id, **values})


def running(
    connection: Connection, who: Collection[int], now: float
) -> dict[int, tuple[float, float]]:
    """Return when the vacations began and end of those of these players who are on one."""
    found = connection.execute(_running, {"who": list(who), "now": now})
    return {row[0]: (row[1], row[2]) for row in found}
