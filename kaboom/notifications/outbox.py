"""Calls players at their turn: a stored outbox, one call a way, table and turn; and to what else
waits for them (kaboom.notifications.reminders).

What begins is written down within a second, by whichever worker made the move; what a dead one left
undone is found when the next starts. A call is leased, looked at again, then sent. So a worker that
is killed loses none; one killed between an answer and its note calls twice.
"""

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import inf
from typing import Any, TypeVar

from sqlalchemy import Connection

from kaboom.db.database import Unavailable
from kaboom.errors import TableNotFound
from kaboom.notifications import channel_queries as store
from kaboom.notifications import channels as ways
from kaboom.notifications import outbox_queries as outbox
from kaboom.notifications import reminder_queries as notices
from kaboom.notifications.channel_queries import WayRow, WishRow
from kaboom.notifications.outbox_queries import CallRow
from kaboom.notifications.quiet_hours import end_of_quiet
from kaboom.notifications.reminder_queries import NoticeRow
from kaboom.notifications.reminders import told
from kaboom.notifications.waiting import NUDGE, OPENS, TURN, Call, Waiting
from kaboom.tables import queries
from kaboom.tables.clock.turns import READY, Turn
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import SEAT_HELD

log = logging.getLogger(__name__)

R = TypeVar("R", CallRow, NoticeRow)

PATIENCE = 5.0  # seconds into a turn before a player is called: a quick one needs no call
PATIENCE_BY_DAYS = 60.0  # … where a match is played over days
LEASE = 60.0  # seconds in which one worker sees to a call
RETRIES = (60.0, 300.0, 1500.0)  # seconds until it is tried again
LONGEST_WAIT = 3600.0  # seconds that a receiver may ask us to wait, once
AT_ONCE = 8  # calls under way in one process
MOST = 100  # calls looked at in a row
GATHERED = 1.0  # seconds in which what begins is gathered
LOOK = 15.0  # seconds after which the outbox is looked at anyway: others may have left something
WATCHING = 30.0  # seconds after which somebody who had the table open is looked for again
UNKNOWN = 60.0  # seconds after a start in which not knowing who has a table open holds calls back
SWEEP = 3600.0  # seconds between two searches for what was never written down
TABLES = 2000  # looked at by it
LONGEST_CLOSE = 5.0  # seconds for which closing waits until the outbox has been left alone


class NotArrived(Exception):
    """A call that was not taken. `gone`: the address is no more; `hopeless`: it need not be tried
    again; `after`: the seconds it asks us to wait.
    """

    def __init__(
        self, why: str, *, gone: bool = False, hopeless: bool = False, after: float | None = None
    ) -> None:
        super().__init__(why)
        self.gone, self.hopeless, self.after = gone, hopeless, after


class TurnCalls:
    """The outbox. `send(call)` delivers, and raises NotArrived when that fails.

    `streams(code)` are the players who have that table open on a stream; None: nobody knows yet.
    `spawn(work)` does work without waiting for it.
    """

    def __init__(
        self,
        tables: Tables,
        send: Callable[[Call], Any],
        streams: Callable[[str], Collection[int] | None] = lambda code: (),
        spawn: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        self._tables = tables
        self._send = send
        self._streams = streams
        self._spawn = spawn or _in_a_thread
        self._lock = threading.Lock()
        self._begun: dict[str, set[int]] = {}
        self._wake = threading.Event()
        self._room = threading.Semaphore(AT_ONCE)
        self._thread: threading.Thread | None = None
        self._born = time.monotonic()
        self._over = threading.Event()

    def start(self) -> None:
        """See to the outbox in a thread (under gevent, a greenlet)."""
        with self._lock:
            if self._thread is None and not self._over.is_set():
                self._thread = threading.Thread(target=self._run, name="calls", daemon=True)
                self._thread.start()

    def begun(self, code: str, players: Iterable[int]) -> None:
        """Note that the table has begun to wait for these players; returns at once."""
        if self._over.is_set():
            return
        self._keep_begun({code: players})
        self.start()
        self._wake.set()

    def close(self) -> None:
        """Call nobody any more; a call that is on its way arrives. The store is not used afterwards
        but to note how that went.
        """
        self._over.set()
        self._wake.set()
        with self._lock:
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(LONGEST_CLOSE)

    def _run(self) -> None:
        swept = -SWEEP
        while not self._over.is_set():
            sleep = LOOK
            try:
                if time.monotonic() - swept >= SWEEP:
                    swept = time.monotonic()
                    self.sweep()
                sleep = self.tick()
            except Unavailable:  # the store has told the log
                pass
            except Exception:
                log.exception("the outbox of calls could not be seen to")
            if not self._over.is_set():
                self._wake.wait(sleep)
                self._wake.clear()
                self._over.wait(GATHERED)

    def tick(self) -> float:
        """Write down what has begun, see to all that is due; return seconds to sleep at most."""
        self._write_down_begun()
        now = self._tables.now()
        database = self._tables.database
        soonest = database.read(_next_due)
        if soonest is not None and soonest <= now:
            self._see_to(database.write(lambda c: outbox.lease(c, now, LEASE, MOST)))
            self._see_to_notices(database.write(lambda c: notices.lease(c, now, LEASE, MOST)))
            soonest = database.read(_next_due)
        return LOOK if soonest is None else min(LOOK, max(GATHERED, soonest - now))

    def sweep(self) -> None:
        """Write down what a worker that was killed could not."""
        codes = self._tables.database.read(lambda c: outbox.callable_tables(c, TABLES))
        self._write_down(dict.fromkeys(codes))

    # Writing down

    def _keep_begun(self, begun: Mapping[str, Iterable[int]]) -> None:
        """Keep for which players tables have begun to wait, until that is written down."""
        with self._lock:
            for code, players in begun.items():
                self._begun.setdefault(code, set()).update(players)

    def _write_down_begun(self) -> None:
        """Write down what has begun; raises Unavailable, and then it is kept for another try."""
        with self._lock:
            begun, self._begun = self._begun, {}
        try:
            self._write_down(begun)
        except Unavailable:
            self._keep_begun(begun)
            raise

    def _write_down(self, begun: Mapping[str, Collection[int] | None]) -> None:
        """Put what is to be called into the outbox, for these players at tables (None: for all)."""
        found = {code: self._waited_for(code) for code in begun if begun[code] is None}
        who = {player for waited in found.values() for player in waited}
        who |= {player for players in begun.values() for player in players or ()}
        if not who:
            return
        called = self._tables.database.read(lambda c: outbox.called_for(c, who))
        callable_ = {player for _, player, _ in called}
        rows: list[dict[str, Any]] = []
        for code, players in begun.items():
            if players is not None and callable_.isdisjoint(players):
                continue
            waited = found.get(code) or self._waited_for(code)
            table_id = self._table_id(code)
            due_at = self._tables.now() + self._patience(code)
            rows += [
                {
                    "way_id": way,
                    "table_id": table_id,
                    "turn": turn,
                    "due_at": due_at,
                }
                for player, turn in waited.items()
                if players is None or player in players
                for way, owner, only in called
                if owner == player and only in (None, table_id)
            ]
        if rows:
            self._tables.database.write(lambda connection: outbox.put(connection, rows))

    def _patience(self, code: str) -> float:
        snapshot = _look(self._tables, code)
        return PATIENCE_BY_DAYS if snapshot is not None and snapshot.table.days else PATIENCE

    def _table_id(self, code: str) -> int | None:
        return self._tables.database.read(lambda connection: queries.table_id(connection, code))

    def _waited_for(self, code: str) -> dict[int, int]:
        """Return the players whose turn it is at a table, with its number."""
        snapshot = _look(self._tables, code)
        if snapshot is None:
            return {}
        return {
            player: snapshot.table.turns[seat].number
            for seat, player in snapshot.table.people().items()
            if waits_for(snapshot, player)
        }

    # Seeing to what is due

    def _see_to(self, rows: Sequence[CallRow]) -> None:
        """Send what is to be sent of these leased calls; the others wait, or are moot."""
        if not rows:
            return
        found, wishes = self._ways_of(rows)
        sent: dict[str, list[tuple[CallRow, WayRow, TableSnapshot]]] = {}

        def judge(row: CallRow, way: WayRow) -> None:
            snapshot = _look(self._tables, row.code)
            verdict = self._verdict(row, way, wishes[way.player_id], snapshot)
            if verdict is None:
                assert snapshot is not None
                sent.setdefault(way.print, []).append((row, way, snapshot))
            elif verdict > 0:
                self._note(row, due_at=verdict)
            else:
                self._note(row, due_at=None, state="moot")

        self._each(rows, found, judge, lambda row: f"a call of table {row.code}")
        for group in sent.values():
            call = _call_of(group, wishes[group[0][1].player_id])
            self._deliver(call, [(row, way) for row, way, _ in group])

    def _see_to_notices(self, rows: Sequence[NoticeRow]) -> None:
        """Send what is to be sent of these leased notices; the others wait, or are moot."""
        if not rows:
            return
        found, wishes = self._ways_of(rows)

        def judge(row: NoticeRow, way: WayRow) -> None:
            it, wish = told(self._tables, row.about, way.player_id), wishes[way.player_id]
            if it is None or way.failures >= ways.FAILURES or way.checked_at is None:
                self._note(row, due_at=None, state="moot")
            elif (until := self._held_back(it.code, way, wish, it.left)) is not None:
                self._note(row, due_at=until)
            else:
                call = Call(way.kind, way.address, (it,), wish.language, wish.base)
                self._deliver(call, [(row, way)])

        self._each(rows, found, judge, lambda row: "a notice")

    def _each(
        self,
        rows: Sequence[R],
        found: Mapping[int, WayRow],
        judge: Callable[[R, WayRow], None],
        what: Callable[[R], str],
    ) -> None:
        """Judge each row that has a way; one that fails keeps the others waiting for nothing."""
        for row in rows:
            if (way := found.get(row.way_id)) is None:
                continue
            try:
                judge(row, way)
            except Unavailable:
                raise
            except Exception:
                log.exception("%s could not be seen to", what(row))
                self._rest(row)

    def _rest(self, row: CallRow | NoticeRow) -> None:
        """Leave what could not be seen to alone for as long as if it had not arrived."""
        self._note(row, **_after_failure(row, self._tables.now()))

    def _ways_of(
        self, rows: Sequence[CallRow | NoticeRow]
    ) -> tuple[dict[int, WayRow], dict[int, WishRow]]:
        """Return the ways of what is to be sent, and what their players wish."""

        def work(connection: Connection) -> tuple[dict[int, WayRow], dict[int, WishRow]]:
            found = store.some(connection, {row.way_id for row in rows})
            players = {way.player_id for way in found.values()}
            return found, {player: store.wishes(connection, player) for player in players}

        return self._tables.database.read(work)

    def _verdict(
        self, row: CallRow, way: WayRow, wish: WishRow, snapshot: TableSnapshot | None
    ) -> float | None:
        """Return until when a call waits: 0 if it is moot, None if it is to be sent now."""
        now = self._tables.now()
        if snapshot is None or way.failures >= ways.FAILURES or way.checked_at is None:
            return 0.0
        if not waits_for(snapshot, way.player_id) or turn_of(snapshot, way.player_id) != row.turn:
            return 0.0
        if (away := vacation_of(snapshot, way.player_id)) is not None and away > now:
            return away
        if row.snoozed_until is not None and row.snoozed_until > now:
            return row.snoozed_until
        left = inf
        if is_to_be_ready(snapshot, way.player_id):
            turn = _turn(snapshot, way.player_id)
            assert turn is not None
            left = turn.since + SEAT_HELD - now
        return self._held_back(row.code, way, wish, left)

    def _held_back(self, code: str, way: WayRow, wish: WishRow, left: float) -> float | None:
        """Return until when nobody is called by a way about what has this code: they have it open,
        their hours are quiet, or they were called lately. None: they are called now.

        What has only so many seconds left does not wait for the next digest, which would be too
        late. Quiet hours are quiet all the same.
        """
        now, open_ = self._tables.now(), self._streams(code)
        if open_ is None and time.monotonic() - self._born < UNKNOWN:
            return now + PATIENCE
        if open_ is not None and way.player_id in open_:
            return now + WATCHING
        quiet = end_of_quiet(now, wish.quiet_from, wish.quiet_to, wish.zone)
        if quiet is not None:
            return quiet
        digest = way.sent_at + 60.0 * wish.digest
        return digest if way.sent_at and now < digest < now + left else None

    def _deliver(self, call: Call, group: Sequence[tuple[CallRow | NoticeRow, WayRow]]) -> None:
        if not self._room.acquire(blocking=False):
            for row, _ in group:
                self._note(row, due_at=self._tables.now() + GATHERED)
            return

        def work() -> None:
            failed: NotArrived | None = None
            try:
                self._send(call)
            except NotArrived as error:
                failed = error
            except Exception as error:
                log.exception("a call could not be made")
                failed = NotArrived(type(error).__name__)
            finally:
                self._room.release()
            try:
                self._told(group, failed)
            except Unavailable:
                pass  # the store has told the log; the call is made again
            except Exception:
                log.exception("a call could not be noted")

        self._spawn(work)

    def _told(
        self, group: Sequence[tuple[CallRow | NoticeRow, WayRow]], failed: NotArrived | None
    ) -> None:
        """Note how a call went."""
        now = self._tables.now()
        found = {way.id for _, way in group}
        if failed is not None:
            log.info("a call did not arrive: %s", failed)

        def work(connection: Connection) -> None:
            if failed is not None and failed.gone:
                store.drop(connection, found)
                return
            given_up: set[int] = set()
            for row, way in group:
                if failed is None:
                    _noted(connection, row, due_at=None, state="sent", tries=row.tries + 1)
                else:
                    stands = _after_failure(row, now, failed)
                    if stands["due_at"] is None:
                        given_up.add(way.id)
                    _noted(connection, row, **stands)
            for way_id in found:
                if failed is None:
                    store.change(connection, way_id, failures=0, sent_at=now)
                elif way_id in given_up:
                    store.one_more_failure(connection, way_id)

        self._tables.database.write(work)

    def _note(self, row: CallRow | NoticeRow, **values: Any) -> None:
        self._tables.database.write(lambda connection: _noted(connection, row, **values))

    def due(self, code: str, player: int) -> list[Call]:
        """Return what is sent for a player's turn at a table, once it is due; nothing if it is not
        their turn, or they have no way.
        """
        snapshot = _look(self._tables, code)
        if snapshot is None or not waits_for(snapshot, player):
            return []

        def work(connection: Connection) -> tuple[list[WayRow], WishRow]:
            table_id = queries.table_id(connection, code)
            rows = store.of_player(connection, player)
            mine = [row for row in rows if row.checked_at and row.table_id in (None, table_id)]
            return mine, store.wishes(connection, player)

        found, wish = self._tables.database.read(work)
        name = _name(snapshot, player)
        what = OPENS if is_to_be_ready(snapshot, player) else TURN
        waiting = Waiting(code, snapshot.game.name, (name,), what)
        return [
            Call(way.kind, way.address, (waiting,), wish.language, wish.base)
            for way in found
            if way.failures < ways.FAILURES
        ]


def _call_of(group: Sequence[tuple[CallRow, WayRow, TableSnapshot]], wish: WishRow) -> Call:
    """Return the one message for several calls to the same address."""
    by_table: dict[str, Waiting] = {}
    for row, way, snapshot in group:
        known = by_table.get(row.code, Waiting(row.code, snapshot.game.name, ()))
        name = _name(snapshot, way.player_id)
        names = known.names if name in known.names else (*known.names, name)
        nudge = row.nudge or known.what == NUDGE
        what = OPENS if is_to_be_ready(snapshot, way.player_id) else NUDGE if nudge else TURN
        by_table[row.code] = Waiting(row.code, known.game, names, what)
    way = group[0][1]
    return Call(way.kind, way.address, tuple(by_table.values()), wish.language, wish.base)


def _next_due(connection: Connection) -> float | None:
    found = (outbox.next_due(connection), notices.next_due(connection))
    return min((it for it in found if it is not None), default=None)


def _noted(connection: Connection, row: CallRow | NoticeRow, **values: Any) -> None:
    """Note how a call went, or when it is looked at again; a notice that was seen to goes."""
    if isinstance(row, CallRow):
        outbox.note(connection, row, **values)
    elif values["due_at"] is None:
        notices.done(connection, row)
    else:
        notices.note(connection, row, values["due_at"], values.get("tries", row.tries))


def _after_failure(
    row: CallRow | NoticeRow, now: float, failed: NotArrived | None = None
) -> dict[str, Any]:
    """Return how a call stands after one more failure, such as that it did not arrive: when it is
    due again, or that it is given up.
    """
    tries = row.tries + 1
    if row.tries >= len(RETRIES) or (failed is not None and failed.hopeless):
        return {"due_at": None, "state": "failed", "tries": tries}
    wait = RETRIES[row.tries]
    if failed is not None and failed.after is not None and row.tries == 0:
        wait = min(max(failed.after, wait), LONGEST_WAIT)
    return {"due_at": now + wait, "tries": tries}


def waits_for(snapshot: TableSnapshot, player: int) -> bool:
    """Say whether it is the turn of a player who plays the seat in person."""
    turn = _turn(snapshot, player)
    if turn is None or not (snapshot.prompts or turn.asked == READY):
        return False
    return player in snapshot.table.people().values()


def is_to_be_ready(snapshot: TableSnapshot, player: int) -> bool:
    """Say whether a table of a tournament waits for a player to say that they are ready."""
    turn = _turn(snapshot, player)
    return turn is not None and turn.asked == READY


def turn_of(snapshot: TableSnapshot, player: int) -> int | None:
    """Return the number of a player's turn at a table, if it is their turn."""
    turn = _turn(snapshot, player)
    return None if turn is None else turn.number


def _turn(snapshot: TableSnapshot, player: int) -> Turn | None:
    seat = snapshot.table.seat_of(player)
    return None if seat is None else snapshot.table.turns.get(seat)


def vacation_of(snapshot: TableSnapshot, player: int) -> float | None:
    """Return when a player's vacation ends, in seconds since 1970, if a table knows of one."""
    chair = snapshot.table.chair_of(player)
    return chair.vacation.ends_at if chair is not None and chair.vacation is not None else None


def _name(snapshot: TableSnapshot, player: int) -> str:
    """Return what somebody is called who sits at a table."""
    chair = snapshot.table.chair_of(player)
    assert chair is not None
    return chair.name


def _look(tables: Tables, code: str) -> TableSnapshot | None:
    try:
        return tables.look(code)
    except TableNotFound:
        return None


def _in_a_thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="call", daemon=True).start()
