"""The writer of a worker's streams, with real sockets and a number as table."""

import re
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import gevent
import pytest
from gunicorn.workers.base_async import ALREADY_HANDLED

from kaboom.realtime import stream as stream_module
from kaboom.realtime import writer as writer_module
from kaboom.realtime.hub import Hub
from kaboom.realtime.stream import EventStream, Look
from kaboom.realtime.writer import StreamWriter, handing_on

ENOUGH = 0.05  # seconds in which woken greenlets have run


class Table:
    """A number with streams that read it, and a record of the reads."""

    def __init__(self) -> None:
        self.number = 1
        self.rest = 0.0
        self.looked: list[list[str]] = []
        self.locked_out: set[str] = set()

    def looks(self, topic: str, viewers: Sequence[str]) -> list[Look | None]:
        self.looked.append(list(viewers))
        if self.number < 0:
            raise RuntimeError("the store is unavailable")
        seen = Look(self.number, rest=self.rest)
        return [None if viewer in self.locked_out else seen for viewer in viewers]


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def hub() -> Hub:
    return Hub()


@pytest.fixture
def writer() -> StreamWriter:
    return StreamWriter()


Listen = Callable[..., socket.socket]


@pytest.fixture
def listen(table: Table, hub: Hub, writer: StreamWriter) -> Iterator[Listen]:
    """Return a function that begins a viewer's stream, hands it over, and returns the client's
    socket.
    """
    clients: list[socket.socket] = []

    def begun(viewer: str, chunked: bool = False, **given: Any) -> socket.socket:
        ours, theirs = socket.socketpair()
        theirs.setblocking(False)
        clients.append(theirs)
        first = table.looks("T", [viewer])[0]
        given = {"heartbeat": 60.0} | given
        subscription = hub.subscribe("T", browser=viewer)
        stream = EventStream(subscription, "T", viewer, table.looks, first, **given)
        ours.sendall(stream.begun())
        writer.take(stream, ours, chunked)
        assert b"event:" in heard(theirs)
        table.looked.clear()
        return theirs

    yield begun
    hub.close()
    writer.finish(1.0)
    for client in clients:
        client.close()


def heard(client: socket.socket) -> bytes:
    """Return what has arrived so far; empty if there is nothing or the connection is closed."""
    gevent.sleep(ENOUGH)
    try:
        return client.recv(65536)
    except BlockingIOError:
        return b"(nothing)"


def test_streams_woken_together_are_read_together(table: Table, hub: Hub, listen: Listen) -> None:
    clients = [listen(viewer) for viewer in ("Ann", "Ben", "Cid")]
    table.number = 2
    hub.publish("T")
    for client in clients:
        assert heard(client) == b"event:table\ndata:2\nid:2\n\n"
    assert [sorted(viewers) for viewers in table.looked] == [["Ann", "Ben", "Cid"]]


def test_unchanged_revision_is_read_and_not_sent(table: Table, hub: Hub, listen: Listen) -> None:
    client = listen("Ann")
    hub.publish("T")
    assert heard(client) == b"(nothing)"
    assert table.looked == [["Ann"]]


def test_message_before_a_stream_handover_is_not_missed(
    table: Table, hub: Hub, writer: StreamWriter
) -> None:
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    stream = EventStream(hub.subscribe("T"), "T", "Ann", table.looks, Look(1))
    table.number = 2
    hub.publish("T")
    writer.take(stream, ours, chunked=False)
    assert b"data:2" in heard(theirs)
    hub.close()
    writer.finish(1.0)
    theirs.close()


def test_heartbeat_is_sent_while_idle(
    table: Table, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "TICK", 0.01)
    client = listen("Ann", heartbeat=0.02)
    assert b"event:beat\ndata:1" in heard(client)


def test_automatic_moves_are_merged_and_the_last_one_is_sent(
    table: Table, hub: Hub, listen: Listen
) -> None:
    client = listen("Ann")
    table.rest, table.number = 0.3, 2
    hub.publish("T")
    assert b"data:2" in heard(client)
    for table.number in (3, 4):
        hub.publish("T")
    assert heard(client) == b"(nothing)"
    gevent.sleep(table.rest)
    assert heard(client) == b"event:table\ndata:4\nid:4\n\n"


def test_only_excluded_viewers_get_a_goodbye(
    table: Table, hub: Hub, writer: StreamWriter, listen: Listen
) -> None:
    ann, eve = listen("Ann"), listen("Eve")
    table.locked_out.add("Eve")
    hub.publish("T")
    assert heard(eve).startswith(b"event:bye")
    assert heard(eve) == b""
    assert heard(ann) == b"(nothing)"
    assert writer.count == hub.streams == 1


def test_unavailable_store_ends_the_streams(
    table: Table, hub: Hub, writer: StreamWriter, listen: Listen
) -> None:
    client = listen("Ann")
    table.number = -1
    hub.publish("T")
    assert heard(client).startswith(b"event:bye")
    assert writer.count == hub.streams == 0


def test_message_that_fails_to_render_ends_only_its_stream(
    table: Table, hub: Hub, writer: StreamWriter, listen: Listen
) -> None:
    def says(kind: str, number: int, *_: object) -> bytes:
        if number == 2:
            raise KeyError("no words for this")
        return b"event:%d" % number

    ann, eve = listen("Ann"), listen("Eve", shape=stream_module.NUMBERS._replace(says=says))
    table.number = 2
    hub.publish("T")
    assert heard(ann) == b"event:table\ndata:2\nid:2\n\n"
    assert heard(eve) == b""
    assert writer.count == hub.streams == 1


def test_chunked_stream_stays_chunked_and_is_terminated(
    table: Table, hub: Hub, listen: Listen
) -> None:
    client = listen("Ann", chunked=True)
    table.number = 2
    hub.publish("T")
    assert heard(client) == b"19\r\nevent:table\ndata:2\nid:2\n\n\r\n"
    hub.close()
    assert heard(client).endswith(b"\r\n0\r\n\r\n")


def test_client_that_reads_nothing_is_dropped(
    table: Table, hub: Hub, writer: StreamWriter, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "UNSENT", 0.05)
    listen("Ann")
    until = time.monotonic() + 10
    while writer.count and time.monotonic() < until:
        table.number += 1
        hub.publish("T")
        gevent.sleep(0)
    assert writer.count == hub.streams == 0


def overfilled(table: Table, hub: Hub, writer: StreamWriter) -> writer_module.Connection:
    """Publish until a message does not fit; return the only stream's line."""
    (line,) = writer._lines["T"]
    while not line.unsent:
        table.number += 1
        hub.publish("T")
        gevent.sleep(0)
    return line


def test_unsent_rest_is_sent_when_the_client_reads(
    table: Table, hub: Hub, writer: StreamWriter, listen: Listen
) -> None:
    long = stream_module.NUMBERS._replace(says=lambda *_: b"event:" + b"." * 100_000)
    client = listen("Ann", shape=long)
    line = overfilled(table, hub, writer)
    until = time.monotonic() + 10
    while line.unsent and time.monotonic() < until:
        heard(client)
    assert not line.unsent


def test_slow_reader_queues_one_message_and_then_gets_the_latest(
    table: Table, hub: Hub, writer: StreamWriter, listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = b"." * 100_000
    shape = stream_module.NUMBERS._replace(
        says=lambda _, number, *__: b"event:%d\n" % number + body
    )
    client = listen("Ann", shape=shape)
    line = overfilled(table, hub, writer)
    last, left = table.number, len(line.unsent)
    for _ in range(20):
        table.number += 1
        hub.publish("T")
        gevent.sleep(0)
    assert len(line.unsent) <= left < 2 * len(body), "one message at most waits"
    came = b""
    while b"event:%d\n" % table.number not in came:
        came += heard(client)
    numbers = [int(each) for each in re.findall(rb"event:(\d+)\n", came)]
    assert numbers[-2:] == [last, table.number]


def test_closing_the_hub_ends_every_stream_with_goodbye(
    hub: Hub, writer: StreamWriter, listen: Listen
) -> None:
    clients = [listen(str(number)) for number in range(20)]
    hub.close()
    writer.finish(1.0)
    assert writer.count == 0
    for client in clients:
        assert heard(client).startswith(b"event:bye")


def test_stream_place_is_freed_when_the_connection_closes(
    table: Table, hub: Hub, writer: StreamWriter
) -> None:
    ours, theirs = socket.socketpair()
    stream = EventStream(hub.subscribe("T"), "T", "Ann", table.looks, Look(1))
    line = writer.take(stream, ours, chunked=False)
    given_back: list[str] = []
    line.when_closed(lambda: given_back.append("once"))
    gevent.sleep(ENOUGH)
    assert not given_back
    hub.close()
    writer.finish(1.0)
    line.when_closed(lambda: given_back.append("instantly"))
    assert given_back == ["once", "instantly"]
    theirs.close()


# Handing connections over


def answered(stream: object, **environ: object) -> tuple[object, list[bytes], list[object]]:
    """Return a WSGI server's result for an answer, the bytes written, and whether the socket was
    taken.
    """
    written: list[bytes] = []
    taken: list[object] = []
    application = handing_on(
        lambda environ, start_response: start_response("200 OK", []) and stream,
        lambda stream, client, chunked: taken.append((client, chunked)),
    )
    body = SimpleNamespace(close=lambda: written.append(b"the last"))
    environ |= {"SERVER_PROTOCOL": "HTTP/1.1", "wsgi.input": SimpleNamespace(reader=body)}
    return application(environ, lambda *given: written.append), written, taken


def test_stream_is_begun_by_the_server_and_handed_over(table: Table, hub: Hub) -> None:
    stream = EventStream(hub.subscribe("T"), "T", "Ann", table.looks, Look(1))
    answer, written, taken = answered(stream, **{"gunicorn.socket": "a client"})
    assert answer is ALREADY_HANDLED
    assert written[0] == b"the last"
    assert b"event:table\ndata:1" in written[1]
    assert taken == [("a client", True)]


@pytest.mark.parametrize(
    "environ", [{}, {"gunicorn.socket": "a client", "HTTP_VERSION": "2"}], ids=["none", "HTTP/2"]
)
def test_tls_connection_keeps_its_stream_on_a_greenlet(
    table: Table, hub: Hub, environ: dict[str, object]
) -> None:
    stream = EventStream(hub.subscribe("T"), "T", "Ann", table.looks, Look(1))
    assert answered(stream, **environ) == (stream, [], [])
    stream.close()


def test_response_that_is_not_a_stream_is_passed_through() -> None:
    page = [b"a page"]
    assert answered(page, **{"gunicorn.socket": "a client"}) == (page, [], [])


def test_briefly_slow_client_still_gets_everything(writer: StreamWriter) -> None:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    subscription = Hub().subscribe("T")
    stream = EventStream(subscription, "T", "Ann", Table().looks, Look(1))
    line = writer_module.Connection(stream, ours, chunked=False)
    with suppress(BlockingIOError):
        while True:
            ours.send(b"." * 65536)  # until the buffer is full: the client reads nothing
    line.write(b"late")
    assert line.unsent == b"late"
    assert line.stuck > 0 and not stream.over
    theirs.setblocking(False)
    came = b""
    with suppress(BlockingIOError):
        while True:
            came += theirs.recv(65536)
    line.write(b"r")
    assert (line.unsent, line.stuck) == (b"", 0.0)
    assert theirs.recv(65536) == b"later"
    line.close()
    theirs.close()
