"""What a running match waits for, as far as every player may know."""

from collections.abc import Sequence
from typing import NamedTuple

from kaboom.engine.moves import Seat
from kaboom.errors import TableNotFound
from kaboom.social.chat.room import presence
from kaboom.tables.context import tables
from kaboom.tables.table import Table


class Wait(NamedTuple):
    """What a match waits for: the `names` of players, of whom some are `away` from the table, or a
    choice made in `secret`, `since` then (seconds since 1970); or why it does not go on (`state`).
    """

    names: Sequence[str] = ()
    away: Sequence[str] = ()
    secret: bool = False
    since: float = 0.0
    state: str = ""


def wait_at(code: str) -> Wait:
    """Return what the match at a table waits for. Where spectators do not see the present moment,
    neither does the host.
    """
    try:
        found = tables().get(code)
    except TableNotFound:
        return Wait(state="Its table cannot be read.")
    table = found.table
    if found.frozen:
        return Wait(state="It cannot go on: its log is damaged.")
    if table.paused:
        return Wait(state="Paused.")
    if table.watch:
        return Wait(state="Spectators may not see yet whose turn it is.")
    if seats := found.waiting_for():
        here = presence().at(found.code)
        names, away = [], []
        for seat in seats:
            names.append(table.seats[seat])
            occupant = table.occupant(seat)
            gone = here.known and occupant.player not in here.players
            if gone and not occupant.played_by_house:
                away.append(table.seats[seat])
        return Wait(names, away, since=_since(table, seats))
    sealed = [seat for seat, turn in table.turns.items() if turn.sealed]
    return Wait(secret=True, since=_since(table, sealed)) if sealed else Wait()


def _since(table: Table, seats: Sequence[Seat]) -> float:
    return min((table.turns[it].since for it in seats if it in table.turns), default=0.0)
