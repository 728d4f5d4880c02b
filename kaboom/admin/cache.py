"""The sanctions and notices in force on this server, cached by each worker for a second.

A worker therefore queries the database at most once a second, not at every request. When a host
acts, all workers query it again, and the open tables concerned are notified.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from flask import Flask, current_app, g
from sqlalchemy import Connection

from kaboom.admin import queries
from kaboom.admin.queries import MatchOf, Sanction
from kaboom.admin.sanctions import OUT
from kaboom.admin.service import END, VOID
from kaboom.realtime.hub import Hub
from kaboom.realtime.presence import Presence
from kaboom.tables import queries as table_queries
from kaboom.tables.service import TableService

FOR = 1.0  # seconds
ORDERED = "ordered "  # in messages to other workers: precedes a table's code, ALL, or ""
ABOUT_MATCHES = (END, VOID)
ALL = "all"  # every open table


@dataclass(slots=True)
class Holding:
    """What is in force: sanctions by player, disabled keys, notices, hosts, open reports; `at` is
    when it was read.
    """

    at: float = -FOR
    of: TableService | None = None
    sanctions: dict[int, Sequence[Sanction]] = field(default_factory=dict)
    aside: dict[str, int] = field(default_factory=dict)
    addresses: dict[str, Sanction] = field(default_factory=dict)
    notices: dict[str, str] = field(default_factory=dict)
    hosts: set[int] = field(default_factory=set)
    matches: dict[int, MatchOf] = field(default_factory=dict)  # of unread messages, by their ids
    reports: int = 0  # open ones; 0 on a server without hosts


def init_app(app: Flask) -> None:
    """Create the cache, `extensions["kaboom.holding"]`."""
    app.extensions["kaboom.holding"] = Holding()


def orders(app: Flask, hub: Hub, presence: Presence) -> Callable[[int | None], None]:
    """Return the function to call when a host has acted on a player (None: on all players): every
    worker then empties its cache and wakes the player's open tables (None: all open tables).
    """

    def heard(topic: str) -> None:
        app.extensions["kaboom.holding"] = replace(app.extensions["kaboom.holding"], of=None)
        code = topic.removeprefix(ORDERED)
        if code == ALL:
            hub.wake_all()
        else:
            hub.wake(code)

    def ordered(player: int | None) -> None:
        if player is None:
            codes = {ALL}
        else:
            tables: TableService = app.config["TABLES"]
            known = tables.database.read(lambda c: table_queries.known_at(c, player))
            codes = {"", *known, *presence.tables_of(player)}  # "": empties the caches, at least
        for code in codes:
            heard(f"{ORDERED}{code}")
            hub.tell_others(f"{ORDERED}{code}")

    hub.hear(ORDERED, heard)
    return ordered


def holding(tables: TableService, at_once: bool = False) -> Holding:
    """Return what is in force; while the database is unavailable, what was in force before.

    With `at_once` the cache is bypassed, so that a host's page reflects what the host has just
    done.
    """
    found: Holding = current_app.extensions["kaboom.holding"]
    fresh = found.of is tables and time.monotonic() - found.at < FOR
    if current_app.testing:  # with a clock of its own: cached for a request only
        fresh = fresh and g.get("holding") is found
    if fresh and not at_once:
        return found

    def work(connection: Connection) -> Holding:
        now, made = tables.now(), Holding(time.monotonic(), tables)
        for it in queries.holding(connection, now):
            made.sanctions[it.player] = [*made.sanctions.get(it.player, ()), it]
            if it.kind == OUT and it.until > now and it.address not in ("", "?"):
                made.addresses[it.address] = it
        its = [it for own in made.sanctions.values() for it in own if it.kind in ABOUT_MATCHES]
        made.matches = queries.matches_of(connection, its)
        made.aside = queries.set_aside(connection) if made.sanctions else {}
        made.notices = queries.notices(connection)
        made.hosts = queries.ids_of_hosts(connection)
        made.reports = queries.open_reports(connection) if made.hosts else 0
        return made

    try:
        made = tables.database.read(work)
    except Exception:  # /readyz and the requests that need the database report the fault
        made = replace(found, at=time.monotonic(), of=tables)
    current_app.extensions["kaboom.holding"] = g.holding = made
    return made
