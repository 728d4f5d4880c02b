"""Slow clients and excess connections are cut off, while the other players continue."""

import http.client
import re
import shutil
import socket
import time
from contextlib import closing, suppress

import pytest

from tests.support.server import HttpClient, Server

SLOW, OTHER = "127.0.0.2", "127.0.0.3"  # neither is a proxy's
HEAD = "POST /settings HTTP/1.1\r\nHost: localhost\r\n"
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
GUNICORN = Server("").command
FEW_FILES = ["-m", "tests.chaos.few_files", *GUNICORN[2:]]
IN_A_HURRY = [*GUNICORN, "-k", "tests.chaos.in_a_hurry.Worker"]


@pytest.fixture(scope="module")
def start(migrated_sqlite, tmp_path_factory):
    """A function that starts a server with limits, using this command and these settings; tests
    with the same ones share it.
    """
    started = []

    def start(command=None, **more):
        file = tmp_path_factory.mktemp("slow") / "kaboom.sqlite3"
        shutil.copy(migrated_sqlite, file)
        server = Server(f"sqlite:///{file}", **{"RATE_LIMITS": "1"} | more)
        server.command = command or server.command
        started.append(server)
        return server.start()

    yield start
    for server in started:
        server.kill()


@pytest.fixture(scope="module")
def few_files(start):
    return start(FEW_FILES)


@pytest.fixture(scope="module")
def hurried(start):
    """A server whose worker times out after a second."""
    return start(IN_A_HURRY)


def connect(server, text, source=SLOW):
    client = socket.create_connection(("127.0.0.1", server.port), 10, (source, 0))
    client.sendall(text.encode())
    return client


def answer(client, seconds=30):
    """Return everything sent to a client until the connection ends; nothing if it is cut off."""
    client.settimeout(seconds)
    heard = b""
    with suppress(ConnectionError):
        while more := client.recv(65536):
            heard += more
    return heard


def asked(server, path, source=OTHER):
    """Return the status of a page requested from another address."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", server.port, timeout=10, source_address=(source, 0)
    )
    with closing(connection):
        connection.request("GET", path)
        return connection.getresponse().status


def test_310_slow_bodies_from_one_ip_block_no_other_player(few_files):
    slow = []
    try:
        for _ in range(310):
            with suppress(OSError):  # it was refused while still sending
                slow.append(connect(few_files, f"{HEAD}{FORM}Content-Length: 3000\r\n\r\nlook="))
        for _ in range(5):
            assert asked(few_files, "/rules/kaboom") == 200
    finally:
        for client in slow:
            client.close()


def test_excess_connections_are_refused_and_may_return(few_files):
    begun = [connect(few_files, f"{HEAD}Content-Length: 9\r\n\r\n") for _ in range(60)]
    with connect(few_files, "GET /rules/kaboom HTTP/1.1\r\nHost: localhost\r\n\r\n") as one_more:
        refused = answer(one_more)
    assert refused.startswith(b"HTTP/1.1 429 ")
    assert b"\r\nRetry-After: " in refused
    assert b"\r\nConnection: close\r\n" in refused
    for client in begun:
        client.close()
    deadline = time.monotonic() + 20
    while asked(few_files, "/rules/kaboom", SLOW) != 200:
        assert time.monotonic() < deadline


def test_proxy_connections_are_shared_and_not_limited(start):
    server = start(FEW_FILES, FORWARDED_ALLOW_IPS=f"127.0.0.1,{SLOW}")
    begun = [connect(server, f"{HEAD}Content-Length: 9\r\n\r\n") for _ in range(60)]
    assert asked(server, "/rules/kaboom", SLOW) == 200
    for client in begun:
        client.close()


def test_body_sent_byte_by_byte_times_out(hurried):
    with connect(hurried, f"{HEAD}{FORM}Content-Length: 3000\r\n\r\nlook=") as client:
        client.settimeout(0.1)
        heard = b""
        for _ in range(300):  # half a minute; an impatient worker waits for a second
            with suppress(TimeoutError, ConnectionError):
                if not (more := client.recv(65536)):
                    break
                heard += more
            with suppress(ConnectionError):
                client.send(b"a")
    assert heard.startswith(b"HTTP/1.1 408 ")
    assert b"\r\nConnection: close\r\n" in heard
    assert b"took too long" in heard


def test_steadily_sent_body_is_read_to_its_end(hurried):
    with connect(
        hurried, f"{HEAD}{FORM}Content-Length: 40000\r\n\r\nlook=dark&next=/rules/kaboom&x="
    ) as client:
        sent = 31
        for _ in range(20):  # longer than an impatient worker waits for the first byte
            piece = min(2000, 40000 - sent)
            client.sendall(b"a" * piece)
            sent += piece
            time.sleep(0.1)
        client.sendall(b"a" * (40000 - sent))
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        heard = answer(client)
    assert heard.startswith(b"HTTP/1.1 303 ")
    assert heard.endswith(b"ok\n"), "the connection was not kept"


ENDLESS = {
    "too long": f"{HEAD}{FORM}Content-Length: 999999999\r\n\r\n",
    "without an end": f"{HEAD}{FORM}Transfer-Encoding: chunked\r\n\r\n",
    "in a GET request": "GET /rules/kaboom HTTP/1.1\r\nHost: localhost\r\n"
    "Content-Length: 999999999\r\n\r\n",
}


@pytest.mark.parametrize("head", ENDLESS.values(), ids=list(ENDLESS))
def test_endless_body_gets_a_response_and_the_connection_closes(head, hurried):
    chunk = b"10000\r\n" + b"a" * 65536 + b"\r\n"
    with connect(hurried, head) as client:
        client.settimeout(0.2)
        heard, closed = b"", False
        deadline = time.monotonic() + 20
        while not closed:
            assert time.monotonic() < deadline, "it is read endlessly"
            try:
                client.sendall(chunk[:1000] if heard else chunk)
                closed = not (more := client.recv(65536))
                heard += more
            except TimeoutError:
                continue
            except ConnectionError:
                closed = True
    expected = 200 if head.startswith("GET") else 413
    assert re.match(rb"HTTP/1.1 %d " % expected, heard), heard[:200]
    assert b"\r\nConnection: close\r\n" in heard


def test_oversized_body_is_refused_as_too_large(hurried):
    with connect(hurried, f"{HEAD}{FORM}Content-Length: 10000000\r\n\r\n") as client:
        client.sendall(b"a" * 10_000_000)  # read the answer only after sending everything
        heard = answer(client)
    assert heard.startswith(b"HTTP/1.1 413 ")
    assert b"too much text for one form" in heard


def test_client_that_does_not_read_is_dropped(hurried):
    text = "GET /rules/kaboom HTTP/1.1\r\nHost: localhost\r\n\r\n"
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.bind((SLOW, 0))
    client.connect(("127.0.0.1", hurried.port))
    client.setblocking(False)
    # Endless requests without reading: finally the server cannot send any more.
    deadline = time.monotonic() + 30
    while True:
        assert time.monotonic() < deadline, "the server waits endlessly"
        try:
            client.send(text.encode() * 50)
        except BlockingIOError:
            time.sleep(0.05)
        except ConnectionError:
            break
    assert asked(hurried, "/rules/kaboom") == 200
    client.close()


def test_place_is_freed_soon_after_its_client_leaves(start):
    server = start(RATE_LIMITS="0")
    form = {"game": "gops", "name": "Ann"}
    page = HttpClient(server.url).post("/tables", form).url
    path = page.removeprefix(server.url).partition("?")[0]
    look = (
        HttpClient(server.url).get(f"{path}/wait?v=none").url
    )  # answered at once, because everything is new
    version = re.search(r"v=(\d+)", look)[1]

    def held():
        figures = HttpClient(server.url).get("/metrics").text
        return float(re.search(r"^kaboom_streams (\S+)", figures, re.MULTILINE)[1])

    def until(number):
        deadline = time.monotonic() + 12  # it was 25 s
        while held() != number:
            assert time.monotonic() < deadline
            time.sleep(0.1)

    waiting = [
        connect(server, f"GET {path}/wait?v={version} HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(5)
    ]
    until(5)
    for client in waiting:
        client.close()
    until(0)
