"""The scheduler: runs tournaments automatically, in the first worker that gets to each step.

The next step follows from the log of the tournament and the state of its tables. Each step is a
separate transaction, which first checks that it is still to be done. So a worker may be killed
between steps, and two workers may try the same step simultaneously. No transaction locks both a
tournament and one of its tables. A failing table does not stop the others.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from sqlalchemy import Connection

from kaboom.db.database import Unavailable
from kaboom.tables.service import TableService
from kaboom.tables.shared_deals import queries as shared_deal_queries
from kaboom.tournaments import queries as store
from kaboom.tournaments import results, round_tables
from kaboom.tournaments.cache import TournamentNotFound, TournamentSnapshot, cache_of
from kaboom.tournaments.changes import GRACE, TournamentChange, change, due_at, get_tournament
from kaboom.tournaments.queries import BEFORE, ENDED, OPEN, PLAYING, READY, VOID, PodRow
from kaboom.tournaments.rules import pairing as rounds_module
from kaboom.tournaments.rules.events import (
    BoardClosed,
    Dealt,
    Event,
    How,
    Over,
    PodOver,
    SeatResult,
    Verb,
)
from kaboom.tournaments.rules.state import Round

log = logging.getLogger(__name__)

LOOK = 1.0  # seconds between two checks
AT_ONCE = 20  # tournaments handled in one check
BREATH = 0.002  # seconds to pause after each table, so that requests are served
STEPS = 200  # steps in one tournament, at most, before the next one
LATEST = 60.0  # seconds after the deal during which a late table can still begin
REST = 30.0  # seconds before a tournament that failed is tried again


class TournamentScheduler:
    """Runs tournaments in a thread next to the clock, so that opening many tables delays no
    move.
    """

    def __init__(self, tables: TableService) -> None:
        self.tables = tables
        self._wake = threading.Event()
        self._stopped = False

    def start(self) -> None:
        """Start in a thread (under gevent, a greenlet)."""
        threading.Thread(target=self._run, name="tournaments", daemon=True).start()

    def stop(self) -> None:
        """Stop after the current step is finished."""
        self._stopped = True
        self._wake.set()

    def _run(self) -> None:
        while not self._stopped:
            try:
                direct_all(self.tables)
            except Unavailable:  # the database has logged it
                pass
            except Exception:
                log.exception("could not read the tournaments")
            self._wake.wait(LOOK)


def direct_all(tables: TableService) -> None:
    """Handle all tournaments that are due or have new results."""

    def work(connection: Connection) -> list[str]:
        now, after = tables.table_time(connection), cache_of(tables).seen_to
        return store.due(connection, now, AT_ONCE, after)

    for code in tables.database.read(work):
        cache_of(tables).seen_to = code
        try:
            for _ in range(STEPS):
                if not direct(tables, code):
                    break
        except (TournamentNotFound, Unavailable):
            continue
        except Exception:
            log.exception("tournament %s: step failed", code)
            _put_off(tables, code)


def _put_off(tables: TableService, code: str) -> None:
    """Postpone a failed tournament by REST seconds."""

    def work(made: TournamentChange) -> None:
        made.columns["due_at"] = made.table_time + REST

    try:
        change(tables, code, work)
    except Exception:
        log.exception("tournament %s: could not be postponed", code)


def direct(tables: TableService, code: str) -> bool:
    """Do the next step of a tournament; return True if anything was done. Raises
    TournamentNotFound.
    """
    seen = get_tournament(tables, code)
    now = seen.table_time(tables.now())
    # 1. New results of tables are added to the log.
    # If the organiser has set a result, the match may end in a later round.
    pairing = seen.of.round.pairing if seen.of.round else 0
    rows = tables.database.read(lambda c: store.pods_to_see_to(c, seen.row.id, pairing))
    if _collect(tables, seen, rows):
        return True
    # 2. The next step is taken if it is due.
    step = rounds_module.next_step(seen.of)
    if step is not None and step.at <= now:
        return _step(tables, seen, step.what)
    # 3. Its tables are opened, begun or ended.
    if _tables_done(tables, seen, rows, now):
        return True
    # 4. Otherwise it is checked again when something is due.
    _rest(tables, seen)
    return False


# Results


def _collect(tables: TableService, seen: TournamentSnapshot, rows: Sequence[PodRow]) -> bool:
    """Add the results of tables to the log; return True if there were any."""
    round, rounds = seen.of.round, {it.pairing: it for it in seen.of.rounds}
    ended = [it for it in rows if it.state == ENDED]
    if round is None:
        return False
    wave = len(round.waves) - 1
    shared = seen.of.settings.duplicate and wave >= 0 and round.waves[wave].secret
    if shared and not _all_played(seen, round, wave, rows):
        return False  # results on shared cards are published once all tables have played them
    if not ended and not shared:
        return False

    def work(made: TournamentChange) -> None:
        if made.of.seq != seen.of.seq:
            return
        for row in ended:
            if store.collect(made.connection, row.id) and row.pairing in rounds:
                made.add(_pod_over(rounds[row.pairing], row, made.table_time))
        if shared:
            made.add(BoardClosed(round.number, wave))
            shared_deal_queries.close(made.connection, [seen.label(round.number, wave)], made.now)

    return change(tables, seen.code, work)


def _all_played(seen: TournamentSnapshot, round: Round, wave: int, rows: Sequence[PodRow]) -> bool:
    """Return True if all tables of a wave have played their cards.

    A table that never began, or was deleted, needs a result set by the organiser. A running match
    must end.
    """
    of_round = [it for it in rows if it.pairing == round.pairing]
    gone = {it.number for it in of_round if it.code is None and it.state == PLAYING}
    states = {it.number: OPEN if it.number in gone else it.state for it in of_round}
    return all(
        states.get(pod) not in (*BEFORE, PLAYING, None)
        or (states.get(pod) != PLAYING and seen.of.result(round, pod) is not None)
        for pod in round.pods_of(wave)
    )


def _pod_over(round: Round, row: PodRow, at: float) -> Event:
    found = results.result_of(row)
    there = {it.entrant for it in found.seats}
    absent = [it for it in round.pods[row.number].entrants if it not in there]
    seats = (*found.seats, *(SeatResult(it, How.ABSENT) for it in absent))
    return PodOver(round.number, row.number, seats, at, found.record)


# Steps of the tournament itself


def _step(tables: TableService, seen: TournamentSnapshot, what: str) -> bool:
    """Do a step, unless the tournament has changed; return True if it was done.

    The slow pairing is computed before the transaction.
    """
    of = seen.of
    pairing = (
        tables.run_in_thread(rounds_module.pairing, of, seen.draw(), tables.tournament_tables)
        if what == "pair"
        else None
    )

    def work(made: TournamentChange) -> None:
        if made.of.seq != of.seq:
            return
        if what == "check-in":
            made.add(rounds_module.check_in(of, made.table_time))
        elif what == "begin":
            made.add(rounds_module.beginning(of, seen.draw(rounds_module.entered(of))))
        elif what == "wave":
            made.add(rounds_module.wave_started(of, made.table_time))
        else:
            made.add(Over() if pairing is None else pairing)
            if of.round is not None:  # results set by the organiser make tables unnecessary
                store.void(made.connection, seen.row.id, of.round.pairing)

    return change(tables, seen.code, work)


def _rest(tables: TableService, seen: TournamentSnapshot) -> None:
    """Store when the tournament is due next, unless it has changed."""

    if due_at(seen.of, seen.table_time(tables.now())) == seen.row.due_at:
        return

    def work(made: TournamentChange) -> None:
        due = due_at(made.of, made.table_time)
        if made.of.seq == seen.of.seq and due != made.seen.row.due_at:
            made.columns["due_at"] = due

    change(tables, seen.code, work)


# Its tables


def _tables_done(
    tables: TableService, seen: TournamentSnapshot, rows: Sequence[PodRow], now: float
) -> bool:
    """Do what is due at the tables of the round; return True if anything was done."""
    round = seen.of.round
    did = False
    for gone in rows:
        if gone.code is not None and gone.state == VOID:
            did |= _at_table(seen, gone.number, round_tables.clear, tables, gone.code)
    if round is None:
        return did
    did |= _seen_to(tables, seen, rows, now)
    opened = {it.number: it for it in rows if it.pairing == round.pairing}
    if seen.of.settings.duplicate and _is_to_be_dealt(seen, round, opened, now):
        return _deal(tables, seen, round) or did
    for number in range(len(round.pods)):
        wave = round.wave_of(number)
        if wave >= len(round.waves) or seen.of.result(round, number) is not None:
            continue
        row = opened.get(number)
        if row is None:
            if not seen.of.ended:
                did |= _at_table(seen, number, round_tables.open_table, tables, seen, round, number)
            continue
        time = round.waves[wave]
        if row.state in BEFORE and _may_begin(seen, round, number, now):
            late = bool(time.dealt_at) and (time.closed or now > time.dealt_at + LATEST)
            if row.code is None:
                did |= _at_table(seen, number, round_tables.adjudicate, tables, round, row)
            else:
                removed = seen.of.removed()
                did |= _at_table(seen, number, round_tables.begin, tables, row.code, removed, late)
    return did


def _seen_to(
    tables: TableService, seen: TournamentSnapshot, rows: Sequence[PodRow], now: float
) -> bool:
    """End the matches, of all rounds, whose time is up; return True if anything was done.

    At the other tables, log whether the organiser has set their result.
    """
    rounds, did = {it.pairing: it for it in seen.of.rounds}, False
    about = {(it.round, it.pod) for it in seen.of.rulings.values() if it.verb == Verb.RESULT}
    for row in rows:
        its = rounds.get(row.pairing)
        if its is None or row.state not in (*BEFORE, PLAYING):
            continue
        if row.state == PLAYING and now >= seen.of.ends_at(its, its.wave_of(row.number)):
            did |= _at_table(seen, row.number, round_tables.adjudicate, tables, its, row)
        elif (its.number, row.number) in about and row.code is not None:
            ruled = seen.of.result(its, row.number) is not None
            did |= _at_table(seen, row.number, round_tables.say_ruled, tables, row.code, ruled)
    return did


def _may_begin(seen: TournamentSnapshot, round: Round, number: int, now: float) -> bool:
    """Return True if a table may begin now, even with players missing.

    With shared cards, it may begin once these are dealt; otherwise when the time to arrive is over
    or, if all its entrants are bots, at once.
    """
    of = seen.of
    if of.settings.duplicate:
        return bool(round.waves[round.wave_of(number)].dealt_at)
    if of.paused:
        return False
    return _bots_only(seen, round, number) or now >= of.waits_from(round, (number,)) + GRACE


def _bots_only(seen: TournamentSnapshot, round: Round, number: int) -> bool:
    return all(seen.of.entrants[it].bot for it in round.pods[number].entrants)


def _is_to_be_dealt(
    seen: TournamentSnapshot, round: Round, opened: Mapping[int, PodRow], now: float
) -> bool:
    """Return True if the last wave's cards can be dealt: all players are ready, or the time for
    them to arrive is over.
    """
    of = seen.of
    if of.ended or of.paused or not round.waves or round.waves[-1].dealt_at:
        return False
    numbers = round.pods_of(len(round.waves) - 1)
    waiting = [it for it in numbers if of.result(round, it) is None]
    if not waiting or not all(it in opened for it in waiting):
        return False
    return now >= of.waits_from(round, waiting) + GRACE or all(
        opened[it].state == READY or _bots_only(seen, round, it) for it in waiting
    )


def _deal(tables: TableService, seen: TournamentSnapshot, round: Round) -> bool:
    """Record that the shared cards of a wave are dealt now; return True if it was recorded.

    Each table then deals in a transaction of its own.
    """
    wave = len(round.waves) - 1

    def work(made: TournamentChange) -> None:
        if made.of.seq == seen.of.seq:
            shared_deal_queries.add(made.connection, made.seen.board(round.number, wave, made.now))
            made.add(Dealt(round.number, wave, made.table_time))

    return change(tables, seen.code, work)


def _at_table(
    seen: TournamentSnapshot, number: int, work: Callable[..., bool], *args: object
) -> bool:
    """Run work(*args), which changes one table, and return its result; return False if it fails.

    A short sleep follows, so that requests waiting for the processor or the database are served.
    """
    try:
        did = work(*args)
        if did:
            time.sleep(BREATH)
        return did
    except Unavailable:  # the database has logged it
        return False
    except Exception:
        log.exception("tournament %s: pod %s failed", seen.code, number + 1)
        return False
