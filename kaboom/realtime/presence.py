"""Presence: who was seen at a table a moment ago. It lives in memory and knows nothing of games.

With Redis the processes tell each other through the hub's own channel, so nothing here waits for
it; what is lost on the way is repeated with the next heartbeat.
"""

import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from kaboom.realtime.hub import Hub

STREAM = 25.0  # seconds a person counts as here after a beat of their stream
REQUEST = 90.0  # after a page without scripts: nothing more may come for a while
MARK = "here "  # prefix of the topics for presence: "here <code> <who> <seconds>"
NAMED = "named "  # prefix of the topics saying that somebody got a name: "named <code>"
TOLD_AGAIN = 5.0  # seconds before other processes are told the same again
TOGETHER = 1.0  # seconds in which all who come to a table, or go, are one piece of news
SWEEP = 60.0  # seconds between two searches for tables nobody is at any more

TOLD = re.compile(r"(\w{1,16}) (-?\w{1,32}) (\d{1,3})")


def in_a_while(seconds: float, work: Callable[[], None]) -> None:
    """Have work() done after so many seconds, unless the process ends before."""
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()


class Attendance(NamedTuple):
    """Who is at a table: the ids of players, sitting or watching, and how many people without a
    name. Unless it is `known`, others may be there, too.
    """

    players: set[int]
    nameless: int
    known: bool


class Presence:
    """Who is here, by table: players by their id, others by a mark that begins with "-".

    `changed(code)` is called once for all who arrive or say goodbye within a second, since it may
    wake everybody at the table. Most people who leave just go silent. `now()` is a clock in seconds
    that never goes back; `later(seconds, work)` does something after a time.
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
        self._untold: set[str] = set()  # tables that are about to be told
        self._began = self._sweeps = now()
        self._until: dict[str, dict[str, float]] = {}
        self._streaming: dict[str, dict[str, float]] = {}
        self._told: dict[tuple[str, str], float] = {}
        self._namings: Counter[str] = Counter()
        hub.hear(MARK, self._heard)
        hub.hear(NAMED, self._heard_named)

    @property
    def young(self) -> bool:
        """Say whether this process cannot know yet who is here: it has just started, or has lost
        touch with the others (Redis).
        """
        if not self._hub.hears:
            self._began = self._now()
        return self._now() - self._began < STREAM

    def stream(self, code: str, who: int | str) -> None:
        """Note a sign of life from a stream: from now on silence means that its owner is gone."""
        self._note(code, str(who), STREAM, shorten=True)

    def request(self, code: str, who: int | str) -> None:
        """Note that somebody asked for a page or pressed something."""
        self._note(code, str(who), REQUEST)

    def gone(self, code: str, who: int | str) -> None:
        """Forget somebody who cannot be here any more, such as a stream without a name."""
        self._streaming.get(code, {}).pop(str(who), None)
        if self._until.get(code, {}).pop(str(who), None) is not None:
            self._tell(code)

    def named(self, code: str) -> None:
        """Note that somebody nameless got a name: streams without one should start again."""
        self._heard_named(f"{NAMED}{code}")
        self._hub.tell_others(f"{NAMED}{code}")

    def namings(self, code: str) -> int:
        """Return a count that rises whenever somebody at a table got a name."""
        return self._namings[code]

    def here(self, code: str) -> set[int]:
        """Return the players who are at a table, sitting or watching."""
        return self.at(code).players

    def anywhere(self) -> set[int]:
        """Return the players who are at any table."""
        return {player for code in list(self._until) for player in self.here(code)}

    def streaming(self, code: str) -> set[int]:
        """Return the players who have a table open on a stream."""
        now = self._now()
        found = self._streaming.get(code, {}).items()
        return {int(who) for who, until in found if until > now and not who.startswith("-")}

    def at(self, code: str) -> Attendance:
        """Return who is at a table."""
        present = self._present(code)
        players = {int(who) for who in present if not who.startswith("-")}
        nameless = sum(who.startswith("-") for who in present)
        return Attendance(players, nameless, not self.young)

    def forget(self) -> None:
        """Forget everybody, as after a restart."""
        self._until.clear()
        self._streaming.clear()
        self._told.clear()
        self._began = self._now()

    def _present(self, code: str) -> list[str]:
        now = self._now()
        return [who for who, until in self._until.get(code, {}).items() if until > now]

    def _note(self, code: str, who: str, seconds: float, shorten: bool = False) -> None:
        now = self._now()
        self._keep(code, who, now + seconds, shorten)
        if not self._hub.hears:
            self._began = now
        # Each process hears of each person about once a heartbeat, however many tabs they have.
        if now - self._told.get((code, who), -TOLD_AGAIN) >= TOLD_AGAIN:
            self._told[code, who] = now
            self._hub.tell_others(f"{MARK}{code} {who} {seconds:.0f}")
        self._sweep(now)

    def _heard(self, topic: str) -> None:
        found = TOLD.fullmatch(topic.removeprefix(MARK))
        if found is None:
            return  # a foreign message on our channel
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
        if shorten:  # it is a stream that beats
            self._streaming.setdefault(code, {})[who] = until
        if known <= self._now():
            self._tell(code)

    def _tell(self, code: str) -> None:
        if code not in self._untold:
            self._untold.add(code)
            self._later(TOGETHER, partial(self._tell_now, code))

    def _tell_now(self, code: str) -> None:
        self._untold.discard(code)  # first: whoever comes meanwhile is told of again
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
