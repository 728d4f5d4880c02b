"""Tournaments of a store: looked at, and changed, always by adding to their logs.

A change is one transaction: lock the tournament, judge by what its log says, add to the log. So
whatever two workers do at the same time, one of them comes second and finds it done.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from sqlalchemy import Connection

from kaboom.notifications import reminder_queries
from kaboom.notifications.waiting import CHECK_IN
from kaboom.tables.service import Tables
from kaboom.tables.table import SEAT_HELD
from kaboom.tournaments import queries as store
from kaboom.tournaments.cache import TournamentNotFound, TournamentSnapshot, cache_of
from kaboom.tournaments.rules.events import CheckInOpened, Event, Logged, written
from kaboom.tournaments.rules.rounds import next_step
from kaboom.tournaments.rules.state import Tournament, folded
from kaboom.web.idempotency.service import Command, only_once

GRACE = SEAT_HELD  # after the start of a round


def look(tables: Tables, code: str) -> TournamentSnapshot:
    """Return the tournament with that code; raises TournamentNotFound."""

    def work(connection: Connection) -> TournamentSnapshot:
        row = store.tournament(connection, code)
        if row is None:
            raise TournamentNotFound(code)
        return cache_of(tables).of(connection, row)

    return tables.database.read(work)


def tournament_of(tables: Tables, connection: Connection, code: str) -> Tournament:
    """Return what a tournament has come to, for one of its tables that is being changed: it is read
    and not held. Raises TournamentNotFound.
    """
    row = store.tournament(connection, code)
    if row is None:
        raise TournamentNotFound(code)
    return cache_of(tables).of(connection, row).of


@dataclass
class TournamentChange:
    """A tournament in the middle of a change: `events` are what will be added to its log."""

    connection: Connection
    seen: TournamentSnapshot
    now: float
    events: list[Event] = field(default_factory=list)
    columns: dict[str, Any] = field(default_factory=dict)

    @property
    def of(self) -> Tournament:
        """Return the tournament as it was before the change."""
        return self.seen.of

    @property
    def table_time(self) -> float:
        """Return the time in which its deadlines are counted."""
        return self.seen.table_time(self.now)

    def add(self, event: Event) -> int:
        """Let something happen; return its number."""
        self.events.append(event)
        return self.of.seq + len(self.events)


def change(
    tables: Tables,
    code: str,
    work: Callable[[TournamentChange], None],
    once: Command | None = None,
) -> bool:
    """Do `work` on a tournament in one transaction, and tell everybody who has it open; return
    whether anything has changed in it.

    Raises TournamentNotFound, and what `work` raises; then nothing has changed.
    """

    def attempt(connection: Connection) -> bool:
        row = store.tournament(connection, code, lock=True)
        if row is None:
            raise TournamentNotFound(code)
        seen = cache_of(tables).of(connection, row)
        made = TournamentChange(connection, seen, tables.now())

        def worked() -> str:
            work(made)
            return ""

        only_once(connection, once, made.now, worked)
        if not made.events and not made.columns:
            return False
        if made.events:
            _log(made)
        store.save(connection, row.id, made.columns)
        return True

    try:
        changed = tables.database.write(attempt)
    except Exception:
        cache_of(tables).forget(code)  # what was read in a transaction that failed is not kept
        raise
    if changed:
        tables.signals.changed(code, 0.0)
    return changed


def _log(made: TournamentChange) -> None:
    """Add an event to the log, and call the players it concerns."""
    connection, seen, row = made.connection, made.seen, made.seen.row
    fresh = [
        Logged(seen.of.seq + number, event, made.now) for number, event in enumerate(made.events, 1)
    ]
    rows = [
        {"tournament_id": row.id, "seq": it.seq, "body": written(it.event).decode(), "at": it.at}
        for it in fresh
    ]
    store.append(connection, rows)
    if any(isinstance(it, CheckInOpened) for it in made.events):
        reminder_queries.put_for_entrants(connection, f"{CHECK_IN} {row.code}", made.now, row.id)
    after = folded(seen.settings, [*seen.log, *fresh])
    # Once it has begun, what there is to do at its tables is found by looking.
    due = made.table_time if after.begun else due_at(after, made.table_time)
    made.columns |= {"version": after.seq, "ended": after.ended, "due_at": due}


def due_at(of: Tournament, now: float) -> float | None:
    """Return when the director must look at a tournament next that it has just seen to, in table
    time; None: it need not, unless a table has its result.
    """
    limits = [it for it in of.limits() if it > now]
    step = next_step(of)
    if step is not None:
        return min(max(step.at, now), *limits, inf)
    return min((it for it in (*_graces(of), *limits) if it > now), default=None)


def _graces(of: Tournament) -> list[float]:
    """Return when those who have not come to a table of the round are absent; never in a pause."""
    round = of.round
    if round is None or of.paused or (of.ended and not of.secret):
        return []
    begun = range(min(len(round.waves) * round.wave, len(round.pods)))
    waiting = (pod for pod in begun if of.result(round, pod) is None)
    return [of.waits_from(round, (pod,)) + GRACE for pod in waiting]
