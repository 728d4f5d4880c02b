"""Sanctions: a host of this server warns a player, mutes them, or bans them for some days.

The player is told the reason and how to object (kaboom.admin.notices). Each sanction is in the list
of acts.
"""

from sqlalchemy import Connection

from kaboom.accounts.sessions import refresh_pages
from kaboom.admin import queries
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
from kaboom.tables.service import TableService

HOUR = 3600.0
WARN, MUTE, OUT = "warn", "mute", "out"
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
    """Warn a player, or mute or ban them for some days; they are told the reason.

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
        if kind == OUT and queries.is_sanctioned(connection, player, kind, now):
            raise InvalidState(f"{name} is already banned. End that ban first.")
        if kind == MUTE:
            _end_shorter(connection, player, name, now, until)
        values = {"player_id": player, "kind": kind, "why": why, "at": now}
        address = "?" if by_address and kind == OUT else ""
        queries.add_sanction(connection, values | {"until": until, "address": address})
        if kind == OUT:
            queries.set_keys_aside(connection, player)
        act = kind if kind == WARN else f"{kind} {days} days"
        record_act(connection, tables, host, act, f"{name} ({player})", why)

    tables.database.write(work)
    tables.signals.ordered(player)
    if kind == OUT:
        refresh_pages(tables, player)


def _end_shorter(connection: Connection, player: int, name: str, now: float, until: float) -> None:
    """End the mutes that a longer one replaces. Raises InvalidState if the new one is not
    longer.
    """
    for it in queries.sanctions_of(connection, player):
        if it.kind == MUTE and it.until > now:
            if until - it.until < HOUR:
                raise InvalidState(f"{name} is already muted for that long. Choose more days.")
            queries.lift(connection, it.id, now)


def lift(tables: TableService, host: str, number: int, why: str) -> tuple[int, str]:
    """End a sanction and return its player and kind; a banned player may return. Raises
    InvalidState.
    """
    why, now = require_why(why), tables.now()

    def work(connection: Connection) -> tuple[int, str]:
        lifted = queries.lift(connection, number, now)
        if lifted is None:
            raise InvalidState("No such sanction is in force.")
        player, kind = lifted
        name = require_known(connection, player)
        record_act(connection, tables, host, f"lift {kind}", f"{name} ({player})", why)
        # Why it ends is for the log.
        tell(connection, tables, player, UNMUTED if kind == MUTE else UNBANNED, "")
        give_back(connection, now)
        return player, kind

    player, kind = tables.database.write(work)
    tables.signals.ordered(player)
    refresh_pages(tables, player)
    return player, kind


def give_back(connection: Connection, now: float) -> None:
    """Enable the keys of players who are no longer banned."""
    for player in queries.over(connection, now):
        queries.give_keys_back(connection, player, now)


def require_not_muted(connection: Connection, player: int, now: float) -> None:
    """Raise NotPermitted for a player whom the host has muted."""
    if queries.is_sanctioned(connection, player, MUTE, now):
        raise NotPermitted(_(MUTED))
