"""gunicorn's gevent worker, made safe from clients that take too long or too many connections.

A proxy that buffers bodies and answers keeps such clients away; most rooms at home have none.
Event streams are handed on to one writer, so that none of them keeps a greenlet.
"""

import time
from collections import Counter
from contextlib import suppress
from ipaddress import ip_network
from typing import TYPE_CHECKING, Any

import gevent
from gunicorn import util
from gunicorn.workers.ggevent import GeventWorker
from werkzeug.exceptions import RequestTimeout

from kaboom.config import from_environment
from kaboom.realtime.client_address import household, read
from kaboom.realtime.connections import connections

if TYPE_CHECKING:
    from kaboom.realtime.stream import EventStream
    from kaboom.realtime.writer import Line

LEAST_SPEED = 4000  # bytes a second; a phone with hardly any reception manages that
PIECE = 16 * 1024  # bytes of a body waited for at once
FAREWELL = 5.0  # seconds in which a client that is still sending may hear why it was refused
UNHEARD = 16 * 1024 * 1024  # bytes thrown away meanwhile
GOODBYE = 1.0  # seconds in which the streams of a stopping worker say goodbye
SENTENCE = b"Too many connections from your address. Please wait a moment and try again.\n"
TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\nConnection: close\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s"
    % (len(SENTENCE), SENTENCE)
)


class Worker(GeventWorker):  # type: ignore[misc]
    """A worker in which no address has more than its share, and no client more than its time.

    A connection is kept for another request only if the last one's body was complete.
    """

    patience = 10.0  # seconds a body may take, and one more for each LEAST_SPEED bytes of it
    until_read = 60.0  # seconds a client may take to read an answer the kernel does not hold
    wsgi: Any  # the application

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        settings = from_environment()
        trusted = self.cfg.forwarded_allow_ips
        # If a proxy is declared, every client is that proxy.
        self.counts = settings.rate_limits and not settings.proxies and "*" not in trusted
        self.proxies = [ip_network(address) for address in trusted if address != "*"]
        self.share = connections() // 8
        self.held: Counter[str] = Counter()  # number of connections by address
        self.taken: dict[Any, Line] = {}  # by the connection a stream was taken from
        self.asking: dict[Any, Body] = {}  # what is being read, by its connection

    def load_wsgi(self) -> None:
        """Load the application, and have its event streams handed on to a writer."""
        # What uses sockets is imported when the process has been made cooperative, not before.
        from kaboom.realtime.writer import StreamWriter, handing_on

        super().load_wsgi()
        self.streams = StreamWriter()
        self.application = self.wsgi
        self.wsgi = handing_on(self.application, self.take, self.last)

    def take(self, stream: "EventStream", client: Any, chunked: bool) -> None:
        """Have the writer go on with a stream that has begun on this connection."""
        self.taken[client] = self.streams.take(stream, client, chunked)

    def last(self, client: Any) -> None:
        """Have the answer on this connection say that no other will follow."""
        self.asking[client].close()

    def is_already_handled(self, answer: Any) -> bool:
        """Return False for an ordinary answer; raises StopIteration where its client was taken."""
        if super().is_already_handled(answer):
            raise StopIteration
        return False

    def run(self) -> None:
        """Serve until the worker is asked to stop."""
        super().run()
        self.streams.finish(GOODBYE)

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serve a connection, or say that there are too many of that address."""
        who = self.counted(addr)
        if who and self.held[who] >= self.share:
            refuse(client)
            return
        self.held[who] += 1
        try:
            super().handle(listener, client, addr)
        finally:
            line = self.taken.pop(client, None)
            if line is None:
                self.release(who)
            else:
                line.when_closed(lambda: self.release(who))

    def release(self, who: str) -> None:
        """Count one connection of an address less."""
        self.held[who] -= 1
        if not self.held[who]:
            del self.held[who]

    def counted(self, addr: Any) -> str:
        """Return the address a connection counts for; nothing for a proxy, which is everybody's."""
        address = read(addr[0]) if self.counts and isinstance(addr, tuple) else None
        if address is None or any(address in proxies for proxies in self.proxies):
            return ""
        return household(str(address))

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Answer a request; raises StopIteration to have the connection closed."""
        body = self.asking[sock] = Body(req, self.patience)
        sock.settimeout(self.until_read)
        try:
            super().handle_request(listener_name, req, sock, addr)
        except TimeoutError:  # the answer was not read
            raise StopIteration from None
        finally:
            del self.asking[sock]
            if not body.whole:
                util.close_graceful(sock, FAREWELL, UNHEARD)


class Body:
    """The reader of a request's body: it keeps the time, and notices the end."""

    def __init__(self, request: Any, patience: float) -> None:
        """Put this in front of the request's own reader."""
        self.request, self.patience = request, patience
        self.reader = request.body.reader
        self.began = time.monotonic()
        self.received = 0
        self.closes = request.must_close  # for another reason
        self.whole = False
        self._notice(getattr(self.reader, "length", None) == 0)
        request.body.reader = self

    def read(self, size: int) -> bytes:
        """Return up to this many bytes, none at the end; raises RequestTimeout."""
        wanted = min(size, PIECE)
        until = self.began + self.patience + self.received / LEAST_SPEED
        with gevent.Timeout(max(0.0, until - time.monotonic()), RequestTimeout()):
            data: bytes = self.reader.read(wanted)
        self.received += len(data)
        # A body of known length is read to that length, one in chunks until nothing more comes.
        self._notice(getattr(self.reader, "length", len(data)) == 0)
        return data

    def close(self) -> None:
        """Have the connection closed after the answer, which says so."""
        self.closes = self.request.must_close = True

    def _notice(self, whole: bool) -> None:
        self.whole = self.whole or whole
        self.request.must_close = self.closes or not self.whole


def refuse(client: Any) -> None:
    """Say that there are too many connections, and close this one."""
    with suppress(OSError):
        # If a connection closes with a request still unread, the answer may be lost.
        client.settimeout(0.1)
        with suppress(TimeoutError):
            client.recv(64 * 1024)
        client.sendall(TOO_MANY)
        client.shutdown(1)
    util.close(client)
