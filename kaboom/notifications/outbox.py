"""Sends turn notifications through a stored outbox, with one entry for each channel, table and
turn. Also sends reminders (kaboom.notifications.reminders).

The worker that made a move stores its notifications within a second; what a killed worker did not
store is found by a search when a worker starts, and once an hour. An entry is leased, checked
again, then sent. So a killed worker loses no entry, but one killed between sending and recording
causes a duplicate.
"""

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from math import inf
from typing import Any, TypeVar

from sqlalchemy import Connection

from kaboom.db.database import Unavailable
from kaboom.errors import TableNotFound
from kaboom.notifications import channel_queries as store
from kaboom.notifications import channels, outbox_queries, reminder_queries
from kaboom.notifications.channel_queries import ChannelRow, PreferenceRow
from kaboom.notifications.hold_back import PATIENCE, held_back
from kaboom.notifications.notification import NUDGE, OPENS, TURN, Notification, Waiting
from kaboom.notifications.outbox_queries import NotificationRow
from kaboom.notifications.reminder_queries import ReminderRow
from kaboom.notifications.reminders import told
from kaboom.notifications.retries import NotArrived, after_failure
from kaboom.tables import queries
from kaboom.tables.clock.whose_turn import READY, Turn
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import SEAT_HELD

log = logging.getLogger(__name__)

R = TypeVar("R", NotificationRow, ReminderRow)

# In seconds, unless stated otherwise.
PATIENCE_BY_DAYS = 60.0  # instead of PATIENCE in correspondence play
LEASE = 60.0  # for which one worker has the lease of a notification
AT_ONCE = 8  # concurrent deliveries in one process
MOST = 100  # notifications leased together
GATHERED = 1.0  # for which new turns are collected before they are stored
LOOK = 15.0  # until the outbox is read anyway, because another worker may have stored something
UNKNOWN = 60.0  # for which notifications wait after startup, until it is known who has a table open
SWEEP = 3600.0  # between two searches for turns that were never stored
TABLES = 2000  # tables read by such a search
LONGEST_CLOSE = 5.0  # for which closing waits for the outbox


class Outbox:
    """The outbox. `send(notification)` delivers one, and raises NotArrived if that fails.

    `streams(code)` returns the players with an open stream of that table, or None if that is
    unknown. `spawn(work)` runs work without waiting for it.
    """

    def __init__(
        self,
        tables: TableService,
        send: Callable[[Notification], Any],
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
        self._slots = threading.Semaphore(AT_ONCE)
        self._thread: threading.Thread | None = None
        self._born = time.monotonic()
        self._over = threading.Event()

    def start(self) -> None:
        """Start the thread (under gevent, a greenlet) that sends the outbox's notifications."""
        with self._lock:
            if self._thread is None and not self._over.is_set():
                self._thread = threading.Thread(target=self._run, name="notifications", daemon=True)
                self._thread.start()

    def begun(self, code: str, players: Iterable[int]) -> None:
        """Record that a table has begun to wait for these players; return at once."""
        if self._over.is_set():
            return
        self._remember_begun({code: players})
        self.start()
        self._wake.set()

    def close(self) -> None:
        """Stop sending. A notification already on its way is still sent, and its result is
        recorded.
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
            except Unavailable:  # already logged by the database
                pass
            except Exception:
                log.exception("could not process the outbox")
            if not self._over.is_set():
                self._wake.wait(sleep)
                self._wake.clear()
                self._over.wait(GATHERED)

    def tick(self) -> float:
        """Store new notifications and send those that are due; return the maximum number of seconds
        until the next call.
        """
        self._store_begun()
        now = self._tables.now()
        database = self._tables.database
        soonest = database.read(_next_due)
        if soonest is not None and soonest <= now:
            self._send_due(database.write(lambda c: outbox_queries.lease(c, now, LEASE, MOST)))
            self._send_due_reminders(
                database.write(lambda c: reminder_queries.lease(c, now, LEASE, MOST))
            )
            soonest = database.read(_next_due)
        return LOOK if soonest is None else min(LOOK, max(GATHERED, soonest - now))

    def sweep(self) -> None:
        """Store the notifications that a killed worker did not store."""
        codes = self._tables.database.read(lambda c: outbox_queries.tables_to_notify(c, TABLES))
        found = ((code, _get(self._tables, code)) for code in codes)
        self._store({code: _waited_for(snapshot) for code, snapshot in found if snapshot})

    # Storing

    def _remember_begun(self, begun: Mapping[str, Iterable[int]]) -> None:
        """Keep in memory, until it is stored, which players tables have begun to wait for."""
        with self._lock:
            for code, players in begun.items():
                self._begun.setdefault(code, set()).update(players)

    def _store_begun(self) -> None:
        """Store the notifications of turns that have begun. If it raises Unavailable, they are kept
        for another attempt.
        """
        with self._lock:
            begun, self._begun = self._begun, {}
        try:
            self._store(begun)
        except Unavailable:
            self._remember_begun(begun)
            raise

    def _store(self, begun: Mapping[str, Collection[int]]) -> None:
        """Store notifications in the outbox for these players, given by table."""
        who = {player for players in begun.values() for player in players}
        if not who:
            return
        called = self._tables.database.read(lambda c: outbox_queries.channels_for(c, who))
        reachable = {player for _, player, _ in called}
        rows: list[dict[str, Any]] = []
        for code, players in begun.items():
            snapshot = None if reachable.isdisjoint(players) else _get(self._tables, code)
            if snapshot is None:
                continue
            table_id = self._tables.database.read(partial(queries.table_id, code=code))
            patience = PATIENCE_BY_DAYS if snapshot.table.days else PATIENCE
            of_table = {"table_id": table_id, "due_at": self._tables.now() + patience}
            rows += [
                {"way_id": channel, "turn": turn, **of_table}
                for player, turn in _waited_for(snapshot).items()
                if player in players
                for channel, owner, only in called
                if owner == player and only in (None, table_id)
            ]
        if rows:
            self._tables.database.write(lambda connection: outbox_queries.put(connection, rows))

    # Sending

    def _send_due(self, rows: Sequence[NotificationRow]) -> None:
        """Send the leased notifications that can be sent now; postpone or drop the others."""
        if not rows:
            return
        found, wishes = self._channels_and_preferences(rows)
        sent: dict[str, list[tuple[NotificationRow, ChannelRow, TableSnapshot]]] = {}

        def judge(row: NotificationRow, channel: ChannelRow) -> None:
            snapshot = _get(self._tables, row.code)
            verdict = self._verdict(row, channel, wishes[channel.player_id], snapshot)
            if verdict is None:
                assert snapshot is not None
                sent.setdefault(channel.print, []).append((row, channel, snapshot))
            elif verdict > 0:
                self._note(row, due_at=verdict)
            else:
                self._note(row, due_at=None, state="moot")

        self._each(rows, found, judge, lambda row: f"a notification of table {row.code}")
        for group in sent.values():
            notification = _notification_for(group, wishes[group[0][1].player_id])
            self._deliver(notification, [(row, channel) for row, channel, _ in group])

    def _send_due_reminders(self, rows: Sequence[ReminderRow]) -> None:
        """Send the leased reminders that can be sent now; postpone or drop the others."""
        if not rows:
            return
        found, wishes = self._channels_and_preferences(rows)

        def judge(row: ReminderRow, channel: ChannelRow) -> None:
            it, wish = told(self._tables, row.about, channel.player_id), wishes[channel.player_id]
            if it is None or not _is_active(channel):
                self._note(row, due_at=None, state="moot")
            elif (until := self._held_back(it.code, channel, wish, it.left)) is not None:
                self._note(row, due_at=until)
            else:
                self._deliver(_notification(channel, (it,), wish), [(row, channel)])

        self._each(rows, found, judge, lambda row: "a reminder")

    def _each(
        self,
        rows: Sequence[R],
        found: Mapping[int, ChannelRow],
        judge: Callable[[R, ChannelRow], None],
        what: Callable[[R], str],
    ) -> None:
        """Judge each row that has a channel; a failing row does not hold up the others."""
        for row in rows:
            if (channel := found.get(row.way_id)) is None:
                continue
            try:
                judge(row, channel)
            except Unavailable:
                raise
            except Exception:
                log.exception("could not process %s", what(row))
                self._note(row, **after_failure(row, self._tables.now()))

    def _channels_and_preferences(
        self, rows: Sequence[NotificationRow | ReminderRow]
    ) -> tuple[dict[int, ChannelRow], dict[int, PreferenceRow]]:
        """Return the channels of these rows, and the preferences of their players."""

        def work(connection: Connection) -> tuple[dict[int, ChannelRow], dict[int, PreferenceRow]]:
            found = store.some(connection, {row.way_id for row in rows})
            players = {channel.player_id for channel in found.values()}
            return found, {player: store.wishes(connection, player) for player in players}

        return self._tables.database.read(work)

    def _verdict(
        self,
        row: NotificationRow,
        channel: ChannelRow,
        wish: PreferenceRow,
        snapshot: TableSnapshot | None,
    ) -> float | None:
        """Return the time until which a notification waits; 0 if it is obsolete, None if it can be
        sent now.
        """
        now, player = self._tables.now(), channel.player_id
        if snapshot is None or not _is_active(channel) or not waits_for(snapshot, player):
            return 0.0
        turn, occupant = turn_of(snapshot, player), snapshot.table.occupant_of(player)
        assert turn is not None
        assert occupant is not None
        if turn.number != row.turn:
            return 0.0
        if occupant.vacation is not None and occupant.vacation.ends_at > now:
            return occupant.vacation.ends_at
        if row.snoozed_until is not None and row.snoozed_until > now:
            return row.snoozed_until
        left = turn.since + SEAT_HELD - now if turn.asked == READY else inf
        return self._held_back(row.code, channel, wish, left)

    def _held_back(
        self, code: str, channel: ChannelRow, wish: PreferenceRow, left: float
    ) -> float | None:
        """Return the time until which a channel's notifications about this code are held back
        (`hold_back`), or None if they can be sent now.
        """
        opened = self._streams(code)
        if opened is None:
            starting = time.monotonic() - self._born < UNKNOWN
            is_open = None if starting else False
        else:
            is_open = channel.player_id in opened
        return held_back(self._tables.now(), is_open, channel, wish, left)

    def _deliver(
        self,
        notification: Notification,
        group: Sequence[tuple[NotificationRow | ReminderRow, ChannelRow]],
    ) -> None:
        """Send a notification without waiting for it; postpone it if too many are under way."""
        if not self._slots.acquire(blocking=False):
            for row, _ in group:
                self._note(row, due_at=self._tables.now() + GATHERED)
            return

        def work() -> None:
            failed: NotArrived | None = None
            try:
                self._send(notification)
            except NotArrived as error:
                failed = error
            except Exception as error:
                log.exception("could not send a notification")
                failed = NotArrived(type(error).__name__)
            finally:
                self._slots.release()
            try:
                self._record_delivery(group, failed)
            except Unavailable:
                pass  # already logged by the database; the notification is sent again
            except Exception:
                log.exception("could not record a notification")

        self._spawn(work)

    def _record_delivery(
        self,
        group: Sequence[tuple[NotificationRow | ReminderRow, ChannelRow]],
        failed: NotArrived | None,
    ) -> None:
        """Record the result of a delivery."""
        now = self._tables.now()
        found = {channel.id for _, channel in group}
        if failed is not None:
            log.info("a notification was not delivered: %s", failed)

        def work(connection: Connection) -> None:
            if failed is not None and failed.gone:
                store.drop(connection, found)
                return
            given_up: set[int] = set()
            for row, channel in group:
                if failed is None:
                    _record_result(connection, row, due_at=None, state="sent", tries=row.tries + 1)
                else:
                    stands = after_failure(row, now, failed)
                    if stands["due_at"] is None:
                        given_up.add(channel.id)
                    _record_result(connection, row, **stands)
            for way_id in found:
                if failed is None:
                    store.change(connection, way_id, failures=0, sent_at=now)
                elif way_id in given_up:
                    store.one_more_failure(connection, way_id)

        self._tables.database.write(work)

    def _note(self, row: NotificationRow | ReminderRow, **values: Any) -> None:
        self._tables.database.write(lambda connection: _record_result(connection, row, **values))


def _notification_for(
    group: Sequence[tuple[NotificationRow, ChannelRow, TableSnapshot]], wish: PreferenceRow
) -> Notification:
    """Return one message for several notifications to the same address."""
    by_table: dict[str, Waiting] = {}
    for row, channel, snapshot in group:
        known = by_table.get(row.code, Waiting(row.code, snapshot.game.name, ()))
        name = _name(snapshot, channel.player_id)
        names = known.names if name in known.names else (*known.names, name)
        nudge = row.nudge or known.what == NUDGE
        what = OPENS if is_to_be_ready(snapshot, channel.player_id) else NUDGE if nudge else TURN
        by_table[row.code] = Waiting(row.code, known.game, names, what)
    return _notification(group[0][1], tuple(by_table.values()), wish)


def _notification(
    channel: ChannelRow, waiting: tuple[Waiting, ...], wish: PreferenceRow
) -> Notification:
    return Notification(channel.kind, channel.address, waiting, wish.language, wish.base)


def _is_active(channel: ChannelRow) -> bool:
    """Return True if a channel is confirmed and not suspended."""
    return channel.checked_at is not None and channel.failures < channels.FAILURES


def _next_due(connection: Connection) -> float | None:
    found = (outbox_queries.next_due(connection), reminder_queries.next_due(connection))
    return min((it for it in found if it is not None), default=None)


def _record_result(
    connection: Connection, row: NotificationRow | ReminderRow, **values: Any
) -> None:
    """Record the result of a delivery or the time of the next check; a handled reminder is
    deleted.
    """
    if isinstance(row, NotificationRow):
        outbox_queries.note(connection, row, **values)
    elif values["due_at"] is None:
        reminder_queries.done(connection, row)
    else:
        reminder_queries.note(connection, row, values["due_at"], values.get("tries", row.tries))


def waits_for(snapshot: TableSnapshot, player: int) -> bool:
    """Return True if it is the turn of a player who plays the seat in person."""
    turn = turn_of(snapshot, player)
    if turn is None or not (snapshot.prompts or turn.asked == READY):
        return False
    return player in snapshot.table.people().values()


def is_to_be_ready(snapshot: TableSnapshot, player: int) -> bool:
    """Return True if a tournament table waits for the player to be ready."""
    turn = turn_of(snapshot, player)
    return turn is not None and turn.asked == READY


def turn_of(snapshot: TableSnapshot, player: int) -> Turn | None:
    """Return a player's turn at a table; None if it is not their turn."""
    seat = snapshot.table.seat_of(player)
    return None if seat is None else snapshot.table.turns.get(seat)


def _waited_for(snapshot: TableSnapshot) -> dict[int, int]:
    """Return the numbers of the current turns at a table, by player."""
    return {
        player: snapshot.table.turns[seat].number
        for seat, player in snapshot.table.people().items()
        if waits_for(snapshot, player)
    }


def _name(snapshot: TableSnapshot, player: int) -> str:
    """Return the name of a player who sits at a table."""
    occupant = snapshot.table.occupant_of(player)
    assert occupant is not None
    return occupant.name


def _get(tables: TableService, code: str) -> TableSnapshot | None:
    try:
        return tables.get(code)
    except TableNotFound:
        return None


def _in_a_thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="notification", daemon=True).start()
