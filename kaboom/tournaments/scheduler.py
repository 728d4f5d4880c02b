"""The director: lets tournaments go on by themselves, in whichever worker gets there first.

What is to be done follows from the log of the tournament and the state of its tables. Each step is
a transaction of its own, which first checks that it is still to be done. So a worker may be killed
between any two steps, and two workers may try the same at once. No transaction locks a tournament
and one of its tables together; a table that fails does not keep the others from going on.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from sqlalchemy import Connection

from kaboom.db.database import Unavailable
from kaboom.tables.service import Tables
from kaboom.tables.shared_deals import queries as shared_deal_queries
from kaboom.tournaments import pairing_tables
from kaboom.tournaments import queries as store
from kaboom.tournaments import results as pods
from kaboom.tournaments.cache import TournamentNotFound, TournamentSnapshot, cache_of
from kaboom.tournaments.changes import GRACE, TournamentChange, change, due_at, look
from kaboom.tournaments.queries import BEFORE, ENDED, OPEN, PLAYING, READY, VOID, PodRow
from kaboom.tournaments.rules import rounds as course
from kaboom.tournaments.rules.events import (
    BoardClosed,
    Dealt,
    Event,
    How,
    PodOver,
    SeatResult,
    Verb,
)
from kaboom.tournaments.rules.state import Round

log = logging.getLogger(__name__)

LOOK = 1.0  # seconds from one look to the next
AT_ONCE = 20  # tournaments directed in a row
BREATH = 0.002  # seconds of rest between two tables, in which other requests get their turn
STEPS = 200  # done in one tournament before the next one
LATEST = 60.0  # seconds after which a table that was not dealt with the others is dealt no more
REST = 30.0  # seconds after which one that failed is looked at again


class Director:
    """Sees to tournaments beside the clock of a worker: opening many tables delays no move."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._wake = threading.Event()
        self._stopped = False

    def start(self) -> None:
        """Start in a thread (under gevent, a greenlet)."""
        threading.Thread(target=self._run, name="director", daemon=True).start()

    def stop(self) -> None:
        """Stop; a step being done is finished first."""
        self._stopped = True
        self._wake.set()

    def _run(self) -> None:
        while not self._stopped:
            try:
                direct_all(self.tables)
            except Unavailable:  # the store has told the log
                pass
            except Exception:
                log.exception("the director could not look at the tournaments")
            self._wake.wait(LOOK)


def direct_all(tables: Tables) -> None:
    """See to every tournament that is due, or has results to be taken in."""

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
            log.exception("tournament %s could not go on", code)
            _put_off(tables, code)


def _put_off(tables: Tables, code: str) -> None:
    """Leave a tournament that failed alone for a while."""

    def work(made: TournamentChange) -> None:
        made.columns["due_at"] = made.table_time + REST

    try:
        change(tables, code, work)
    except Exception:
        log.exception("tournament %s could not be put off", code)


def direct(tables: Tables, code: str) -> bool:
    """Do what is next in a tournament; return whether anything was done. Raises
    TournamentNotFound.
    """
    seen = look(tables, code)
    now = seen.table_time(tables.now())
    # 1. What tables have come to goes into the log.
    rows = _pods(tables, seen)
    if _collect(tables, seen, rows):
        return True
    # 2. The next step, if its time has come.
    step = course.next_step(seen.of)
    if step is not None and step.at <= now:
        return _step(tables, seen, step.what)
    # 3. Its tables: opened, begun, ended.
    if _tables_done(tables, seen, rows, now):
        return True
    # 4. Nothing: it is looked at again when something is due.
    _rest(tables, seen)
    return False


def _pods(tables: Tables, seen: TournamentSnapshot) -> list[PodRow]:
    round, of = seen.of.round, seen.row.id
    pairing = round.pairing if round else 0

    def work(connection: Connection) -> list[PodRow]:
        return [
            *store.pods_of(connection, of, pairing),
            *(it for it in store.void_pods(connection, of) if it.pairing != pairing),
            # Where the organiser had set the result, the match may end in a later round.
            *(it for it in store.unfinished_pods(connection, of) if it.pairing != pairing),
        ]

    return tables.database.read(work)


# Results


def _collect(tables: Tables, seen: TournamentSnapshot, rows: Sequence[PodRow]) -> bool:
    """Take what tables have come to into the log, many at a time."""
    round, rounds = seen.of.round, {it.pairing: it for it in seen.of.rounds}
    ended = [it for it in rows if it.state == ENDED]
    if round is None:
        return False
    wave = len(round.waves) - 1
    shared = seen.of.settings.duplicate and wave >= 0 and round.waves[wave].secret
    if shared and not _all_played(seen, round, wave, rows):
        return False  # what others made of the same cards is told when all have played them
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
    """Say whether all tables of a wave have played their cards. The organiser may have set a result
    for one that never began, or was taken away; one that plays on is waited for.
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
    found = pods.result_of(row)
    there = {it.entrant for it in found.seats}
    absent = [it for it in round.pods[row.number].entrants if it not in there]
    seats = (*found.seats, *(SeatResult(it, How.ABSENT) for it in absent))
    return PodOver(round.number, row.number, seats, at, found.record)


# Steps of the tournament itself


def _step(tables: Tables, seen: TournamentSnapshot, what: str) -> bool:
    """Do a step, unless something else has happened meanwhile; pairing is done beforehand."""
    of = seen.of
    pairing = (
        tables.aside(course.pairing, of, seen.draw(), tables.tournament_tables)
        if what == "pair"
        else None
    )

    def work(made: TournamentChange) -> None:
        if made.of.seq != of.seq:
            return
        if what == "check-in":
            made.add(course.check_in(of, made.table_time))
        elif what == "begin":
            made.add(course.beginning(of, seen.draw(course.entered(of))))
        elif what == "wave":
            made.add(course.wave_started(of, made.table_time))
        else:
            made.add(course.over() if pairing is None else pairing)
            if of.round is not None:  # where the organiser had set the result, nobody need come
                store.void(made.connection, seen.row.id, of.round.pairing)

    return change(tables, seen.code, work)


def _rest(tables: Tables, seen: TournamentSnapshot) -> None:
    """Note when the tournament is due next, unless something has happened meanwhile."""

    if due_at(seen.of, seen.table_time(tables.now())) == seen.row.due_at:
        return

    def work(made: TournamentChange) -> None:
        due = due_at(made.of, made.table_time)
        if made.of.seq == seen.of.seq and due != made.seen.row.due_at:
            made.columns["due_at"] = due

    change(tables, seen.code, work)


# Its tables


def _tables_done(
    tables: Tables, seen: TournamentSnapshot, rows: Sequence[PodRow], now: float
) -> bool:
    """Do what is due at the tables of the round; return whether anything was done."""
    round = seen.of.round
    did = False
    for gone in rows:
        if gone.code is not None and gone.state == VOID:
            did |= _at_table(seen, gone.number, pairing_tables.clear, tables, gone.code)
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
                did |= _at_table(
                    seen, number, pairing_tables.open_table, tables, seen, round, number
                )
            continue
        time = round.waves[wave]
        if row.state in BEFORE and _may_begin(seen, round, number, now):
            late = bool(time.dealt_at) and (time.closed or now > time.dealt_at + LATEST)
            if row.code is None:
                did |= _at_table(seen, number, pairing_tables.adjudicate, tables, round, row)
            else:
                removed = seen.of.removed()
                did |= _at_table(
                    seen, number, pairing_tables.begin, tables, row.code, removed, late
                )
    return did


def _seen_to(tables: Tables, seen: TournamentSnapshot, rows: Sequence[PodRow], now: float) -> bool:
    """End the matches whose time is up, those of earlier rounds included, and say at the others
    whether the organiser has set their result; return whether anything was done.
    """
    rounds, did = {it.pairing: it for it in seen.of.rounds}, False
    about = {(it.round, it.pod) for it in seen.of.rulings.values() if it.verb == Verb.RESULT}
    for row in rows:
        its = rounds.get(row.pairing)
        if its is None or row.state not in (*BEFORE, PLAYING):
            continue
        if row.state == PLAYING and now >= seen.of.ends_at(its, its.wave_of(row.number)):
            did |= _at_table(seen, row.number, pairing_tables.adjudicate, tables, its, row)
        elif (its.number, row.number) in about and row.code is not None:
            ruled = seen.of.result(its, row.number) is not None
            did |= _at_table(seen, row.number, pairing_tables.say_ruled, tables, row.code, ruled)
    return did


def _may_begin(seen: TournamentSnapshot, round: Round, number: int, now: float) -> bool:
    """Say whether a table begins now, whoever is there. With the same cards at all tables it does
    when these are dealt, with cards of its own without those who have not come in time.
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
    """Say whether the last wave's cards are to be dealt: everybody is ready, or had time to be."""
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


def _deal(tables: Tables, seen: TournamentSnapshot, round: Round) -> bool:
    """Decide that the same cards are dealt now at all tables of a wave, to those who are there.

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
    """Return work(*args), done at one table; False if it fails, so that the others go on.

    A rest follows, for requests that wait for the processor or the store.
    """
    try:
        did = work(*args)
        if did:
            time.sleep(BREATH)
        return did
    except Unavailable:  # the store has told the log
        return False
    except Exception:
        log.exception("tournament %s: pod %s could not go on", seen.code, number + 1)
        return False
