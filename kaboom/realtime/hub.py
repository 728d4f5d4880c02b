"""The hub of one process: wakes everyone waiting for a topic, here and in the other processes."""

import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self

from kaboom.realtime.redis_pubsub import Relay

# Over HTTP/1.1 a browser has six connections to a server: two stay free for requests.
PER_BROWSER = 4
PER_ADDRESS = 100  # enough for a school behind one address, too few for a flood
CHECK_EVERY = 10.0  # seconds after which a waiting request looks for itself
GONE_EVERY = 1.0  # seconds after which it asks whether its client is still there


class TooManyStreams(Exception):
    """This process, or that address, has as many streams as it may have; try again later."""


class Bell:
    """What the hub rings: it wakes the one who waits, or calls a function instead. It never queues.

    `left()` says whether the client it rings for has gone away, as far as that is known.
    """

    __slots__ = ("_event", "_listener", "left")

    def __init__(self) -> None:
        self.left: Callable[[], bool] | None = None
        self._event: threading.Event | None = threading.Event()
        self._listener: Callable[[], None] | None = None

    def ring(self) -> None:
        """Wake the one who waits, or the next who does."""
        if self._listener is not None:
            self._listener()
        elif self._event is not None:
            self._event.set()

    def wait(self, timeout: float) -> bool:
        """Return True once it rings, or has rung since the last clear(); False after `timeout`."""
        return self._event is None or self._event.wait(max(0.0, timeout))

    def clear(self) -> None:
        """Forget that it rang."""
        if self._event is not None:
            self._event.clear()

    def call(self, listener: Callable[[], None]) -> None:
        """Call the function from now on, instead of waking; at once if it has rung."""
        event, self._event, self._listener = self._event, None, listener
        if event is not None and event.is_set():
            listener()


class Subscription:
    """A stream's subscription to a topic: a bell, not a queue, so nothing piles up."""

    __slots__ = ("__weakref__", "_bell", "_hub", "_topic")

    def __init__(self, hub: "Hub", topic: str, bell: Bell) -> None:
        self._hub = hub
        self._topic = topic
        self._bell: Bell | None = bell

    @property
    def over(self) -> bool:
        """Whether the stream should end: the hub closes, or the browser has newer ones."""
        return self._bell is None or self._hub.closed or self.put_out

    @property
    def put_out(self) -> bool:
        """Whether this stream made room for a newer one of the same browser."""
        return self._bell in self._hub._put_out

    def is_for(self, left: Callable[[], bool]) -> None:
        """Note how to find out whether its client has left, before the next beat does."""
        if self._bell is not None:
            self._bell.left = left

    def wait(self, timeout: float) -> bool:
        """Return True once the topic was published (or the hub closed), False after `timeout`.

        Whatever is published from now on counts for the next wait, so read afterwards.
        """
        bell = self._bell
        if bell is None:
            return True
        woken = bell.wait(timeout)
        if not self._hub.closed:
            bell.clear()
        return woken

    def call(self, woken: Callable[[], None]) -> None:
        """Have woken() called instead of wait(), at once if there is something to be woken for.

        It is called by whoever publishes, so it must not wait.
        """
        if self._bell is not None:
            self._bell.call(woken)

    def close(self) -> None:
        """Stop listening; may be called more than once."""
        bell, self._bell = self._bell, None
        if bell is not None:
            self._hub._forget(self._topic, bell)

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
        if self._bell is not None:
            self._hub._lost.append((self._topic, self._bell))


class Hub:
    """Topics and their subscriptions. It carries no data: a stream that is woken looks for itself.

    With a Redis URL the hubs that share it and the channel wake each other. Redis may be slow, hung
    or away: nothing here waits for it, and local subscriptions work without it.
    Call it from greenlets or threads of its own kind, never from gevent's threadpool.
    """

    def __init__(
        self, redis_url: str | None = None, *, limit: int = 1600, channel: str = "kaboom"
    ) -> None:
        self.limit = limit
        self._lock = threading.Lock()
        self._topics: dict[str, set[Bell]] = {}
        self._count = 0
        self._lost: deque[tuple[str, Bell]] = deque()
        self._closed = False
        self._of: dict[str, list[Bell]] = {}  # by browser or address, the oldest first
        self._owners: dict[Bell, tuple[str, ...]] = {}
        self._put_out: set[Bell | None] = set()
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

    def subscribe(
        self, topic: str, browser: str = "", address: str = "", program: str = ""
    ) -> Subscription:
        """Return a subscription to the topic, to be closed; raises TooManyStreams at the limit.

        Beyond a browser's limit its oldest stream makes room. Beyond that of an address or program
        none does, or two devices would throw each other out in turns. Owners that are not given are
        not counted. A program's stream whose client has left does not count either: a program that
        closes one stream to open another would be refused until the next beat.
        """
        self._find_lost()
        bell = Bell()
        with self._lock:
            if self._count >= self.limit:
                raise TooManyStreams(f"{self.limit} streams are open")
            if address and len(self._of.get(f"address {address}", ())) >= PER_ADDRESS:
                raise TooManyStreams(f"{PER_ADDRESS} streams of one address are open")
            if program and self._alive(f"program {program}") >= PER_BROWSER:
                raise TooManyStreams(f"{PER_BROWSER} streams of one key are open")
            self._count += 1
            self._note_owners(bell, browser, address, program)
            self._topics.setdefault(topic, set()).add(bell)
            if self._closed:
                bell.ring()
        if self._relay:
            self._relay.listen()
        return Subscription(self, topic, bell)

    def _alive(self, owner: str) -> int:
        """Return how many streams somebody has. At the limit, those whose client has left do not
        count, and are woken so that they end.
        """
        bells = self._of.get(owner, ())
        if len(bells) < PER_BROWSER:
            return len(bells)
        gone = [bell for bell in bells if bell.left is not None and bell.left()]
        for bell in gone:
            bell.ring()
        return len(bells) - len(gone)

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

        For a page without scripts that holds its request open. It counts as a stream of its browser
        and address until it ends or the client is gone(). Raises TooManyStreams.
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
            bells = tuple(self._topics.get(topic, ()))
        for bell in bells:
            bell.ring()

    def _wake_all(self) -> None:
        with self._lock:
            bells = [bell for bells in self._topics.values() for bell in bells]
        for bell in bells:
            bell.ring()

    def _note_owners(self, bell: Bell, browser: str, address: str, program: str) -> None:
        owned = {"browser": browser, "address": address, "program": program}
        owners = tuple(f"{kind} {name}" for kind, name in owned.items() if name)
        if not owners:
            return
        self._owners[bell] = owners
        for owner in owners:
            self._of.setdefault(owner, []).append(bell)
        own = [old for old in self._of.get(f"browser {browser}", ()) if old not in self._put_out]
        if len(own) > PER_BROWSER:
            self._put_out.add(own[0])
            own[0].ring()

    def _forget(self, topic: str, bell: Bell) -> None:
        with self._lock:
            self._put_out.discard(bell)
            for owner in self._owners.pop(bell, ()):
                self._of[owner].remove(bell)
                if not self._of[owner]:
                    del self._of[owner]
            bells = self._topics[topic]
            bells.remove(bell)
            self._count -= 1
            if not bells:
                del self._topics[topic]

    def _find_lost(self) -> None:
        while self._lost:
            self._forget(*self._lost.popleft())


def _wait(subscription: Subscription, timeout: float, gone: Callable[[], bool]) -> bool:
    """Wait to be woken, `timeout` seconds at most; return whether the client is still there."""
    until = time.monotonic() + timeout
    while (left := until - time.monotonic()) > 0:
        if gone():
            return False
        if subscription.wait(min(left, GONE_EVERY)):
            break
    return True
