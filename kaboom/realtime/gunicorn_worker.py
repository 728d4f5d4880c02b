"""A gunicorn gevent worker with limits for slow clients and clients with many connections.

A proxy that buffers requests and responses would protect against them, but most home servers have
none. Event streams are handed over to one writer, so that they do not occupy a greenlet each.
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
from kaboom.realtime.client_address import client_prefix, read
from kaboom.realtime.connections import connections

if TYPE_CHECKING:
    from kaboom.realtime.stream import EventStream
    from kaboom.realtime.writer import Connection

LEAST_SPEED = 4000  # minimum bytes per second; achievable even with very poor reception
PIECE = 16 * 1024  # bytes of a body requested at a time
FAREWELL = 5.0  # seconds for a client that is still sending to receive the reason for a refusal
UNHEARD = 16 * 1024 * 1024  # bytes discarded in that time
GOODBYE = 1.0  # seconds for the streams of a stopping worker to end
SENTENCE = b"Too many connections from your address. Please wait a moment and try again.\n"
TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\nConnection: close\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s"
    % (len(SENTENCE), SENTENCE)
)


class Worker(GeventWorker):  # type: ignore[misc]
    """A worker that limits the connections from each IP address and the time for each client.

    A connection is kept alive only if the last request's body was complete.
    """

    patience = 10.0  # seconds for a body, and one more for each LEAST_SPEED bytes
    until_read = 60.0  # seconds for a client to read what does not fit into the kernel's buffer
    wsgi: Any  # the application

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        settings = from_environment()
        trusted = self.cfg.forwarded_allow_ips
        # If a proxy is configured, all clients have its IP address.
        self.counts = settings.rate_limits and not settings.proxies and "*" not in trusted
        self.proxies = [ip_network(address) for address in trusted if address != "*"]
        self.share = connections() // 8
        self.held: Counter[str] = Counter()  # number of connections by IP address
        self.taken: dict[Any, Connection] = {}  # by the connection that a stream was taken from

    def load_wsgi(self) -> None:
        """Load the application, and set up its writer for event streams."""
        # Modules that use sockets are imported only after gevent has patched the process.
        from kaboom.realtime.writer import StreamWriter, handing_on

        super().load_wsgi()
        self.streams = StreamWriter()
        self.application = self.wsgi
        self.wsgi = handing_on(self.application, self.take)

    def take(self, stream: "EventStream", client: Any, chunked: bool) -> None:
        """Hand an open stream on this connection over to the writer."""
        self.taken[client] = self.streams.take(stream, client, chunked)

    def is_already_handled(self, answer: Any) -> bool:
        """Return False for an ordinary response; raises StopIteration if the writer took the
        stream.
        """
        if super().is_already_handled(answer):
            raise StopIteration
        return False

    def run(self) -> None:
        """Serve until the worker is stopped."""
        super().run()
        self.streams.finish(GOODBYE)

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Handle a connection, or refuse it if its IP address has too many."""
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
        """Decrease the number of connections from an IP address."""
        self.held[who] -= 1
        if not self.held[who]:
            del self.held[who]

    def counted(self, addr: Any) -> str:
        """Return the IP address for which a connection counts, or "" for a proxy, which all players
        share.
        """
        address = read(addr[0]) if self.counts and isinstance(addr, tuple) else None
        if address is None or any(address in proxies for proxies in self.proxies):
            return ""
        return client_prefix(str(address))

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Handle a request; raises StopIteration to close the connection."""
        body = Body(req, self.patience)
        sock.settimeout(self.until_read)
        try:
            super().handle_request(listener_name, req, sock, addr)
        except TimeoutError:  # the response was not read in time
            raise StopIteration from None
        finally:
            if not body.whole:
                util.close_graceful(sock, FAREWELL, UNHEARD)


class Body:
    """A reader of a request's body that enforces the time limit and records whether it was
    complete.
    """

    def __init__(self, request: Any, patience: float) -> None:
        """Wrap the request's own reader."""
        self.request, self.patience = request, patience
        self.reader = request.body.reader
        self.began = time.monotonic()
        self.received = 0
        self.closes = request.must_close  # the connection is closing for another reason
        self.whole = False
        self._notice(getattr(self.reader, "length", None) == 0)
        request.body.reader = self

    def read(self, size: int) -> bytes:
        """Return up to this many bytes, or b"" at the end; raises RequestTimeout."""
        wanted = min(size, PIECE)
        until = self.began + self.patience + self.received / LEAST_SPEED
        with gevent.Timeout(max(0.0, until - time.monotonic()), RequestTimeout()):
            data: bytes = self.reader.read(wanted)
        self.received += len(data)
        # A body of known length is read up to that length, a chunked one until it ends.
        self._notice(getattr(self.reader, "length", len(data)) == 0)
        return data

    def close(self) -> None:
        """Send `Connection: close` with the response, and close the connection after it."""
        self.closes = self.request.must_close = True

    def _notice(self, whole: bool) -> None:
        self.whole = self.whole or whole
        self.request.must_close = self.closes or not self.whole


def refuse(client: Any) -> None:
    """Refuse a connection above the limit with a message, and close it."""
    with suppress(OSError):
        # Closing a connection with unread data could discard the response.
        client.settimeout(0.1)
        with suppress(TimeoutError):
            client.recv(64 * 1024)
        client.sendall(TOO_MANY)
        client.shutdown(1)
    util.close(client)
