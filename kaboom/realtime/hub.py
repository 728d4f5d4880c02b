"""The hub of a process: wakes the subscribers of a topic in this and other processes."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Self
from weakref import WeakSet

from kaboom.realtime.redis_pubsub import RedisPubSub

# Over HTTP/1.1 a browser has six connections per server; two must stay free for requests.
PER_BROWSER = 4
PER_ADDRESS = 100  # enough for a school behind one IP address, but not for a flood
CHECK_EVERY = 10.0  # seconds after which a waiting request checks the state itself
GONE_EVERY = 1.0  # seconds after which it checks whether its client is still connected


class TooManyStreams(Exception):
    """The process, the client's IP address or the API client has reached its limit of streams; the
    client may retry.
    """


class Subscription:
    """A stream's subscription to a topic: a bell, not a queue, so that messages do not accumulate.

    It wakes a waiting thread or greenlet, or calls a function instead. The hub only refers to it
    weakly: a response may be dropped without being closed.
    """

    __slots__ = ("__weakref__", "_event", "_hub", "groups", "left", "put_out", "ring", "since")

    def __init__(self, hub: "Hub", groups: Sequence[str]) -> None:
        self.groups = groups  # in which the hub counts it: its topic, browser, IP address …
        self.left: Callable[[], bool] = lambda: False  # True once the client has disconnected
        self.put_out = False  # was it replaced by a newer stream of the same browser?
        self.since = time.monotonic()
        self._hub: Hub | None = hub
        self._event: threading.Event | None = threading.Event()
        # Wakes the thread that is waiting, or else the next one to wait.
        self.ring: Callable[[], object] = self._event.set

    @property
    def over(self) -> bool:
        """Return True if the stream is to end: the hub is closing, or a newer stream of this
        browser has replaced it.
        """
        return self._hub is None or self._hub.closed or self.put_out

    def wait(self, timeout: float) -> bool:
        """Return True once the topic is published or the hub closes; False after `timeout` seconds.

        Later publications count for the next wait, so read the data after this returns.
        """
        hub, event = self._hub, self._event
        if hub is None or event is None:
            return True
        woken = event.wait(max(0.0, timeout))
        if not hub.closed:
            event.clear()
        return woken

    def call(self, listener: Callable[[], None]) -> None:
        """Call a function instead of waking wait(); call it immediately if a publication is already
        pending.

        It runs in the publisher's thread, so it must not block.
        """
        event, self._event, self.ring = self._event, None, listener
        if event is not None and event.is_set():
            listener()

    def close(self) -> None:
        """Unsubscribe; may be called more than once."""
        hub, self._hub = self._hub, None
        if self._event is None:
            self.ring = lambda: None
        if hub is not None:
            hub._forget(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self.close()


class Hub:
    """Topics and their subscriptions. It carries no data: a woken stream reads the data itself.

    Hubs with the same Redis URL and channel wake each other. Redis may be slow or unavailable: no
    call here waits for it, and local subscriptions work without it. Call it from greenlets or
    threads of its own kind, never from gevent's threadpool.
    """

    def __init__(
        self, redis_url: str | None = None, *, limit: int = 1600, channel: str = "kaboom"
    ) -> None:
        self.limit = limit
        self._lock = threading.Lock()
        self._all: WeakSet[Subscription] = WeakSet()
        # By topic, browser, IP address and program.
        self._groups: dict[str, WeakSet[Subscription]] = {}
        self.closed = False  # True once close() was called
        self._hearers: dict[str, Callable[[str], None]] = {}
        self._relay = (
            RedisPubSub(redis_url, channel, self._hear, self.wake_all) if redis_url else None
        )

    @property
    def streams(self) -> int:
        """Return the number of open subscriptions in this process."""
        return len(self._all)

    def subscribe(
        self, topic: str, browser: str = "", address: str = "", program: str = ""
    ) -> Subscription:
        """Subscribe to the topic; the returned subscription must be closed. Raises TooManyStreams
        at the limit.

        At a browser's limit, its oldest stream is ended instead. At the limit of an IP address or
        API client, no stream is ended, since otherwise two devices would keep replacing each other.
        There is no limit for a browser, IP address or API client that is not given. An API client's
        disconnected streams do not count: otherwise a client that closes one stream to open another
        would be refused until the next heartbeat.
        """
        owned = {"topic": topic, "browser": browser, "address": address, "program": program}
        subscription = Subscription(
            self, [f"{kind} {name}" for kind, name in owned.items() if name]
        )
        with self._lock:
            if len(self._all) >= self.limit:
                raise TooManyStreams(f"{self.limit} streams are open")
            if address and len(self._group("address", address)) >= PER_ADDRESS:
                raise TooManyStreams(f"{PER_ADDRESS} streams from one IP address are open")
            if program and len(self._connected(program)) >= PER_BROWSER:
                raise TooManyStreams(f"{PER_BROWSER} streams with one API key are open")
            self._all.add(subscription)
            for group in subscription.groups:
                self._groups.setdefault(group, WeakSet()).add(subscription)
            self._make_room(browser)
            if self.closed:
                subscription.ring()
        if self._relay:
            self._relay.listen()
        return subscription

    def _group(self, kind: str, name: str) -> Sequence[Subscription]:
        return tuple(self._groups.get(f"{kind} {name}", ()))

    def _connected(self, program: str) -> Sequence[Subscription]:
        """Return the streams of an API client.

        At the limit, those whose client has disconnected do not count, and are woken to end.
        """
        own = self._group("program", program)
        gone = [it for it in own if it.left()] if len(own) >= PER_BROWSER else ()
        for it in gone:
            it.ring()
        return [it for it in own if it not in gone]

    def _make_room(self, browser: str) -> None:
        """End the oldest stream of a browser that has one too many."""
        own = [it for it in self._group("browser", browser) if not it.put_out]
        if len(own) > PER_BROWSER:
            oldest = min(own, key=lambda it: it.since)
            oldest.put_out = True
            oldest.ring()

    def publish(self, topic: str) -> None:
        """Wake all subscriptions to the topic; never raises and never waits for Redis."""
        self.wake(topic)
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
        """Publish to the other processes only; never raises and never waits for Redis."""
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

        Used for a page without scripts, whose request is held open. It counts as a stream of its
        browser and IP address until it ends or the client is gone(). Raises TooManyStreams.
        """
        until, woken, checked = time.monotonic() + timeout, True, 0.0
        with self.subscribe(topic, browser, address) as subscription:
            while not (subscription.over or gone()):
                now = time.monotonic()
                if woken or now >= checked + CHECK_EVERY:
                    checked = now
                    if changed():
                        return True
                if now >= until:
                    break
                woken = subscription.wait(min(until - now, GONE_EVERY))
        return False

    def close(self) -> None:
        """End every stream; publishing still works, for requests that are finishing."""
        self.closed = True
        self.wake_all()
        if self._relay:
            self._relay.close()

    def _hear(self, topic: str) -> None:
        for beginning, heard in self._hearers.items():
            if topic.startswith(beginning):
                heard(topic)
                return
        self.wake(topic)

    def wake(self, topic: str) -> None:
        """Wake this process's subscriptions to the topic; never raises."""
        with self._lock:
            woken = self._group("topic", topic)
        for subscription in woken:
            subscription.ring()

    def wake_all(self) -> None:
        """Wake all subscriptions of this process; never raises."""
        with self._lock:
            woken = tuple(self._all)
        for subscription in woken:
            subscription.ring()

    def _forget(self, subscription: Subscription) -> None:
        with self._lock:
            self._all.discard(subscription)
            for name in subscription.groups:
                group = self._groups.get(name, WeakSet())
                group.discard(subscription)
                if not group:
                    self._groups.pop(name, None)
