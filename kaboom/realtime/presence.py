"""Presence: the people who were at a table recently. Presence is kept in memory and does not depend
on games.

With Redis, processes inform each other through the hub's channel, so no call waits for Redis. The
next heartbeat makes up for lost messages.
"""

import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from kaboom.realtime.hub import Hub

STREAM = 25.0  # seconds of presence after a heartbeat of a stream
REQUEST = 90.0  # … after a page without scripts was requested, as the next request may take a while
MARK = "here "  # prefix of the topics for presence: "here <code> <who> <seconds>"
NAMED = "named "  # prefix of the topics for new names: "named <code>"
TOLD_AGAIN = 5.0  # seconds before the same presence is sent to other processes again
TOGETHER = 1.0  # seconds in which all arrivals and departures at a table are combined
SWEEP = 60.0  # seconds between two removals of empty tables

TOLD = re.compile(r"(\w{1,16}) (-?\w{1,32}) (\d{1,3})")


def in_a_while(seconds: float, work: Callable[[], None]) -> None:
    """Run work() after this many seconds, unless the process ends first."""
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()


class Attendance(NamedTuple):
    """The people at a table: the ids of players and spectators, and the number of unnamed people.

    Unless `known`, others may be present, too.
    """

    players: set[int]
    nameless: int
    known: bool


class Presence:
    """The people present, by table: players by id, unnamed people by a mark that starts with "-".

    `changed(code)` is called once for all arrivals and departures within a second, because it may
    wake every player at the table. Most people leave without a message. `now()` is a monotonic
    clock in seconds; `later(seconds, work)` runs work after a delay.
    """

    def __init__(
        self,
        hub: Hub,
        changed: Callable[[str], None] = lambda code: None,
        now: Callable[[], float] = time.monotonic,
        later: Callable[[float, Callable[[], None]], None] = in_a_while,
    ) -> None:
        self._hub = hub
        self._changed = changed
        self._now = now
        self._later = later
        self._untold: set[str] = set()  # tables whose change is about to be announced
        self._began = self._sweeps = now()
        self._until: dict[str, dict[str, float]] = {}
        self._streaming: dict[str, dict[str, float]] = {}
        self._told: dict[tuple[str, str], float] = {}
        self._namings: Counter[str] = Counter()
        hub.hear(MARK, self._heard)
        hub.hear(NAMED, self._heard_named)

    @property
    def young(self) -> bool:
        """Return True if presence is still incomplete.

        The process has just started, or has lost the connection to the others (Redis).
        """
        if not self._hub.hears:
            self._began = self._now()
        return self._now() - self._began < STREAM

    def stream(self, code: str, who: int | str) -> None:
        """Record a heartbeat of a stream; without another one the viewer counts as gone."""
        self._note(code, str(who), STREAM, shorten=True)

    def request(self, code: str, who: int | str) -> None:
        """Record that a player requested a page or sent a command."""
        self._note(code, str(who), REQUEST)

    def gone(self, code: str, who: int | str) -> None:
        """Remove a person who can no longer be present, such as an unnamed one whose stream has
        closed.
        """
        self._streaming.get(code, {}).pop(str(who), None)
        if self._until.get(code, {}).pop(str(who), None) is not None:
            self._tell(code)

    def named(self, code: str) -> None:
        """Record that an unnamed person has entered a name; unnamed streams should then
        reconnect.
        """
        self._heard_named(f"{NAMED}{code}")
        self._hub.tell_others(f"{NAMED}{code}")

    def namings(self, code: str) -> int:
        """Return a count that increases whenever a player at a table gets a name."""
        return self._namings[code]

    def here(self, code: str) -> set[int]:
        """Return the players at a table, seated or watching."""
        return self.at(code).players

    def anywhere(self) -> set[int]:
        """Return the players at any table."""
        return {player for code in list(self._until) for player in self.here(code)}

    def tables_of(self, player: int) -> list[str]:
        """Return the codes of the tables at which a player is, seated or watching."""
        return [code for code, present in list(self._until.items()) if str(player) in present]

    def streaming(self, code: str) -> set[int]:
        """Return the players with an open stream of a table."""
        now = self._now()
        found = self._streaming.get(code, {}).items()
        return {int(who) for who, until in found if until > now and not who.startswith("-")}

    def at(self, code: str) -> Attendance:
        """Return the people present at a table."""
        now = self._now()
        present = [who for who, until in self._until.get(code, {}).items() if until > now]
        players = {int(who) for who in present if not who.startswith("-")}
        nameless = sum(who.startswith("-") for who in present)
        return Attendance(players, nameless, not self.young)

    def forget(self) -> None:
        """Remove all people, as after a restart."""
        self._until.clear()
        self._streaming.clear()
        self._told.clear()
        self._began = self._now()

    def _note(self, code: str, who: str, seconds: float, shorten: bool = False) -> None:
        now = self._now()
        self._keep(code, who, now + seconds, shorten)
        if not self._hub.hears:
            self._began = now
        # Each process is informed of each person about once per heartbeat, however many tabs are
        # open.
        if now - self._told.get((code, who), -TOLD_AGAIN) >= TOLD_AGAIN:
            self._told[code, who] = now
            self._hub.tell_others(f"{MARK}{code} {who} {seconds:.0f}")
        self._sweep(now)

    def _heard(self, topic: str) -> None:
        found = TOLD.fullmatch(topic.removeprefix(MARK))
        if found is None:
            return  # an unrelated message on our channel
        code, who, seconds = found.groups()
        if not who.startswith("-") and not who.isdecimal():
            return
        lasting = min(float(seconds), REQUEST)
        self._keep(code, who, self._now() + lasting, shorten=lasting <= STREAM)
        self._sweep(self._now())

    def _heard_named(self, topic: str) -> None:
        code = topic.removeprefix(NAMED)
        self._namings[code] += 1
        self._changed(code)

    def _keep(self, code: str, who: str, until: float, shorten: bool) -> None:
        at_table = self._until.setdefault(code, {})
        known = at_table.get(who, 0.0)
        at_table[who] = until if shorten else max(known, until)
        if shorten:  # the heartbeat of a stream
            self._streaming.setdefault(code, {})[who] = until
        if known <= self._now():
            self._tell(code)

    def _tell(self, code: str) -> None:
        if code not in self._untold:
            self._untold.add(code)
            self._later(TOGETHER, partial(self._tell_now, code))

    def _tell_now(self, code: str) -> None:
        self._untold.discard(code)  # first, so that a player who arrives meanwhile is announced
        self._changed(code)

    def _sweep(self, now: float) -> None:
        if now - self._sweeps < SWEEP:
            return
        self._sweeps = now
        for kept in (self._until, self._streaming):
            for code, at_table in list(kept.items()):
                left = {who: until for who, until in at_table.items() if until > now}
                if left:
                    kept[code] = left
                else:
                    del kept[code]
        for code in self._namings.keys() - self._until.keys():
            del self._namings[code]
        self._told = {who: at for who, at in self._told.items() if now - at < TOLD_AGAIN}
