"""SQL statements about the vacations of correspondence players."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, insert, select, update

from kaboom.accounts.models import players
from kaboom.tables.models import vacations


class VacationRow(NamedTuple):
    """A player's last vacation (seconds since 1970), and the vacation days used in the year it
    began.
    """

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
_guests = vacations.alias()
_shorter = delete(vacations).where(
    vacations.c.player_id == bindparam("other"),
    exists(select(1).select_from(_guests)).where(
        _guests.c.player_id == bindparam("guest"), _guests.c.ends_at > vacations.c.ends_at
    ),
)
_has_one = select(vacations.c.player_id).where(_mine)
_drop = delete(vacations).where(_mine)
_add = insert(vacations)


def vacation(connection: Connection, player_id: int, lock: bool = False) -> VacationRow | None:
    """Return a player's last vacation, or None. With `lock`, the player's row stays locked
    until the transaction ends.
    """
    if lock:
        connection.execute(_one_at_a_time, {"whose": player_id})
    row = connection.execute(_vacation, {"whose": player_id}).first()
    return None if row is None else VacationRow(*row)


def keep(connection: Connection, player_id: int, row: VacationRow) -> None:
    """Store a player's vacation, replacing the previous one."""
    values = row._asdict()
    if connection.execute(_change, {"whose": player_id, **values}).rowcount == 0:
        connection.execute(_add, {"player_id": player_id, **values})


def running(
    connection: Connection, who: Collection[int], now: float
) -> dict[int, tuple[float, float]]:
    """Return the start and end of the current vacations of these players, by player."""
    found = connection.execute(_running, {"who": list(who), "now": now})
    return {row[0]: (row[1], row[2]) for row in found}


def merge(connection: Connection, guest: int, other: int) -> None:
    """Keep the vacation that ends later: the guest's, or that of the player they become."""
    connection.execute(_shorter, {"guest": guest, "other": other})
    if connection.execute(_has_one, {"whose": other}).first() is None:
        connection.execute(_change, {"whose": guest, "player_id": other})
    else:
        connection.execute(_drop, {"whose": guest})
