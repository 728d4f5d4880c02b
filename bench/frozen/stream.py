"""The event stream of a page: the number of what its viewer sees, and nothing else."""

import logging
import random
import socket
import ssl
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NoReturn

from flask import Response, current_app, request
from flask_sse import Message, ServerSentEventsBlueprint

from bench.frozen.hub import Hub, Subscription

log = logging.getLogger(__name__)

HEARTBEAT = 10.0
LIFE = 600.0  # give or take a fifth, so that streams that began together do not end together
MERGE = 0.34  # seconds between two numbers while a table moves by itself: three looks a second
RETRY = (300, 900)  # milliseconds after which a browser reconnects, such as a tab looked at again
RETRY_MUCH_LATER = (20_000, 40_000)  # a window that made room for another; it polls instead
RETRY_LATER = (1000, 4000)  # after "bye", which many may hear at once
UNACKNOWLEDGED = 8.0  # then the kernel gives up a vanished client; the next beat notices
ESTABLISHED = 1  # the first byte of Linux's tcp_info
UNSENT = 15.0  # then a client that reads nothing is dropped


def _always() -> bool:
    return True


def _at_once() -> float:
    return 0.0


class TableEvents(ServerSentEventsBlueprint):  # type: ignore[misc]
    """flask-sse's blueprint and messages, without its open channel and its Redis per browser.

    It has no route of its own: a view that knows who is asking returns events(...).
    """

    def __init__(
        self,
        name: str = "events",
        import_name: str = __name__,
        *,
        heartbeat: float = HEARTBEAT,
        life: float = LIFE,
        **options: Any,
    ) -> None:
        super().__init__(name, import_name, **options)
        self.heartbeat = heartbeat
        self.life = life

    def events(
        self,
        hub: Hub,
        topic: str,
        revision: Callable[[], int | None],
        alive: Callable[[], bool] = _always,
        rest: Callable[[], float] = _at_once,
        room: Callable[[], int] | None = None,
        browser: str = "",
        address: str = "",
    ) -> Response:
        """Return a stream of the viewer's revision: at once, when it changes, with each heartbeat.

        `revision` is called here, and later outside the request, so it opens and returns its own
        database connection; None says that the viewer may not listen (any more). `alive` is asked
        at the same times and ends the stream by saying False. `rest` is asked after each look: the
        seconds that must lie between two numbers just now, so that a quick succession of changes
        becomes few messages; the last number always comes. `room`, asked after `revision`, is a
        second number, of the chat at the table: told at once and when it changes.
        `browser` and `address` are whose stream it is, for the hub to count. Raises
        TooManyStreams.
        """
        # Subscribed before the first look, so that no change falls between the two.
        subscription = hub.subscribe(topic, browser, address)
        try:
            first = revision() if alive() else None
            chat = None if room is None or first is None else room()
            client = _client()
            _give_up_soon(client)
        except BaseException:
            subscription.close()
            raise
        messages = self.messages(
            subscription, first, revision, alive, rest, client, chat=chat, room=room
        )
        response = Response(
            (str(message).encode() for message in messages), mimetype="text/event-stream"
        )
        response.call_on_close(subscription.close)
        # The server keeps the environment as long as the stream lasts; the request need not stay
        # with it.
        request.environ.pop("werkzeug.request", None)
        response.headers["Cache-Control"] = "no-store, no-transform"
        response.headers["X-Accel-Buffering"] = "no"
        return response

    def messages(
        self,
        subscription: Subscription,
        first: int | None,
        revision: Callable[[], int | None],
        alive: Callable[[], bool] = _always,
        rest: Callable[[], float] = _at_once,
        client: socket.socket | None = None,
        *,
        chat: int | None = None,
        room: Callable[[], int] | None = None,
    ) -> Iterator[Message]:
        """Yield one viewer's messages until the viewer, the hub or the stream's time is gone."""
        sent = 0 if first is None else int(first)
        with subscription:
            if first is not None and not subscription.over:
                yield _message("table", sent, retry=random.randint(*RETRY))
                if chat is not None:
                    yield _room(chat)
                changes = self._changes(
                    subscription, sent, revision, alive, rest, client, chat, room
                )
                yield from changes
            later = RETRY_MUCH_LATER if subscription.put_out else RETRY_LATER
            # "bye" has data only because browsers drop an event without any.
            yield _message("bye", sent, retry=random.randint(*later))
        _read_no_more(client)

    def _changes(
        self,
        subscription: Subscription,
        sent: int,
        revision: Callable[[], int | None],
        alive: Callable[[], bool],
        rest: Callable[[], float],
        client: socket.socket | None,
        chat: int | None,
        room: Callable[[], int] | None,
    ) -> Iterator[Message]:
        now = told = time.monotonic()
        end = now + self.life * random.uniform(0.8, 1.2)
        beat = now + self.heartbeat
        while True:
            subscription.wait(min(beat, end) - now)
            # Anything published meanwhile leaves the subscription woken, so nothing is missed.
            early = told + rest() - time.monotonic()
            if early > 0:
                time.sleep(early)
            now = time.monotonic()
            if subscription.over or now >= end or not alive() or _has_left(client):
                return
            try:
                number = revision()
                heard = None if room is None or number is None else room()
            except Exception as error:
                # A beat with an old number would claim that the page is up to date.
                log.warning("a stream ends, its revision cannot be read: %r", error)
                return
            if number is None:
                return
            if heard is not None and heard != chat:
                chat = heard
                yield _room(chat)
            if number != sent:
                sent, told = int(number), now
                yield _message("table", sent)
            elif now >= beat:
                yield _message("beat", sent)
            else:
                continue
            beat = now + self.heartbeat

    def publish(self, topic: str) -> None:
        """Wake the topic's watchers through the application's hub."""
        hub: Hub = current_app.extensions["kaboom.hub"]
        hub.publish(topic)

    def stream(self) -> NoReturn:
        """Refuse flask-sse's own view, which lets anyone listen to any channel."""
        raise NotImplementedError("a stream belongs to a viewer; see events()")


def _message(kind: str, revision: int, retry: int | None = None) -> Message:
    return Message(str(revision), type=kind, id=str(revision), retry=retry)


def _room(number: int) -> Message:
    return Message(str(number), type="room")  # without an id: that is the table's number


def left() -> Callable[[], bool]:
    """Return a function that says whether the client of this request has left."""
    client = _client()
    return lambda: _has_left(client)


def _client() -> socket.socket | None:
    environ = request.environ
    client: socket.socket | None = environ.get("gunicorn.socket") or environ.get("werkzeug.socket")
    return client


def _give_up_soon(client: socket.socket | None) -> None:
    """Have the kernel drop a client that vanished or reads nothing."""
    if client is None:
        return
    # Not on Linux, or not over TCP: the stream's lifetime is the limit.
    with suppress(AttributeError, OSError):
        client.settimeout(UNSENT)
        milliseconds = int(UNACKNOWLEDGED * 1000)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)


def _has_left(client: socket.socket | None) -> bool:
    """Return whether the client closed its end; only the second write would notice."""
    if client is None or sys.platform != "linux":
        return False
    try:
        state = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)
    except OSError:
        return False  # not TCP
    return state[0] != ESTABLISHED


def _read_no_more(client: socket.socket | None) -> None:
    """Close the connection after this answer: kept alive, it would hold up a stopping worker."""
    if client is None or isinstance(client, ssl.SSLSocket):
        return
    with suppress(OSError):
        client.shutdown(socket.SHUT_RD)


table_events = TableEvents()
events = table_events.events
