"""Reading tournaments, and changing them by appending to their logs.

A change is one transaction: lock the tournament, check the change against the log, append events.
If two workers try the same step, the second one finds it done.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from sqlalchemy import Connection

from kaboom.notifications import reminder_queries
from kaboom.notifications.notification import CHECK_IN
from kaboom.tables.service import TableService
from kaboom.tables.table import SEAT_HELD
from kaboom.tournaments import queries as store
from kaboom.tournaments.cache import TournamentNotFound, TournamentSnapshot, cache_of, opened_with
from kaboom.tournaments.rules.events import CheckInOpened, Event, Logged, written
from kaboom.tournaments.rules.pairing import next_step
from kaboom.tournaments.rules.state import Tournament, folded
from kaboom.web.idempotency.service import IdempotencyKey, run_once

GRACE = SEAT_HELD  # seconds after the start of a round during which players can arrive


def get_tournament(tables: TableService, code: str) -> TournamentSnapshot:
    """Return the tournament with that code; raises TournamentNotFound."""

    return tables.database.read(lambda connection: read_tournament(tables, connection, code))


def read_tournament(
    tables: TableService, connection: Connection, code: str, lock: bool = False
) -> TournamentSnapshot:
    """Return a tournament within a transaction; with `lock`, no other transaction can change it
    before this one ends. Raises TournamentNotFound.
    """
    row = store.tournament(connection, code, lock)
    if row is None:
        raise TournamentNotFound(code)
    return cache_of(tables).of(connection, row)


@dataclass
class TournamentChange:
    """A change in progress to a tournament; `events` will be appended to its log."""

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
        """Return the current table time, in which deadlines are given."""
        return self.seen.table_time(self.now)

    def add(self, event: Event) -> int:
        """Append an event; return its number."""
        self.events.append(event)
        return self.of.seq + len(self.events)


def change(
    tables: TableService,
    code: str,
    work: Callable[[TournamentChange], None],
    idempotency_key: IdempotencyKey | None = None,
) -> bool:
    """Apply `work` to a tournament in one transaction and refresh its open pages; return True if
    the tournament has changed.

    Raises TournamentNotFound and whatever `work` raises, and then changes nothing.
    """

    def attempt(connection: Connection) -> bool:
        seen = read_tournament(tables, connection, code, lock=True)
        made = TournamentChange(connection, seen, tables.now())

        def worked() -> str:
            work(made)
            return ""

        run_once(connection, idempotency_key, made.now, worked)
        if not made.events and not made.columns:
            return False
        if made.events:
            _log(made)
        store.save(connection, seen.row.id, made.columns)
        return True

    try:
        changed = tables.database.write(attempt)
    except Exception:
        cache_of(tables).forget(code)  # data read in a failed transaction is not cached
        raise
    if changed:
        tables.signals.changed(code, 0.0)
    return changed


def _log(made: TournamentChange) -> None:
    """Append the events to the log, and notify the players concerned."""
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
    after = folded(opened_with(row), [*seen.log, *fresh])
    # Once it has begun, the scheduler checks its tables at once.
    due = made.table_time if after.begun else due_at(after, made.table_time)
    made.columns |= {"version": after.seq, "ended": after.ended, "due_at": due}


def due_at(of: Tournament, now: float) -> float | None:
    """Return the table time at which the scheduler must next handle a tournament, or None if only a
    result can advance it.
    """
    limits = [it for it in of.limits() if it > now]
    step = next_step(of)
    if step is not None:
        return min(max(step.at, now), *limits, inf)
    return min((it for it in (*_graces(of), *limits) if it > now), default=None)


def _graces(of: Tournament) -> list[float]:
    """Return the table times from which missing players of the round count as absent; empty during
    a pause.
    """
    round = of.round
    if round is None or of.paused or (of.ended and not of.secret):
        return []
    begun = range(min(len(round.waves) * round.wave, len(round.pods)))
    waiting = (pod for pod in begun if of.result(round, pod) is None)
    return [of.waits_from(round, (pod,)) + GRACE for pod in waiting]
