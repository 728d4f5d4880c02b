"""The hub of a process: wakes the subscribers of a topic in this and other processes."""

import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self

from kaboom.realtime.redis_pubsub import RedisPubSub

# Over HTTP/1.1 a browser has six connections per server; two must stay free for requests.
PER_BROWSER = 4
PER_ADDRESS = 100  # enough for a school behind one address, but not for a flood
CHECK_EVERY = 10.0  # seconds after which a waiting request checks for itself
GONE_EVERY = 1.0  # seconds after which it checks whether its client is still connected


class TooManyStreams(Exception):
    """The process, the client's address or the API client has reached its limit of streams; the
    client may retry.
    """


class Bell:
    """Wakes a waiting thread or greenlet, or calls a function instead. It has no queue.

    `left()` returns True once the client is known to have disconnected.
    """

    __slots__ = ("_event", "_listener", "left")

    def __init__(self) -> None:
        self.left: Callable[[], bool] | None = None
        self._event: threading.Event | None = threading.Event()
        self._listener: Callable[[], None] | None = None

    def ring(self) -> None:
        """Wake the waiting thread, or else the next one that waits."""
        if self._listener is not None:
            self._listener()
        elif self._event is not None:
            self._event.set()

    def wait(self, timeout: float) -> bool:
        """Return True when it rings or if it has rung since clear(); False after `timeout`
        seconds.
        """
        return self._event is None or self._event.wait(max(0.0, timeout))

    def clear(self) -> None:
        """Reset the bell."""
        if self._event is not None:
            self._event.clear()

    def call(self, listener: Callable[[], None]) -> None:
        """Call a function instead of waking a thread; at once if the bell has rung already."""
        event, self._event, self._listener = self._event, None, listener
        if event is not None and event.is_set():
            listener()


class Subscription:
    """A stream's subscription to a topic. It is a bell, not a queue, so messages do not
    accumulate.
    """

    __slots__ = ("__weakref__", "_bell", "_hub", "_topic")

    def __init__(self, hub: "Hub", topic: str, bell: Bell) -> None:
        self._hub = hub
        self._topic = topic
        self._bell: Bell | None = bell

    @property
    def over(self) -> bool:
        """Return True if the stream is to end: the hub is closing, or a newer stream of this
        browser has replaced it.
        """
        return self._bell is None or self._hub.closed or self.put_out

    @property
    def put_out(self) -> bool:
        """Return True if this stream was replaced by a newer one of the same browser."""
        return self._bell in self._hub._put_out

    def is_for(self, left: Callable[[], bool]) -> None:
        """Set a function that returns True once the client has disconnected."""
        if self._bell is not None:
            self._bell.left = left

    def wait(self, timeout: float) -> bool:
        """Return True when the topic is published or the hub closes; False after `timeout` seconds.

        Later publications count for the next wait, so read the data after this returns.
        """
        bell = self._bell
        if bell is None:
            return True
        woken = bell.wait(timeout)
        if not self._hub.closed:
            bell.clear()
        return woken

    def call(self, woken: Callable[[], None]) -> None:
        """Call woken() instead of waking wait(); call it immediately if a publication is already
        pending.

        It runs in the publisher's thread, so it must not block.
        """
        if self._bell is not None:
            self._bell.call(woken)

    def close(self) -> None:
        """Unsubscribe; may be called more than once."""
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
        # A response may be dropped without being closed. The garbage collector may run while the
        # hub's lock is held, so this only records the subscription.
        if self._bell is not None:
            self._hub._lost.append((self._topic, self._bell))


class Hub:
    """Topics and their subscriptions. It carries no data: a stream that is woken reads for itself.

    Hubs with the same Redis URL and channel wake each other. Redis may be slow or unavailable: no
    call here waits for it, and local subscriptions work without it. Call it from greenlets or
    threads of its own kind, never from gevent's threadpool.
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
        self._of: dict[str, list[Bell]] = {}  # by browser, address or API client, the oldest first
        self._owners: dict[Bell, tuple[str, ...]] = {}
        self._put_out: set[Bell | None] = set()
        self._hearers: dict[str, Callable[[str], None]] = {}
        self._relay = (
            RedisPubSub(redis_url, channel, self._hear, self._wake_all) if redis_url else None
        )

    @property
    def closed(self) -> bool:
        """Return True once close() was called."""
        return self._closed

    @property
    def streams(self) -> int:
        """Return the number of open subscriptions in this process."""
        self._find_lost()
        return self._count

    def subscribe(
        self, topic: str, browser: str = "", address: str = "", program: str = ""
    ) -> Subscription:
        """Subscribe to the topic; the returned subscription must be closed. Raises TooManyStreams
        at the limit.

        At a browser's limit its oldest stream is ended instead. At the limit of an address or API
        client no stream is ended, since otherwise two devices would keep replacing each other.
        Owners that are not given are not limited. An API client's streams whose client has
        disconnected do not count. Otherwise a client that closes one stream to open another would
        be refused until the next heartbeat.
        """
        self._find_lost()
        bell = Bell()
        with self._lock:
            if self._count >= self.limit:
                raise TooManyStreams(f"{self.limit} streams are open")
            if address and len(self._of.get(f"address {address}", ())) >= PER_ADDRESS:
                raise TooManyStreams(f"{PER_ADDRESS} streams from one address are open")
            if program and self._alive(f"program {program}") >= PER_BROWSER:
                raise TooManyStreams(f"{PER_BROWSER} streams with one key are open")
            self._count += 1
            self._note_owners(bell, browser, address, program)
            self._topics.setdefault(topic, set()).add(bell)
            if self._closed:
                bell.ring()
        if self._relay:
            self._relay.listen()
        return Subscription(self, topic, bell)

    def _alive(self, owner: str) -> int:
        """Return the number of a client's streams.

        At the limit, streams whose client has disconnected are not counted, and are woken so that
        they end.
        """
        bells = self._of.get(owner, ())
        if len(bells) < PER_BROWSER:
            return len(bells)
        gone = [bell for bell in bells if bell.left is not None and bell.left()]
        for bell in gone:
            bell.ring()
        return len(bells) - len(gone)

    def publish(self, topic: str) -> None:
        """Wake all subscriptions to the topic; never raises, never waits for Redis."""
        self._wake(topic)
        if self._relay:
            self._relay.tell(topic)

    @property
    def hears(self) -> bool:
        """Return True if this process is connected to the others, or if there are none."""
        return self._relay is None or self._relay.hears

    def hear(self, beginning: str, heard: Callable[[str], None]) -> None:
        """Call heard(topic) for other processes' publications of topics with this prefix."""
        self._hearers[beginning] = heard

    def tell_others(self, topic: str) -> None:
        """Publish to the other processes only; never raises, never waits for Redis."""
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
        """Return True once changed() is True, or False after `timeout` seconds. It is checked
        whenever the topic is published.

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
        """End every stream; publishing still works, for requests that are finishing."""
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
    """Wait for up to `timeout` seconds to be woken; return True if the client is still
    connected.
    """
    until = time.monotonic() + timeout
    while (left := until - time.monotonic()) > 0:
        if gone():
            return False
        if subscription.wait(min(left, GONE_EVERY)):
            break
    return True
