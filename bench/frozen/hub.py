"""The hub of one process: wakes everyone waiting for a topic, here and in the other processes."""

import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self

from bench.frozen.relay import Relay

# Over HTTP/1.1 a browser has six connections to a server: two stay free for requests.
PER_BROWSER = 4
PER_ADDRESS = 100  # enough for a school behind one address, too few for a flood
CHECK_EVERY = 10.0  # seconds after which a waiting request looks for itself
GONE_EVERY = 1.0  # seconds after which it asks whether its client is still there


class TooManyStreams(Exception):
    """This process, or that address, has as many streams as it may have; try again later."""


class Subscription:
    """A stream's subscription to a topic: a flag, not a queue, so nothing piles up."""

    __slots__ = ("__weakref__", "_flag", "_hub", "_topic")

    def __init__(self, hub: "Hub", topic: str, flag: threading.Event) -> None:
        self._hub = hub
        self._topic = topic
        self._flag: threading.Event | None = flag

    @property
    def over(self) -> bool:
        """Whether the stream should end: the hub closes, or the browser has newer ones."""
        return self._flag is None or self._hub.closed or self.put_out

    @property
    def put_out(self) -> bool:
        """Whether this stream made room for a newer one of the same browser."""
        return self._flag in self._hub._put_out

    def wait(self, timeout: float) -> bool:
        """Return True once the topic was published (or the hub closed), False after `timeout`.

        What is published from now on is for the next wait, so read what may have changed after it.
        """
        flag = self._flag
        if flag is None:
            return True
        woken = flag.wait(max(0.0, timeout))
        if not self._hub.closed:
            flag.clear()
        return woken

    def close(self) -> None:
        """Stop listening; may be called more than once."""
        flag, self._flag = self._flag, None
        if flag is not None:
            self._hub._forget(self._topic, flag)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # A response can be dropped without being closed. The collector may run while the hub's lock
        # is held, so this only leaves a note.
        if self._flag is not None:
            self._hub._lost.append((self._topic, self._flag))


class Hub:
    """Topics and their subscriptions. It carries no data: whoever is woken looks for themselves.

    With a Redis URL the hubs that share it and the channel wake each other. Redis may be slow, hung
    or away: nothing here waits for it, and local subscriptions work without it.
    Call it from greenlets or threads of its own kind, never from gevent's threadpool.
    """

    def __init__(
        self, redis_url: str | None = None, *, limit: int = 1600, channel: str = "kaboom"
    ) -> None:
        self.limit = limit
        self._lock = threading.Lock()
        self._topics: dict[str, set[threading.Event]] = {}
        self._count = 0
        self._lost: deque[tuple[str, threading.Event]] = deque()
        self._closed = False
        self._of: dict[str, list[threading.Event]] = {}  # by browser or address, the oldest first
        self._owners: dict[threading.Event, tuple[str, ...]] = {}
        self._put_out: set[threading.Event | None] = set()
        self._hearers: dict[str, Callable[[str], None]] = {}
        self._relay = Relay(redis_url, channel, self._hear, self._wake_all) if redis_url else None

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._closed

    @property
    def streams(self) -> int:
        """How many subscriptions are open in this process."""
        self._find_lost()
        return self._count

    def subscribe(self, topic: str, browser: str = "", address: str = "") -> Subscription:
        """Return a subscription to the topic, to be closed; raises TooManyStreams at the limit.

        Over a browser's limit its oldest stream makes room; over an address's limit none does. If
        they are not given, nothing is counted.
        """
        self._find_lost()
        flag = threading.Event()
        with self._lock:
            if self._count >= self.limit:
                raise TooManyStreams(f"{self.limit} streams are open")
            if address and len(self._of.get(f"address {address}", ())) >= PER_ADDRESS:
                raise TooManyStreams(f"{PER_ADDRESS} streams of one address are open")
            self._count += 1
            self._note_owners(flag, browser, address)
            self._topics.setdefault(topic, set()).add(flag)
            if self._closed:
                flag.set()
        if self._relay:
            self._relay.listen()
        return Subscription(self, topic, flag)

    def publish(self, topic: str) -> None:
        """Wake everyone waiting for the topic; never raises, never waits for Redis."""
        self._wake(topic)
        if self._relay:
            self._relay.tell(topic)

    @property
    def hears(self) -> bool:
        """Whether this process hears the others now, or there are none to hear."""
        return self._relay is None or self._relay.hears

    def hear(self, beginning: str, heard: Callable[[str], None]) -> None:
        """Have heard(topic) called for other processes' topics with this prefix."""
        self._hearers[beginning] = heard

    def tell_others(self, topic: str) -> None:
        """Tell the other processes only; never raises, never waits for Redis."""
        if self._relay:
            self._relay.tell(topic)
            self._relay.listen()

    def wait_until(
        self,
        topic: str,
        changed: Callable[[], bool],
        timeout: float,
        browser: str = "",
        address: str = "",
        gone: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Return whether changed() came true within `timeout` seconds, asking when woken.

        For a page without scripts that holds its request open. Meanwhile it counts as a stream of
        its browser and address; its place is free once the client is gone(). Raises TooManyStreams.
        """
        until = time.monotonic() + timeout
        with self.subscribe(topic, browser, address) as subscription:
            while not (done := changed()):
                left = min(until - time.monotonic(), CHECK_EVERY)
                if left <= 0 or not _wait(subscription, left, gone) or subscription.over:
                    break
        return done

    def close(self) -> None:
        """End every stream; publishing still works, for requests that are about to finish."""
        self._closed = True
        self._wake_all()
        if self._relay:
            self._relay.close()

    def _hear(self, topic: str) -> None:
        for beginning, heard in self._hearers.items():
            if topic.startswith(beginning):
                heard(topic)
                return
        self._wake(topic)

    def _wake(self, topic: str) -> None:
        with self._lock:
            flags = tuple(self._topics.get(topic, ()))
        for flag in flags:
            flag.set()

    def _wake_all(self) -> None:
        with self._lock:
            flags = [flag for flags in self._topics.values() for flag in flags]
        for flag in flags:
            flag.set()

    def _note_owners(self, flag: threading.Event, browser: str, address: str) -> None:
        owned = {"browser": browser, "address": address}
        owners = tuple(f"{kind} {name}" for kind, name in owned.items() if name)
        if not owners:
            return
        self._owners[flag] = owners
        for owner in owners:
            self._of.setdefault(owner, []).append(flag)
        own = [old for old in self._of.get(f"browser {browser}", ()) if old not in self._put_out]
        if len(own) > PER_BROWSER:
            self._put_out.add(own[0])
            own[0].set()

    def _forget(self, topic: str, flag: threading.Event) -> None:
        with self._lock:
            self._put_out.discard(flag)
            for owner in self._owners.pop(flag, ()):
                self._of[owner].remove(flag)
                if not self._of[owner]:
                    del self._of[owner]
            flags = self._topics[topic]
            flags.remove(flag)
            self._count -= 1
            if not flags:
                del self._topics[topic]

    def _find_lost(self) -> None:
        while self._lost:
            self._forget(*self._lost.popleft())


def _wait(subscription: Subscription, timeout: float, gone: Callable[[], bool]) -> bool:
    """Wait to be woken, `timeout` seconds at most; return whether anyone still waits for it."""
    until = time.monotonic() + timeout
    while (left := until - time.monotonic()) > 0:
        if gone():
            return False
        if subscription.wait(min(left, GONE_EVERY)):
            break
    return True
