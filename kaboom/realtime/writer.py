"""Writes the event streams of a worker, with one greenlet for each table that was woken.

A waiting greenlet for each open stream would cost some 28 KB of memory
(docs/decisions/0015-streams.md). So the connection of an open stream is taken from the greenlet
that handled the request, and that greenlet may end. The hub wakes the writer, and a timer triggers
heartbeats.
"""

import errno
import logging
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import gevent
from gunicorn.workers.base_async import ALREADY_HANDLED

from kaboom.db import traces
from kaboom.realtime.stream import UNSENT, EventStream, has_left, look_for

log = logging.getLogger(__name__)

TICK = 0.25  # seconds between two timer ticks, by which a heartbeat may be late
LAST_CHUNK = b"0\r\n\r\n"


@dataclass(slots=True, eq=False)
class Connection:
    """A connection with an open stream; `chunked` is True for HTTP chunked encoding."""

    stream: EventStream
    client: socket.socket
    chunked: bool
    woken: bool = False
    unsent: bytes = b""
    stuck: float = 0.0  # the time.monotonic() since which its client has read nothing
    released: Callable[[], None] = lambda: None  # called when it is closed

    def when_closed(self, released: Callable[[], None]) -> None:
        """Call released() when the connection is closed, at once if it is already closed."""
        if self.client.fileno() < 0:
            released()
        else:
            self.released = released

    def write(self, messages: bytes) -> None:
        """Send messages without blocking; a client that reads too slowly is disconnected."""
        if messages and self.chunked:
            messages = b"%x\r\n%s\r\n" % (len(messages), messages)
        self.unsent += messages
        if not self.unsent:
            return
        now = time.monotonic()
        try:
            sent = self.client.send(self.unsent)
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EWOULDBLOCK):
                self.stream.over = True
                return
            sent = 0
        self.unsent = self.unsent[sent:]
        self.stuck = now if sent or not self.stuck else self.stuck
        if not self.unsent:
            self.stuck = 0.0
        elif now - self.stuck > UNSENT:
            self.stream.over = True

    def close(self) -> None:
        """End the response and close the connection."""
        self.stream.close()
        with suppress(OSError):
            if self.chunked and not self.unsent:
                self.client.send(LAST_CHUNK)
            self.client.shutdown(socket.SHUT_RDWR)
        self.client.close()
        self.released()


class StreamWriter:
    """The open streams of a worker, by topic. Call it from greenlets of one thread."""

    def __init__(self) -> None:
        self._lines: dict[str, set[Connection]] = {}
        self._served: set[str] = set()  # topics with a running greenlet
        self._clock: gevent.Greenlet | None = None

    @property
    def count(self) -> int:
        """Return the number of open streams."""
        return sum(map(len, self._lines.values()))

    def take(self, stream: EventStream, client: socket.socket, chunked: bool) -> Connection:
        """Take over an open stream with its connection."""
        own = socket.socket(fileno=client.detach())
        own.setblocking(False)
        stream.subscription.left = partial(has_left, own)
        line = Connection(stream, own, chunked)
        topic = stream.topic
        self._lines.setdefault(topic, set()).add(line)

        def wake() -> None:
            line.woken = True
            self._wake(topic)

        if self._clock is None:
            self._clock = gevent.spawn(self._tick)
        if stream.over:
            self._end(line)
        else:  # publications in the meantime are pending in the subscription
            stream.subscription.call(wake)
        return line

    def finish(self, seconds: float) -> None:
        """Wait for up to this many seconds until all streams have ended."""
        until = time.monotonic() + seconds
        while self.count and time.monotonic() < until:
            gevent.sleep(0.01)

    def _wake(self, topic: str) -> None:
        if topic not in self._served:
            self._served.add(topic)
            gevent.spawn(self._serve, topic)

    def _tick(self) -> None:
        """Wake the topics of streams that are due or have unsent data."""
        while True:
            gevent.sleep(TICK)
            now = time.monotonic()
            for topic, lines in list(self._lines.items()):
                if any(line.stream.due <= now or line.unsent for line in lines):
                    self._wake(topic)

    def _serve(self, topic: str) -> None:
        """Check and write a topic's streams until none of them has anything to do."""
        try:
            while wanting := self._wanting(topic):
                soonest = min(line.stream.not_before for line in wanting)
                rest = soonest - time.monotonic()
                if rest > 0:
                    gevent.sleep(rest)
                self._look(wanting)
        finally:
            self._served.discard(topic)

    def _wanting(self, topic: str) -> list[Connection]:
        """Return the connections that need a check.

        A client is sent nothing more until it has read the last message. So messages do not
        accumulate, and the next one has the latest state.
        """
        now = time.monotonic()
        lines = list(self._lines.get(topic, ()))
        for line in lines:
            if line.unsent:
                line.write(b"")
                if line.stream.over:
                    self._end(line)
        return [
            line
            for line in lines
            if not line.stream.over
            and (line.woken or line.stream.due <= now)
            and not (line.unsent and line.stream.goes_on())
        ]

    def _look(self, wanting: list[Connection]) -> None:
        """Check once for all connections whose minimum interval is over, and write the messages."""
        now = time.monotonic()
        lines = [line for line in wanting if line.stream.not_before <= now]
        for line in lines:
            line.woken = False  # later publications are for the next check
        going = [line for line in lines if line.stream.goes_on()]
        with traces.span("push views", streams=len(lines)):
            looks = look_for([line.stream for line in going]) if going else ()
            found = dict(zip(going, looks, strict=True))
            for line in lines:
                try:
                    line.write(line.stream.heard(found.get(line)))
                except Exception:  # what this client is sent could not be rendered
                    log.exception("could not write to a stream; closing it")
                    line.stream.over = True
                if line.stream.over:
                    self._end(line)

    def _end(self, line: Connection) -> None:
        lines = self._lines.get(line.stream.topic, set())
        lines.discard(line)
        if not lines:
            self._lines.pop(line.stream.topic, None)
        line.close()


def handing_on(
    wsgi: Callable[..., Any],
    take: Callable[[EventStream, Any, bool], None],
) -> Callable[..., Any]:
    """Return a WSGI application that starts event streams and then hands them over to `take`.

    With TLS or HTTP/2, a connection is more than its socket, so a stream keeps its greenlet there.
    """

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        writes = []

        def starting(*given: Any) -> Any:
            writes.append(start_response(*given))
            return writes[-1]

        answer = wsgi(environ, starting)
        client = environ.get("gunicorn.socket")
        alone = not isinstance(client, ssl.SSLSocket) and environ.get("HTTP_VERSION") != "2"
        if not isinstance(answer, EventStream) or client is None or not alone:
            return answer
        # The response announces that the connection ends with it (`Body` of the worker).
        environ["wsgi.input"].reader.close()
        try:
            writes[-1](answer.begun())
        except BaseException:
            answer.close()
            raise
        take(answer, client, environ["SERVER_PROTOCOL"] == "HTTP/1.1")
        return ALREADY_HANDLED

    return application
