"""The sanctions and notices in force on this server, cached by each worker for a second.

A worker therefore queries the database at most once a second, not at every request.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from flask import Flask, current_app
from sqlalchemy import Connection

from kaboom.admin import queries
from kaboom.admin.queries import Sanction
from kaboom.admin.sanctions import OUT
from kaboom.tables.service import TableService

FOR = 1.0  # seconds


@dataclass(slots=True)
class Holding:
    """The sanctions by player, disabled keys and notices in force; `at` is when they were read."""

    at: float = -FOR
    of: TableService | None = None
    sanctions: dict[int, Sequence[Sanction]] = field(default_factory=dict)
    aside: dict[str, int] = field(default_factory=dict)
    addresses: dict[str, Sanction] = field(default_factory=dict)
    notices: dict[str, str] = field(default_factory=dict)


def init_app(app: Flask) -> None:
    """Create the cache, `extensions["kaboom.holding"]`."""
    app.extensions["kaboom.holding"] = Holding()


def holding(tables: TableService, at_once: bool = False) -> Holding:
    """Return what is in force; while the database is unavailable, what was in force before.

    With `at_once` the cache is bypassed, so that a host's page reflects what the host has just
    done.
    """
    found: Holding = current_app.extensions["kaboom.holding"]
    fresh = found.of is tables and time.monotonic() - found.at < FOR
    if fresh and not (at_once or current_app.testing):
        return found

    def work(connection: Connection) -> Holding:
        now, made = tables.now(), Holding(time.monotonic(), tables)
        for it in queries.holding(connection, now):
            made.sanctions[it.player] = [*made.sanctions.get(it.player, ()), it]
            if it.kind == OUT and it.until > now and it.address not in ("", "?"):
                made.addresses[it.address] = it
        made.aside = queries.set_aside(connection) if made.sanctions else {}
        made.notices = queries.notices(connection)
        return made

    try:
        made = tables.database.read(work)
    except Exception:  # /readyz and the requests that need the database report the fault
        made = replace(found, at=time.monotonic(), of=tables)
    current_app.extensions["kaboom.holding"] = made
    return made
