"""Redis pub/sub between worker processes, over one channel. Delivery is best effort."""

import logging
import os
import random
import secrets
import threading
from collections.abc import Callable

from redis import Redis
from redis.backoff import NoBackoff
from redis.client import PubSub
from redis.exceptions import ConnectionError as Unreachable
from redis.retry import Retry

log = logging.getLogger(__name__)

PENDING = 1000  # topics waiting to be sent; more are dropped, and a heartbeat makes up for them
TELL_TIMEOUT = 0.25
TELL_AGAIN = 1.0
LISTEN_TIMEOUT = 5.0  # seconds, for connecting only; a subscription may be silent
HEALTH_CHECK = 10
UNANSWERED = 3  # unanswered pings after which the connection counts as broken
LOOK_UP = 1.0  # seconds between two checks whether to go on listening
SHORTEST_PAUSE, LONGEST_PAUSE = 0.2, 5.0  # seconds before listening again; doubled each time


class RedisPubSub:
    """One process's end of the channel: one connection that listens and one that sends.

    They are opened when first needed. So a process that only runs a command opens none, and forked
    processes do not share any. A message is a sender and a topic. Lost, repeated, reordered and
    unrelated messages do no harm.
    """

    def __init__(
        self,
        url: str,
        channel: str,
        heard: Callable[[str], None],
        subscribed: Callable[[], None],
    ) -> None:
        self._channel = channel
        self._heard = heard
        self._subscribed = subscribed
        self._sender = secrets.token_hex(4)
        self._url = url
        self._teller = self._client("tell", TELL_TIMEOUT, 0)
        self._lock = threading.Lock()
        self._pending: set[str] = set()
        self._something_pending = threading.Event()
        self._closing = threading.Event()
        self._telling: threading.Thread | None = None
        self._listening: threading.Thread | None = None
        self._silenced: set[str] = set()
        self.hears = False  # True while listening

    def _client(self, role: str, timeout: float, health_check: int) -> Redis:
        return Redis.from_url(
            self._url,
            client_name=f"kaboom-{role}-{os.getpid()}",
            protocol=2,
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            socket_keepalive=True,
            health_check_interval=health_check,
            retry=Retry(NoBackoff(), 0),
        )

    def tell(self, topic: str) -> None:
        """Queue a message for the other processes; never raises or blocks."""
        with self._lock:
            if len(self._pending) < PENDING:
                self._pending.add(topic)
            self._something_pending.set()
            if self._telling is None:
                self._telling = self._start(self._tell_pending)

    def listen(self) -> None:
        """Start listening, unless this process is listening already."""
        with self._lock:
            if self._listening is None and not self._closing.is_set():
                self._listening = self._start(self._listen_again_and_again)

    def close(self) -> None:
        """Stop listening; queued topics are still sent."""
        self._closing.set()
        self._something_pending.set()

    @staticmethod
    def _start(work: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=work, name=f"kaboom{work.__name__}", daemon=True)
        thread.start()
        return thread

    def _tell_pending(self) -> None:
        untold: set[str] = set()
        while True:
            # Unsent topics go with the next message, or alone after a moment.
            self._something_pending.wait(TELL_AGAIN if untold else None)
            with self._lock:
                topics, self._pending = self._pending | untold, set()
                if not self._closing.is_set():
                    self._something_pending.clear()
                elif not topics:
                    self._telling = None  # a later tell() starts another
                    break
            if (topics and self._publish(topics)) or self._closing.is_set():
                untold = set()
            else:
                untold = topics if len(topics) < PENDING else set()
        self._teller.close()

    def _publish(self, topics: set[str]) -> bool:
        try:
            pipeline = self._teller.pipeline(transaction=False)
            for topic in topics:
                pipeline.publish(self._channel, f"{self._sender} {topic}")
            pipeline.execute()
        except Exception as error:
            self._complain("tell", error)
            return False
        self._recovered("tell")
        return True

    def _listen_again_and_again(self) -> None:
        pause = SHORTEST_PAUSE
        while not self._closing.is_set():
            client = self._client("listen", LISTEN_TIMEOUT, HEALTH_CHECK)
            pubsub: PubSub = client.pubsub()  # type: ignore[no-untyped-call]
            try:
                pubsub.subscribe(self._channel)
                while not self._closing.is_set():
                    if self._take_message(pubsub):
                        pause = SHORTEST_PAUSE
            except Exception as error:
                self._complain("listen", error)
            finally:
                self.hears = False
                pubsub.close()
                client.close()
            self._closing.wait(random.uniform(pause / 2, pause))  # so that workers spread out
            pause = min(LONGEST_PAUSE, 2 * pause)

    def _take_message(self, pubsub: PubSub) -> bool:
        """Return True if the channel was just subscribed; raises if the connection is broken."""
        message = pubsub.get_message(timeout=LOOK_UP)
        if message is None:
            if pubsub.health_check_response_counter >= UNANSWERED:
                raise Unreachable("Redis does not respond")
            return False
        if message["type"] == "subscribe":
            self.hears = True
            self._recovered("listen")
            self._subscribed()
            return True
        if message["type"] == "message":
            sender, _, topic = message["data"].decode(errors="replace").partition(" ")
            if sender != self._sender:  # our own streams have already been woken
                self._heard(topic)
        return False

    def _complain(self, role: str, error: Exception) -> None:
        if role not in self._silenced:
            self._silenced.add(role)
            log.warning("Redis (%s): %s; pages update only at each heartbeat", role, error)

    def _recovered(self, role: str) -> None:
        if role in self._silenced:
            self._silenced.discard(role)
            log.warning("Redis (%s): works again", role)
