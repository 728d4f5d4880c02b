"""Calls a player's own address when it is their turn: for slow tables."""

import heapq
import itertools
import json
import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from kaboom.core.language import say
from kaboom.store import chat as store
from kaboom.tables.errors import NoTable, NotNow
from kaboom.tables.messages import SHAPES, Message, News, message, shape_of
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot

log = logging.getLogger(__name__)

PATIENCE = 5.0  # seconds into a turn before a player is called: a quick one needs no call
FAILURES = 5  # in a row, after which an address is no longer called
AT_ONCE = 8  # calls under way in one process
LATER = 1.0  # seconds after which a call that found no room is tried again


@dataclass(frozen=True, slots=True)
class Kept:
    """What is called for a player: an address (or nothing), the shape chosen for it (empty: that of
    the address), and how many calls in a row have failed.
    """

    address: str = ""
    shape: str = ""
    failures: int = 0

    @property
    def spoken(self) -> str:
        """Return the shape in which it is called."""
        return self.shape or shape_of(self.address)


def keep(
    tables: Tables, code: str, player: int, address: str, link: str, text: str, shape: str = ""
) -> None:
    """Keep what is to be called for a player at a table; an empty address stops the calls.

    `link` is the table's as the player knows it, `text` the sentence to be sent, `shape` one of
    SHAPES or empty. Raises NotNow when there is no such shape.
    """
    if shape and shape not in SHAPES:
        raise NotNow(say("There is no such service here."))
    what = {"to": address, "link": link, "text": text, "shape": shape}
    kept = json.dumps(what) if address else ""

    def work(connection: Connection) -> None:
        store.set_webhook(connection, code, player, kept)

    tables.database.write(work)


def kept(tables: Tables, code: str, player: int) -> Kept:
    """Return what is called for a player at a table."""
    found, failures = tables.database.read(lambda c: store.webhook(c, code, player))
    what = json.loads(found) if found else {"to": ""}
    return Kept(what["to"], what.get("shape", ""), failures)


class TurnCalls:
    """The players to be called soon. `send(address, message)` calls, and raises when that fails."""

    def __init__(
        self, tables: Tables, send: Callable[[str, Message], Any], patience: float = PATIENCE
    ) -> None:
        self._tables = tables
        self._send = send
        self._patience = patience
        self._lock = threading.Lock()
        self._soon: list[tuple[float, int, str, int]] = []
        self._last: dict[tuple[str, int], int] = {}  # the newest turn of each player at a table
        self._numbers = itertools.count(1)
        self._wake = threading.Event()
        self._room = threading.Semaphore(AT_ONCE)
        self._thread: threading.Thread | None = None
        self._over = False

    def begun(self, code: str, players: Iterable[int]) -> None:
        """Note that the table has begun to wait for these players; returns at once."""
        with self._lock:
            if self._over:
                return
            for player in players:
                self._put(code, player, self._patience)
            if self._soon and self._thread is None:
                self._thread = threading.Thread(target=self._run, name="calls", daemon=True)
                self._thread.start()
        self._wake.set()

    def close(self) -> None:
        """Call nobody any more; a call that is on its way arrives."""
        with self._lock:
            self._over = True
            self._soon.clear()
        self._wake.set()

    def _put(self, code: str, player: int, seconds: float) -> None:
        number = next(self._numbers)
        self._last[code, player] = number
        heapq.heappush(self._soon, (self._tables.now() + seconds, number, code, player))

    def _run(self) -> None:
        while not self._over:
            with self._lock:
                wait = self._soon[0][0] - self._tables.now() if self._soon else None
            if wait is None or wait > 0:
                self._wake.wait(wait)
                self._wake.clear()
                continue
            with self._lock:
                if not self._soon:  # closed meanwhile
                    continue
                _, number, code, player = heapq.heappop(self._soon)
                newest = self._last.get((code, player)) == number
                if newest:
                    del self._last[code, player]
            if newest:
                self._start(code, player)

    def _start(self, code: str, player: int) -> None:
        try:
            called = self.due(code, player)
        except Exception:
            log.exception("a call at table %s could not be prepared", code)
            return
        if called is None:
            return
        if not self._room.acquire(blocking=False):
            with self._lock:
                self._put(code, player, LATER)
            return
        threading.Thread(
            target=self._call, args=(code, player, *called), name="call", daemon=True
        ).start()

    def due(self, code: str, player: int) -> tuple[str, Message] | None:
        """Return what to call for a player and what to send; None when there is nothing to call."""
        found, failures = self._tables.database.read(lambda c: store.webhook(c, code, player))
        if not found or failures >= FAILURES:
            return None
        try:
            snapshot = self._tables.look(code)
        except NoTable:
            return None
        if not waits_for(snapshot, player):
            return None
        kept = json.loads(found)
        news = News(kept["text"], snapshot.game.name, kept["link"])
        return kept["to"], message(news, kept["to"], kept.get("shape", ""))

    def _call(self, code: str, player: int, address: str, message: Message) -> None:
        arrived = True
        try:
            self._send(address, message)
        except Exception as error:
            arrived = False
            log.info("a call at table %s did not arrive: %s", code, type(error).__name__)
        finally:
            self._room.release()
        try:
            self._tables.database.write(lambda c: store.called(c, code, player, arrived))
        except Exception:
            log.exception("a call at table %s could not be noted", code)


def waits_for(snapshot: TableSnapshot, player: int) -> bool:
    """Say whether a table is waiting for a player who plays the seat in person."""
    seat = snapshot.table.seat_of(player)
    if seat is None or seat >= len(snapshot.prompts):
        return False
    chair = snapshot.table.chairs[seat]
    return chair is not None and not chair.bot and snapshot.prompts[seat].waited_for
