"""Event streams. A page receives the number of its viewer's view, or the update itself. An API
client receives the whole table. A long poll is a stream of one message.

A page that reconnects is told the present number; what changed since the view that it shows is
found by kaboom.table_page.updates.
"""

import logging
import random
import socket
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
LIFE = 600.0  # ± 20%, so that streams that began together do not end together
MERGE = 0.34  # seconds between two numbers while a table changes automatically
RETRY = (300, 900)  # milliseconds until a browser reconnects, as when a tab is shown again
RETRY_MUCH_LATER = (20_000, 40_000)  # … for a window that was replaced by another; it polls instead
RETRY_LATER = (1000, 4000)  # … after "bye", which many browsers may receive simultaneously
UNACKNOWLEDGED = 8.0  # seconds after which the kernel drops a vanished client
ESTABLISHED = 1  # the first byte of Linux's tcp_info
UNSENT = 15.0  # seconds until a client that reads nothing is disconnected


class Look(NamedTuple):
    """The current state for a stream's viewer: the numbers of the table's view and of the room's.

    `rest` is the minimum time between two messages, in seconds, so that quick changes become few
    messages; the last change is always sent. `rendered()` returns the view itself, and is called
    only for streams that send it. With `ends`, the viewer has been signed out: the page is told to
    request its room again, and the stream ends.
    """

    revision: int
    room: int | None = None
    rest: float = 0.0
    rendered: Callable[[], bytes] = bytes
    ends: bool = False


# Returns the states of a topic for several viewers; None for a viewer without permission. It
# is called outside of requests, so it uses a database connection of its own.
Looks = Callable[[str, Sequence[Any]], Sequence[Look | None]]


class Shape(NamedTuple):
    """The format of messages: `says(kind, number, rendered, retry)` returns one, a `table`, `beat`,
    `room` or `bye`; `retry` is in milliseconds.

    With `known`, the stream is a long poll: the first message ends it, and is sent at once unless
    this is the table's number. `packing` is the Content-Encoding of messages.
    """

    media: str
    says: Callable[[str, int, Callable[[], bytes], int | None], bytes]
    known: int | None = None
    packing: str = ""


class EventStream:
    """One viewer's stream: the messages to send, and the time of the next check.

    A server with a greenlet per response iterates over it. kaboom.realtime.writer needs no
    greenlet: it calls `begun`, and checks when the subscription is woken or `due` is reached.
    """

    __slots__ = (
        *("_beat", "_closed", "_end", "_heartbeat", "_seen", "_told"),
        *("looks", "over", "shape", "subscription", "topic", "viewer"),
    )

    def __init__(
        self,
        subscription: Subscription,
        topic: str,
        viewer: Any,
        looks: Looks,
        first: Look,
        *,
        heartbeat: float | None = None,
        closed: Callable[[], None] = lambda: None,
        shape: Shape | None = None,
    ) -> None:
        self.subscription, self.topic, self.viewer, self.looks = subscription, topic, viewer, looks
        self.shape, self.over = shape or NUMBERS, False
        self._seen = first
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
        return self._told + self._seen.rest

    def begun(self) -> bytes:
        """Return the first messages: the number, or "bye" if the stream is to end at once."""
        first, self._seen = self._seen, self._seen._replace(rendered=bytes)
        if self.shape.known is not None:
            # The number may have changed since it was compared.
            self.over = self.subscription.over or first.revision != self.shape.known
            return first.rendered() if self.over else b""
        if self.subscription.over:
            return self._goodbye()
        retry = random.randint(*RETRY)
        return self._says("table", first.revision, first.rendered, retry) + self._room()

    def goes_on(self) -> bool:
        """Return True if the stream continues: the hub is open, the client is connected, and the
        stream's time is not over.
        """
        subscription = self.subscription
        if self.shape.known is not None:  # a long poll is answered even if the server stops
            return not subscription.left()
        return not (subscription.over or time.monotonic() >= self._end or subscription.left())

    def heard(self, look: Look | None) -> bytes:
        """Return the messages for a new state; None ends the stream."""
        if look is None:
            return self._goodbye()
        if look.ends:
            return self._says("room", 0) + self._goodbye()
        now, before, self._seen = time.monotonic(), self._seen, look._replace(rendered=bytes)
        changed, due = look.revision != before.revision, now >= self._beat
        if self.shape.known is not None:
            self.over = changed or due or self.subscription.over
            return look.rendered() if self.over else b""
        messages = self._room() if look.room != before.room else b""
        if changed:
            self._told = now
            messages += self._says("table", look.revision, look.rendered)
        elif due:
            messages += self._says("beat", look.revision)
        if changed or due:
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
                look = look_for([self])[0] if self.goes_on() else None
                if messages := self.heard(look):
                    yield messages
        finally:
            self.close()

    def close(self) -> None:
        """Release the subscription; may be called more than once."""
        self.over = True
        self.subscription.close()
        closed, self._closed = self._closed, lambda: None
        closed()

    def _says(
        self,
        kind: str,
        number: int,
        rendered: Callable[[], bytes] = bytes,
        retry: int | None = None,
    ) -> bytes:
        # int: a number passed as text could contain line breaks.
        return self.shape.says(kind, int(number), rendered, retry)

    def _goodbye(self) -> bytes:
        self.over = True
        later = RETRY_MUCH_LATER if self.subscription.put_out else RETRY_LATER
        return self._says("bye", self._seen.revision, retry=random.randint(*later))

    def _room(self) -> bytes:
        room = self._seen.room
        return b"" if room is None else self._says("room", room)


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
    first: Callable[[], Look],
    *,
    browser: str = "",
    program: str = "",
    address: str = "",
    **more: Any,
) -> Response:
    """Return a stream of a viewer's state: at once, after each change, and with each heartbeat.

    `first()` returns the present state; it may raise errors for a viewer without permission.
    `looks` returns the later ones, and is called outside of requests. The room's number, if there
    is one, is sent at once and after each change. The hub counts streams by `browser` (or
    `program`) and `address`; `more` is passed to EventStream, which calls `closed` at the end.
    Raises TooManyStreams.
    """
    # Subscribe before the first check, so that no change in between is missed.
    subscription = hub.subscribe(topic, browser, address, program)
    try:
        seen = first()
        client = requesting()
        subscription.left = partial(has_left, client)
        _give_up_soon(client)
    except BaseException:
        subscription.close()
        raise
    stream = EventStream(subscription, topic, viewer, looks, seen, **more)
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


def _event(kind: str, number: int, _: Callable[[], bytes], retry: int | None) -> bytes:
    # "bye" has data only because browsers ignore an event without any. A room has no id, because
    # the id is the table's number.
    named = None if kind == "room" else str(number)
    return str(Message(str(number), type=kind, id=named, retry=retry)).encode()


def rendering(name: str) -> Shape:
    """Return the format of streams that send rendered views, as events with this name."""

    def says(kind: str, number: int, rendered: Callable[[], bytes], retry: int | None) -> bytes:
        if kind != "table":
            return _event(kind, number, rendered, retry)
        return str(Message(rendered().decode(), type=name, id=str(number), retry=retry)).encode()

    return Shape(EVENTS, says)


def _line(kind: str, number: int, rendered: Callable[[], bytes], retry: int | None) -> bytes:
    """Return a message as a line of JSON."""
    if kind == "room":
        return b'{"kind":"room","room":%d}\n' % number
    more = b',"table":' + rendered() if kind == "table" else b""
    more += b',"retry":%d' % retry if kind == "bye" and retry is not None else b""
    return b'{"kind":"%s","id":%d%s}\n' % (kind.encode(), number, more)


EVENTS = "text/event-stream; charset=utf-8"
NUMBERS = Shape(EVENTS, _event)
LINES = Shape("application/x-ndjson", _line)


def requesting() -> socket.socket | None:
    """Return the connection of this request, if the server makes it available."""
    environ = request.environ
    client: socket.socket | None = environ.get("gunicorn.socket") or environ.get("werkzeug.socket")
    return client


def _give_up_soon(client: Any) -> None:
    """Set the socket so that the kernel drops a client that vanished or reads nothing."""
    # Without a client, Linux and TCP, only the stream's lifetime limits it.
    with suppress(AttributeError, OSError):
        client.settimeout(UNSENT)
        milliseconds = int(UNACKNOWLEDGED * 1000)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)


def has_left(client: socket.socket | None) -> bool:
    """Return True if the client has closed its end, which the server would otherwise notice only at
    its second write.
    """
    if client is None or sys.platform != "linux":
        return False
    try:
        state = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)
    except OSError:
        return False  # not TCP
    return state[0] != ESTABLISHED
