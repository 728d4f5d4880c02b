"""Event streams. A page receives the number of its viewer's view, or the update itself. An API
client receives the whole table. A long poll is a stream of one message.
"""

import logging
import random
import socket
import ssl
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from flask import Response, request
from flask_sse import Message

from kaboom.realtime.hub import Hub, Subscription

log = logging.getLogger(__name__)

HEARTBEAT = 10.0
LIFE = 600.0  # ± 20 %, so that streams that began together do not end together
MERGE = 0.34  # seconds between two numbers while a table changes automatically
RETRY = (300, 900)  # milliseconds after which a browser reconnects, such as a tab shown again
RETRY_MUCH_LATER = (20_000, 40_000)  # … a window that was replaced by another; it polls instead
RETRY_LATER = (1000, 4000)  # … after "bye", which many browsers may receive at once
UNACKNOWLEDGED = 8.0  # seconds until the kernel drops a vanished client
ESTABLISHED = 1  # the first byte of Linux's tcp_info
UNSENT = 15.0  # seconds until a client that reads nothing is disconnected


class Look(NamedTuple):
    """The current state for a stream's viewer: the numbers of the table's view and of the room's.

    `rest` is the minimum time between two messages, in seconds, so that quick changes become few
    messages; the last change is always sent. `drawn()` returns the view itself, and is called only
    for streams that send it. With `ends`, the viewer has been signed out: the page is told to ask
    for its room again, and the stream ends.
    """

    revision: int
    room: int | None = None
    rest: float = 0.0
    drawn: Callable[[], bytes] = bytes
    ends: bool = False


# Returns the state of a topic for several viewers at once; None for a viewer without permission. It
# is called outside of requests, so it uses a database connection of its own.
Looks = Callable[[str, Sequence[Any]], Sequence[Look | None]]


class Shape(NamedTuple):
    """The format of messages: `table(number, drawn, retry)`, `beat(number)`, `room(number)` and
    `bye(number, retry)`; `retry` is in milliseconds.

    With `once`, the stream is a long poll: the first message ends it, and is sent at once unless
    the table's number is `known`. `packing` is the Content-Encoding of messages.
    """

    media: str
    table: Callable[[int, Callable[[], bytes], int | None], bytes]
    beat: Callable[[int], bytes]
    room: Callable[[int], bytes]
    bye: Callable[[int, int], bytes]
    once: bool = False
    known: int = -1
    packing: str = ""


class EventStream:
    """One viewer's stream: the messages to send, and the time of the next check.

    A server with a greenlet per response iterates over it. kaboom.realtime.writer needs no
    greenlet: it calls `begun`, and checks when the subscription is woken or `due` is reached.
    """

    __slots__ = (
        "_beat",
        "_chat",
        "_closed",
        "_drawn",
        "_end",
        "_heartbeat",
        "_rest",
        "_sent",
        "_told",
        "client",
        "looks",
        "over",
        "shape",
        "subscription",
        "topic",
        "viewer",
    )

    def __init__(
        self,
        subscription: Subscription,
        topic: str,
        viewer: Any,
        looks: Looks,
        first: Look | None,
        *,
        heartbeat: float | None = None,
        client: socket.socket | None = None,
        closed: Callable[[], None] | None = None,
        shape: Shape | None = None,
    ) -> None:
        self.shape = shape or NUMBERS
        self.subscription = subscription
        self.topic = topic
        self.viewer = viewer
        self.looks = looks
        self.client = client
        self.over = first is None
        self._sent, self._chat, self._rest, self._drawn, _ends = first or Look(0)
        self._heartbeat = HEARTBEAT if heartbeat is None else heartbeat
        self._told = time.monotonic()
        self._beat = self._told + self._heartbeat
        self._end = self._told + LIFE * random.uniform(0.8, 1.2)
        self._closed = closed

    @property
    def due(self) -> float:
        """Return the time.monotonic() at which the stream checks even if nothing has happened."""
        return min(self._beat, self._end)

    @property
    def not_before(self) -> float:
        """Return the time.monotonic() before which the stream may not check."""
        return self._told + self._rest

    def begun(self) -> bytes:
        """Return the first messages: the number, or "bye" for a viewer without permission."""
        drawn, self._drawn = self._drawn, bytes
        if self.shape.once:
            if self.over:
                return self._goodbye()
            # The number may have changed since it was compared.
            self.over = self.subscription.over or int(self._sent) != self.shape.known
            return drawn() if self.over else b""
        if self.over or self.subscription.over:
            return self._goodbye()
        first = self.shape.table(int(self._sent), drawn, random.randint(*RETRY))
        return first + self._room()

    def looked(self) -> bytes:
        """Check for this viewer alone, and return the messages to send."""
        if not self.goes_on():
            return self._goodbye()
        return self.heard(look_for([self])[0])

    def goes_on(self) -> bool:
        """Return True if the stream continues: the hub is open, the client is connected, and the
        stream's time is not over.
        """
        subscription = self.subscription
        if self.shape.once:  # a long poll is answered even if the server stops
            return not has_left(self.client)
        return not (subscription.over or time.monotonic() >= self._end or has_left(self.client))

    def heard(self, look: Look | None) -> bytes:
        """Return the messages for a new state; None ends the stream."""
        if look is None:
            return self._goodbye()
        if look.ends:
            return self.shape.room(0) + self._goodbye()
        now = time.monotonic()
        number, chat, self._rest, drawn, _ends = look
        messages = b""
        if self.shape.once:
            self.over = number != self._sent or now >= self._beat or self.subscription.over
            return drawn() if self.over else b""
        if chat is not None and chat != self._chat:
            self._chat = chat
            messages = self._room()
        if number != self._sent:
            self._sent, self._told = int(number), now
            messages += self.shape.table(self._sent, drawn, None)
        elif now >= self._beat:
            messages += self.shape.beat(self._sent)
        else:
            return messages
        self._beat = now + self._heartbeat
        return messages

    def __iter__(self) -> Iterator[bytes]:
        """Yield messages until the viewer disconnects, the hub closes or the stream's time is
        over.
        """
        try:
            yield self.begun()
            while not self.over:
                self.subscription.wait(self.due - time.monotonic())
                # Later publications leave the subscription woken, so none is missed.
                early = self.not_before - time.monotonic()
                if early > 0:
                    time.sleep(early)
                if messages := self.looked():
                    yield messages
        finally:
            self.close()
        _read_no_more(self.client)

    def close(self) -> None:
        """Release the subscription; may be called more than once."""
        self.over = True
        self.subscription.close()
        closed, self._closed = self._closed, None
        if closed is not None:
            closed()

    def _goodbye(self) -> bytes:
        self.over = True
        later = RETRY_MUCH_LATER if self.subscription.put_out else RETRY_LATER
        return self.shape.bye(self._sent, random.randint(*later))

    def _room(self) -> bytes:
        return b"" if self._chat is None else self.shape.room(self._chat)


def look_for(streams: Sequence[EventStream]) -> Sequence[Look | None]:
    """Check for all streams of one topic together; return each state, or None to end the stream."""
    try:
        return streams[0].looks(streams[0].topic, [stream.viewer for stream in streams])
    except Exception as error:
        # A heartbeat with an old number would claim that the page is up to date.
        log.warning("closing a stream, cannot read its revision: %r", error)
        return [None] * len(streams)


def events(
    hub: Hub,
    topic: str,
    viewer: Any,
    looks: Looks,
    *,
    browser: str = "",
    program: str = "",
    address: str = "",
    closed: Callable[[], None] | None = None,
    shape: Shape | None = None,
    heartbeat: float | None = None,
    first: Callable[[], Look | None] | None = None,
) -> Response:
    """Return a stream of a viewer's state: at once, after each change, and with each heartbeat.

    `looks` is called outside of requests. The first state comes from `first()` if given, which
    may raise errors for the viewer, or else from `looks`. The room's number, if there is one,
    is sent at once and after each change. The hub counts streams by `browser` (or `program`)
    and `address`. `closed` is called at the end. Raises TooManyStreams.
    """
    # Subscribe before the first check, so that no change in between is missed.
    subscription = hub.subscribe(topic, browser, address, program)
    try:
        seen = first() if first else looks(topic, [viewer])[0]
        client = _client()
        subscription.left = partial(has_left, client)
        _give_up_soon(client)
    except BaseException:
        subscription.close()
        raise
    stream = EventStream(
        subscription,
        topic,
        viewer,
        looks,
        seen,
        heartbeat=heartbeat,
        client=client,
        closed=closed,
        shape=shape,
    )
    # The server keeps the environment during the stream; the request can be freed.
    request.environ.pop("werkzeug.request", None)
    return _response_with(stream)


def _response_with(stream: EventStream) -> Response:
    """Return the response whose body is a stream, which no proxy may cache or hold back."""
    # Passed through unwrapped, so that kaboom.realtime.writer recognises it.
    response = Response(stream, content_type=stream.shape.media, direct_passthrough=True)
    response.headers["Cache-Control"] = "no-store, no-transform"
    response.headers["X-Accel-Buffering"] = "no"
    if stream.shape.packing:
        response.headers["Content-Encoding"] = stream.shape.packing
    return response


def _message(kind: str, revision: int, retry: int | None = None) -> bytes:
    return str(Message(str(revision), type=kind, id=str(revision), retry=retry)).encode()


def _room(number: int) -> bytes:
    # No id, because the id is the table's number.
    return str(Message(str(number), type="room")).encode()


def _bye(number: int, retry: int) -> bytes:
    # "bye" has data only because browsers ignore an event without any.
    return _message("bye", number, retry=retry)


def _beat(number: int) -> bytes:
    return _message("beat", number)


def _whole(number: int, drawn: Callable[[], bytes], retry: int | None) -> bytes:
    return str(Message(drawn().decode(), type="table", id=str(number), retry=retry)).encode()


def view(edition: str, before: str, html: str) -> bytes:
    """Return a message that a page shows. It has no event type, so htmx swaps it as HTML.

    Its id contains the new revision of the table and the revision it updates.
    """
    lines = "\ndata:".join(html.splitlines())
    return f"data:{lines}\nid:{edition} {before}\n\n".encode()


def _line(kind: str, number: int, more: bytes = b"") -> bytes:
    return b'{"kind":"%s","id":%d%s}\n' % (kind.encode(), number, more)


EVENTS = "text/event-stream; charset=utf-8"
NUMBERS = Shape(
    EVENTS,
    lambda number, drawn, retry: _message("table", number, retry),
    _beat,
    _room,
    _bye,
)
WHOLE = Shape(EVENTS, _whole, _beat, _room, _bye)
LINES = Shape(
    "application/x-ndjson",
    lambda number, drawn, retry: _line("table", number, b',"table":' + drawn()),
    lambda number: _line("beat", number),
    lambda number: b'{"kind":"room","room":%d}\n' % number,
    lambda number, retry: _line("bye", number, b',"retry":%d' % retry),
)


def once(media: str, known: int, gone: bytes) -> Shape:
    """Return the format of a long poll, answered when a table's number differs from `known`.

    `gone` is sent if the viewer no longer has permission.
    """
    return NUMBERS._replace(
        media=media,
        bye=lambda number, retry: gone,
        once=True,
        known=known,
    )


def left() -> Callable[[], bool]:
    """Return a function that returns True once the client of this request has disconnected."""
    client = _client()
    return lambda: has_left(client)


def _client() -> socket.socket | None:
    environ = request.environ
    client: socket.socket | None = environ.get("gunicorn.socket") or environ.get("werkzeug.socket")
    return client


def _give_up_soon(client: Any) -> None:
    """Set the socket so that the kernel drops a client that vanished or reads nothing."""
    # Without a client, not on Linux, or not over TCP, only the stream's lifetime limits it.
    with suppress(AttributeError, OSError):
        client.settimeout(UNSENT)
        milliseconds = int(UNACKNOWLEDGED * 1000)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)


def has_left(client: socket.socket | None) -> bool:
    """Return True if the client has closed its end, which otherwise only a second write would
    reveal to the server.
    """
    if client is None or sys.platform != "linux":
        return False
    try:
        state = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)
    except OSError:
        return False  # not TCP
    return state[0] != ESTABLISHED


def _read_no_more(client: socket.socket | None) -> None:
    """Close the connection after this response; kept alive, it would delay a stopping worker."""
    if client is None or isinstance(client, ssl.SSLSocket):
        return
    with suppress(OSError):
        client.shutdown(socket.SHUT_RD)
