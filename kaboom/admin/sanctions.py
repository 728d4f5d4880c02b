"""Sanctions: a host of this server warns a player, mutes them, or bans them for a number of days.

The player is told the reason and how to object (kaboom.admin.notices). Each sanction is in the list
of acts.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from kaboom.accounts.sessions import refresh_pages
from kaboom.admin import queries
from kaboom.admin.queries import Act, Sanction
from kaboom.admin.service import (
    UNBANNED,
    UNMUTED,
    record_act,
    require_days,
    require_known,
    require_why,
    tell,
)
from kaboom.db.times import DAY
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.errors import InvalidState, NotPermitted
from kaboom.tables.seats.leaving import leave_all
from kaboom.tables.service import TableService

HOUR = 3600.0
WARN, MUTE, OUT = "warn", "mute", "out"
CHANGED = {MUTE: "mute end", OUT: "out end"}  # kinds of messages to players about a new end
CHANGES = ("longer", "shorter", "change")  # first words of acts that move an end
MUTED = N_("The server’s host has muted you.")


def sanction(
    tables: TableService,
    host: str,
    player: int,
    kind: str,
    why: str,
    days: int = 0,
    by_address: bool = False,
) -> None:
    """Warn a player, or mute or ban them for `days` days; they are told the reason.

    A banned player leaves all tables: others see only that they left, and a running match goes on.
    With `by_address`, the IP address of their next request is blocked as well. Raises InvalidState.
    """
    why, now = require_why(why), tables.now()
    if kind not in (WARN, MUTE, OUT):
        raise InvalidState("Choose what to do.")
    if kind != WARN:
        require_days(days)

    def work(connection: Connection) -> None:
        name = require_known(connection, player)
        if kind == OUT and queries.is_host(connection, player):
            raise InvalidState("A host cannot be banned. Remove them as host first.")
        until = 0.0 if kind == WARN else now + days * DAY
        if kind != WARN and queries.is_sanctioned(connection, player, kind, now):
            done = "banned" if kind == OUT else "muted"
            raise InvalidState(f"{name} is already {done}. Change when that ends, or end it first.")
        values = {"player_id": player, "kind": kind, "why": why, "at": now}
        address = "?" if by_address and kind == OUT else ""
        queries.add_sanction(connection, values | {"until": until, "address": address})
        if kind == OUT:
            queries.set_keys_aside(connection, player)
        act = kind if kind == WARN else f"{kind} {days} days{' with IP' if address else ''}"
        record_act(connection, tables, host, act, queries.numbered(player, name), why)

    tables.database.write(work)
    tables.signals.ordered(player)
    if kind == OUT:
        leave_all(tables, player)
        refresh_pages(tables, player)


def change(
    tables: TableService,
    host: str,
    number: int,
    why: str,
    days: int | None,
    by_address: bool | None = None,
) -> None:
    """Make a mute or ban end that many days from now, and tell the player. With `by_address`, a ban
    blocks the IP address of the player's next request as well, or no longer. None leaves it as it
    is. Raises InvalidState.
    """
    why, now = require_why(why), tables.now()
    if days is not None:
        require_days(days)

    def work(connection: Connection) -> int:
        it = _in_force(connection, number, now)
        turned = it.kind == OUT and by_address is not None and by_address != bool(it.address)
        until = it.until if days is None else now + days * DAY
        moved = abs(until - it.until) >= HOUR
        if not (moved or turned):
            raise InvalidState(
                "Nothing has changed yet. Choose another number of days."
                if days is None
                else "It already ends then. Choose another number of days."
            )
        if turned:
            queries.set_address(connection, it.id, "?" if by_address else "")
            act = f"change out {'with' if by_address else 'without'} IP"
            _record(connection, tables, host, it, act, why)
        if moved:
            _set_end(connection, tables, it, until, why)
            act = "longer" if until > it.until else "shorter"
            _record(connection, tables, host, it, f"{act} {it.kind} {days} days", why)
        return it.player

    tables.signals.ordered(tables.database.write(work))


def change_back(tables: TableService, host: str, number: int, why: str) -> None:
    """Undo the last change of when a mute or ban ends. Raises InvalidState."""
    why, now = require_why(why), tables.now()

    def work(connection: Connection) -> int:
        it = _in_force(connection, number, now)
        ends = ends_of(queries.acts_on(connection, it.player, ()), it.kind)
        if len(ends) < 2 or ends[-2].at <= now:
            raise InvalidState(
                "There is no change to undo. You can end the sanction, or change how long it lasts."
            )
        _set_end(connection, tables, it, ends[-2].at, "")
        _record(connection, tables, host, it, f"change {it.kind} back", why)
        return it.player

    tables.signals.ordered(tables.database.write(work))


def _in_force(connection: Connection, number: int, now: float) -> Sanction:
    it = queries.in_force(connection, number, now)
    if it is None:
        raise InvalidState("No such sanction is in force.")
    return it


def _set_end(
    connection: Connection, tables: TableService, it: Sanction, until: float, why: str
) -> None:
    """Set the end of a sanction, and tell the player why instead of what they were told before. A
    change that was undone before the player had read it is not mentioned.
    """
    queries.set_end(connection, it.id, until)
    were = queries.set_read(connection, it.player, [CHANGED[it.kind]])
    if why or (it.kind == MUTE and it.read and not were):
        tell(connection, tables, it.player, CHANGED[it.kind], why)


def _record(
    connection: Connection, tables: TableService, host: str, it: Sanction, act: str, why: str
) -> None:
    name = require_known(connection, it.player)
    record_act(connection, tables, host, act, queries.numbered(it.player, name), why)


class End(NamedTuple):
    """When a sanction ends, and the reason for that."""

    at: float
    why: str


def ends_of(acts: Sequence[Act], kind: str) -> list[End]:
    """Return the ends of the last sanction of a kind, the original one first, then one for each
    change that was not undone. `acts` are those on its player, newest first.
    """
    found: list[End] = []
    for it in reversed(acts):
        match it.act.split():
            case [given, _days, "days", *_address] if given == kind:
                found = [End(end_of(it), it.why)]
            case ["change", changed, "back"] if changed == kind:
                found = found[:-1]
            case [act, changed, _days, "days"] if changed == kind and act in CHANGES:
                found.append(End(end_of(it), it.why))
    return found


def end_of(act: Act) -> float:
    """Return when the sanction ends that an act gives or changes; 0 for other acts."""
    match act.act.split():
        case [first, days, "days", *_address] if first in (MUTE, OUT):
            return act.at + int(days) * DAY
        case [first, _kind, days, "days"] if first in CHANGES:
            return act.at + int(days) * DAY
    return 0.0


def lift(tables: TableService, host: str, number: int, why: str) -> None:
    """End a sanction; a banned player may return. Raises InvalidState."""
    why, now = require_why(why), tables.now()

    def work(connection: Connection) -> int:
        it = _in_force(connection, number, now)
        queries.set_end(connection, it.id, now)
        _record(connection, tables, host, it, f"lift {it.kind}", why)
        queries.set_read(connection, it.player, [CHANGED[it.kind]])
        # Why it ends is for the log.
        tell(connection, tables, it.player, UNMUTED if it.kind == MUTE else UNBANNED, "")
        give_back(connection, now)
        return it.player

    player = tables.database.write(work)
    tables.signals.ordered(player)
    refresh_pages(tables, player)


def give_back(connection: Connection, now: float) -> None:
    """Enable the keys of players who are no longer banned."""
    for player in queries.over(connection, now):
        queries.give_keys_back(connection, player, now)


def require_not_muted(connection: Connection, player: int, now: float) -> None:
    """Raise NotPermitted for a player whom the host has muted."""
    if queries.is_sanctioned(connection, player, MUTE, now):
        raise NotPermitted(_(MUTED))
