import re
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest
from flask import Flask
from redis import Redis

from kaboom.realtime.hub import Hub
from kaboom.realtime.stream import (
    HEARTBEAT,
    LIFE,
    MERGE,
    NUMBERS,
    UNACKNOWLEDGED,
    UNSENT,
    Look,
    Shape,
    events,
)

from .conftest import REDIS_URL
from .server import Server

NUMBER_MESSAGE = re.compile(
    rb"event:(table|beat|bye)\ndata:\d+\nid:\d+(\nretry:\d{3,4})?\n", re.ASCII
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("room")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    """A server with a heartbeat of 0.5 s and no Redis."""
    with Server(folder) as server:
        yield server


@pytest.fixture(scope="module")
def pair(redis: Redis, folder: Path) -> Iterator[tuple[Server, Server]]:
    """Two processes that share a Redis channel; their heartbeat is too slow to help."""
    shared = {"REDIS_URL": REDIS_URL, "CHANNEL": f"kaboom-test-{folder.name}", "HEARTBEAT": "30"}
    one, two = Server(folder, **shared), Server(folder, **shared)
    with one, two:
        yield one, two
        one.process.terminate()  # both together, since each takes a second
        two.process.terminate()


def test_stream_sends_its_revision_at_once(server: Server) -> None:
    server.post("/first/17")
    with server.listen("first") as stream:
        event = stream.next()
        assert event is not None
        assert (event.kind, event.data, event.id) == ("table", "17", "17")
        assert 300 <= int(event.retry) <= 900
        assert event.at - stream.opened < 0.45
        headers = stream.response.headers
    assert headers["Content-Type"].startswith("text/event-stream")
    assert headers["Cache-Control"] == "no-store, no-transform"
    assert headers["X-Accel-Buffering"] == "no"


def test_a_change_reaches_the_topics_streams_at_once(server: Server) -> None:
    with ExitStack() as stack:
        streams = [stack.enter_context(server.listen("change")) for _ in range(4)]
        other = stack.enter_context(server.listen("elsewhere"))
        for stream in (*streams, other):
            stream.until("table")
        began = time.monotonic()
        server.post("/change/5")
        for stream in streams:
            event = stream.until("table")
            assert event.data == event.id == "5"
            assert event.at - began < 0.45  # sooner than any heartbeat
        assert other.next().kind == "beat"  # type: ignore[union-attr]


def test_publication_without_a_change_sends_nothing(server: Server) -> None:
    with server.listen("quiet") as stream:
        stream.until("table")
        server.post("/quiet")
        assert stream.next().kind == "beat"  # type: ignore[union-attr]


def test_heartbeat_carries_the_revision_amid_other_changes(server: Server) -> None:
    server.post("/beat/8")
    with server.listen("beat") as stream:
        stream.until("table")
        beats = []
        for _ in range(3):
            server.post("/beat")  # wakes without changes must not delay the heartbeat
            beats.append(stream.until("beat"))
        assert [beat.data for beat in beats] == ["8", "8", "8"]
        for earlier, later in pairwise(beats):
            assert 0.3 < later.at - earlier.at < 0.9


def test_unpublished_change_is_sent_with_the_next_heartbeat(server: Server, folder: Path) -> None:
    with server.listen("unpublished") as stream:
        stream.until("table")
        (folder / "unpublished").write_text("3")
        event = stream.next()
        assert event is not None
        assert (event.kind, event.data) == ("table", "3")


def test_burst_becomes_few_messages_ending_with_the_latest(server: Server) -> None:
    with server.listen("burst") as stream:
        stream.until("table")
        for number in range(1, 101):
            server.post(f"/burst/{number}")
        numbers = []
        while not numbers or numbers[-1] != 100:
            numbers.append(int(stream.until("table").data))
    assert numbers == sorted(set(numbers))


@pytest.fixture(scope="module")
def resting(folder: Path) -> Iterator[Server]:
    """A server whose topics change by themselves, MERGE seconds apart."""
    with Server(folder, REST=str(MERGE), HEARTBEAT="30") as server:
        yield server


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.3, 0.05])
def test_automatic_moves_send_three_revisions_a_second(resting: Server, seconds: float) -> None:
    topic = f"deal{seconds}"
    most = round(2.4 / seconds)

    def tick() -> None:
        began = time.monotonic()
        for number in range(1, most + 1):
            resting.post(f"/{topic}/{number}")
            time.sleep(max(0.0, began + number * seconds - time.monotonic()))

    with resting.listen(topic) as stream, ThreadPoolExecutor() as beside:
        stream.until("table")
        ticking = beside.submit(tick)
        events = []
        while not events or events[-1].data != str(most):
            events.append(stream.until("table"))
        ticking.result()
    numbers = [int(event.data) for event in events]
    assert numbers == sorted(set(numbers))
    assert len(events) >= 5, "merged updates still arrive"
    # Measured at the reader, so transmission times may vary.
    assert (events[-1].at - events[0].at) / (len(events) - 1) >= MERGE - 0.02


@pytest.mark.slow
def test_last_revision_is_sent_soon_and_a_single_one_at_once(resting: Server) -> None:
    with resting.listen("lone") as stream:
        stream.until("table")
        alone, merged = [], []  # the fastest of three counts: the machine may be busy
        for number in (10, 20, 30):
            time.sleep(MERGE + 0.1)
            began = time.monotonic()
            resting.post(f"/lone/{number}")
            assert stream.until("table").data == str(number)
            alone.append(time.monotonic() - began)
            for later in range(number + 1, number + 4):
                resting.post(f"/lone/{later}")
            began = time.monotonic()
            while stream.until("table").data != str(number + 3):
                pass  # not all three were sent together
            merged.append(time.monotonic() - began)
        assert min(alone) < 0.2
        assert min(merged) < MERGE + 0.2


def test_immediate_changes_are_not_delayed_by_merging(server: Server) -> None:
    with server.listen("moves") as stream:
        stream.until("table")
        began = time.monotonic()
        for number in range(1, 11):
            server.post(f"/moves/{number}")
            assert stream.until("table").data == str(number)
        assert time.monotonic() - began < 5 * MERGE  # ten that were merged would take twice that


def test_stream_contains_only_numbers(server: Server) -> None:
    with server.listen("only") as stream:
        heard = [stream.raw()]
        for number in range(1, 4):
            server.post(f"/only/{number}")
            heard += [stream.raw(), stream.raw()]
        server.post("/only/none")
        heard.append(stream.raw())
        assert stream.raw() == b""
    assert heard[-1].startswith(b"event:bye\n")
    for message in heard:
        assert NUMBER_MESSAGE.fullmatch(message), message


def test_malformed_revision_never_reaches_the_stream() -> None:
    app = Flask(__name__)
    with app.test_request_context():
        for forged in ("1\ndata: forged", "<b>", "1\u2028event: x"):
            with pytest.raises(ValueError):
                first = lambda text=forged: Look(text)  # type: ignore[arg-type]  # noqa: E731
                b"".join(events(Hub(), "ANN", None, lambda *_: [], first).response)  # type: ignore[arg-type]


def test_excluded_viewer_gets_bye(server: Server) -> None:
    with server.listen("gone") as stream:
        stream.until("table")
        server.post("/gone/none")
        bye = stream.next()
        assert bye is not None and bye.kind == "bye"
        assert 1000 <= int(bye.retry) <= 4000  # many clients may receive it at the same time
        assert stream.next() is None


def test_unreadable_revision_ends_the_stream_and_frees_it(server: Server) -> None:
    server.wait_for_streams(0, 3)
    with server.listen("broken") as stream:
        stream.until("table")
        server.post("/broken/broken")
        assert stream.next().kind == "bye"  # type: ignore[union-attr]
    assert server.ask("GET", "/broken/events")[0] == 500
    server.wait_for_streams(0, 1)


def test_head_request_takes_no_stream_place(server: Server) -> None:
    server.wait_for_streams(0, 3)
    assert server.ask("HEAD", "/head/events")[0] == 200
    assert server.get("/streams") == "0"


def test_streams_that_close_are_freed_within_a_beat(server: Server) -> None:
    server.wait_for_streams(0, 3)
    streams = [server.listen("close") for _ in range(50)]
    for stream in streams:
        stream.until("table")
    server.wait_for_streams(50, 1)
    for stream in streams:
        stream.close()
    assert server.wait_for_streams(0, 3) < 0.9


def test_reset_connection_is_freed_within_a_heartbeat(server: Server) -> None:
    server.wait_for_streams(0, 3)
    stream = server.listen("reset")
    stream.until("table")
    linger = b"\x01\0\0\0\0\0\0\0"
    stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    stream.close()
    assert server.wait_for_streams(0, 3) < 0.9


def test_long_poll_waits_until_a_change_or_timeout(server: Server) -> None:
    began = time.monotonic()
    assert server.get("/wait/wait?known=9&timeout=5") == "0"
    assert server.get("/wait/wait?known=0&timeout=0.2") == "0"
    assert 0.2 <= time.monotonic() - began < 1.5


def test_stream_ends_after_its_lifetime(folder: Path) -> None:
    with Server(folder, LIFE="1", LIMIT="2") as server:
        with server.listen("life") as one, server.listen("life") as two:
            one.until("table")
            two.until("table")
            status, text = server.ask("GET", "/life/events")
            assert (status, text) == (503, "busy")
            for stream in (one, two):
                assert 0.7 < stream.until("bye").at - stream.opened < 1.5
                assert stream.next() is None
        server.wait_for_streams(0, 1)


def test_a_change_in_one_process_wakes_the_other(pair: tuple[Server, Server]) -> None:
    one, two = pair
    with one.listen("both") as here, two.listen("both") as there:
        here.until("table")
        there.until("table")
        for number, teller in ((1, one), (2, two), (3, one)):
            began = time.monotonic()
            teller.post(f"/both/{number}")
            for stream in (here, there):
                event = stream.until("table")
                assert event.data == str(number)
                assert event.at - began < 2


def test_many_streams_share_a_single_redis_connection(
    pair: tuple[Server, Server], redis: Redis
) -> None:
    one, _ = pair
    pid = one.get("/pid")
    with ExitStack() as stack:
        for number in range(50):
            stack.enter_context(one.listen(f"share{number}")).until("table")
        one.post("/share0")
        time.sleep(0.2)
        names = [client["name"] for client in redis.client_list()]
    assert names.count(f"kaboom-listen-{pid}") == 1
    assert names.count(f"kaboom-tell-{pid}") == 1


def test_killed_redis_connection_recovers_and_wakes_all(
    pair: tuple[Server, Server], redis: Redis, folder: Path
) -> None:
    one, two = pair
    with two.listen("cut") as stream, two.listen("other") as other:
        stream.until("table")
        other.until("table")
        (folder / "other").write_text("4")  # as if its message had been lost
        name = f"kaboom-listen-{two.get('/pid')}"
        for client in redis.client_list():
            if client["name"] == name:
                redis.client_kill_filter(_id=client["id"])
        assert other.until("table").data == "4"
        one.post("/cut/6")
        assert stream.until("table").data == "6"


@pytest.mark.parametrize("which", ["no_redis", "hung_redis"])
def test_worker_without_redis_still_wakes_its_own_streams(
    which: str, folder: Path, request: pytest.FixtureRequest
) -> None:
    with Server(folder, REDIS_URL=request.getfixturevalue(which)) as server:
        with server.listen(which) as stream:
            stream.until("table")
            times = []
            for number in range(1, 21):
                times.append(server.post(f"/{which}/{number}"))
                assert stream.until("table").data == str(number)
        assert median(times) < 10 and max(times) < 100  # a busy machine is slow now and then
        assert server.log.read_text().count("Redis (tell)") <= 1


def test_stopping_worker_ends_200_streams_in_four_seconds(folder: Path) -> None:
    with Server(folder) as server, ExitStack() as stack:
        streams = [stack.enter_context(server.listen("stop")) for _ in range(200)]
        for stream in streams:
            stream.until("table")
        # A browser keeps such a connection open for its next request; it must not delay the
        # shutdown.
        idle = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        idle.sendall(b"GET /pid HTTP/1.1\r\nHost: x\r\n\r\n")
        assert server.stop() < 4
        for stream in streams:
            assert stream.until("bye")
            assert stream.next() is None
        assert "Traceback" not in server.log.read_text()


def test_stream_constants_keep_the_documented_promises() -> None:
    assert HEARTBEAT == 10 and LIFE == 600
    assert 1 / MERGE <= 3
    # Vanished right after a heartbeat: the next one is not acknowledged, the one after detects it.
    assert UNACKNOWLEDGED < HEARTBEAT and 2 * HEARTBEAT + UNACKNOWLEDGED <= 30


def test_first_view_of_a_stream_is_not_read_again() -> None:
    app, looked = Flask(__name__), []

    def looks(topic: str, viewers: list[object]) -> list[Look | None]:
        looked.append(topic)
        return [Look(2)]

    with app.test_request_context():
        answer = events(Hub(), "ANN", None, looks, lambda: Look(1))
        assert b"data:1\n" in next(iter(answer.response))
        answer.close()
    assert looked == []


@pytest.mark.parametrize(("now", "answered"), [(5, b""), (6, b"whole")])
def test_waiting_request_returns_as_soon_as_there_is_a_change(now: int, answered: bytes) -> None:
    app, shape = Flask(__name__), Shape("text/plain", lambda *_: b"gone", 5)
    first = Look(now, rendered=lambda: b"whole")
    with app.test_request_context():
        answer = events(Hub(), "ANN", None, lambda *_: [first], lambda: first, shape=shape)
        assert answer.response.begun() == answered  # type: ignore[attr-defined]
        assert answer.mimetype == "text/plain"
        answer.close()


ONCE = Shape("text/plain", lambda *_: b"gone", 5)


def test_excluded_waiting_viewer_gets_a_response() -> None:
    with Flask(__name__).test_request_context():
        answer = events(Hub(), "ANN", None, lambda *_: [None], lambda: Look(5), shape=ONCE)
        assert answer.response.begun() == b""  # type: ignore[attr-defined]
        assert answer.response.heard(None) == b"gone"  # type: ignore[attr-defined]
        assert answer.response.over  # type: ignore[attr-defined]
        answer.close()


@pytest.mark.parametrize(("shape", "said"), [(ONCE, b"whole"), (NUMBERS, b"event:bye\n")])
def test_waiting_request_ends_at_once_when_the_server_stops(shape: Shape, said: bytes) -> None:
    first, hub = Look(5, rendered=lambda: b"whole"), Hub()
    hub.close()
    with Flask(__name__).test_request_context():
        answer = events(hub, "ANN", None, lambda *_: [first], lambda: first, shape=shape)
        assert answer.response.begun().startswith(said)  # type: ignore[attr-defined]
        answer.close()


def test_refused_stream_takes_no_place() -> None:
    def refuses() -> Look:
        raise PermissionError

    hub = Hub()
    with Flask(__name__).test_request_context():
        with pytest.raises(PermissionError) as told:
            events(hub, "ANN", None, lambda *_: [], refuses)
        assert hub.streams == 0, str(told.value)


def test_client_that_reads_nothing_is_dropped_by_the_kernel() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, ExitStack() as stack:
        client = stack.enter_context(socket.create_connection(server.getsockname()))
        hub, environ = Hub(), {"gunicorn.socket": client}
        with Flask(__name__).test_request_context(environ_overrides=environ):
            answer = events(hub, "ANN", None, lambda *_: [], lambda: Look(1))
        kept = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
        assert (kept, client.gettimeout()) == (int(UNACKNOWLEDGED * 1000), UNSENT)
        assert hub.streams == 1
        answer.close()
        assert hub.streams == 0
