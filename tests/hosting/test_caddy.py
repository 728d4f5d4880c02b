"""docs/hosting/Caddyfile unchanged: Caddy in front of an echo server, and of a real Kaboom."""

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread

import pytest

from tests.support.browsing import table_path
from tests.support.effort import PATIENCE
from tests.support.forms import Browser
from tests.support.reverse_proxies import behind_caddy
from tests.support.server import HttpClient, Server

LARGE = 2_100_000  # bytes: more of a form than Caddy buffers


class Told(BaseHTTPRequestHandler):
    """Answers with the headers of a request, or starts a stream and waits until it is closed."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.heard.put(self.path)
        if self.path == "/stream":
            self.stream()
        else:
            self.answer()

    def do_POST(self) -> None:
        self.server.heard.put(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer()

    def answer(self) -> None:
        said = json.dumps(dict(self.headers)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(b"data:1\n\n")
        self.server.heard.put(self.rfile.read(1))

    def log_message(self, *args) -> None:
        pass


@contextmanager
def telling() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Told) as server:
        server.heard = Queue()
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    """The address of Caddy, and a queue of the requests that reached the server behind it."""
    folder = tmp_path_factory.mktemp("caddy")
    with telling() as server, behind_caddy(folder, server.server_port) as url:
        yield url, server.heard


def connected(url: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])), PATIENCE)


def head(url: str, line: str, **headers: object) -> bytes:
    host = url.removeprefix("http://")
    lines = [f"{line} HTTP/1.1", f"Host: {host}", *(f"{it}: {headers[it]}" for it in headers)]
    return "\r\n".join([*lines, "", ""]).encode()


def test_client_ip_address_cannot_be_forged(before):
    url, heard = before
    forged = {"For": "6.6.6.6", "Proto": "https", "Host": "elsewhere.example"}
    asked = urllib.request.Request(url, headers={f"X-Forwarded-{it}": forged[it] for it in forged})
    with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
        told = json.load(answer)
    assert heard.get() == "/"
    found = [told[f"X-Forwarded-{it}"] for it in forged]
    assert found == ["127.0.0.1", "http", url.removeprefix("http://")]


def test_metrics_and_readiness_are_private(before):
    url, heard = before
    for path in ("/metrics", "/readyz", "/%6detrics", "//readyz", "/healthz"):
        if path == "/healthz":
            urllib.request.urlopen(url + path, timeout=PATIENCE).close()
            assert heard.get() == path
        else:
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(url + path, timeout=PATIENCE)
            with refused.value as answer:
                assert answer.code == 404
    assert heard.empty()


def test_slowly_sent_form_waits_at_caddy(before):
    url, heard = before
    with connected(url) as slow, connected(url) as quick:
        slow.sendall(head(url, "POST /slow", **{"Content-Length": 8}) + b"slow")
        quick.sendall(head(url, "POST /quick", **{"Content-Length": 5}) + b"quick")
        assert quick.recv(12) == b"HTTP/1.1 200"
        assert heard.get() == b"quick"
        assert heard.empty()
        slow.sendall(b"poke")
        assert slow.recv(12) == b"HTTP/1.1 200"
        assert heard.get() == b"slowpoke"


def test_a_stream_is_passed_on_at_once_and_ends_with_its_browser(before):
    url, heard = before
    with connected(url) as browser:
        browser.sendall(head(url, "GET /stream"))
        assert heard.get() == "/stream"
        received = b""
        while b"data:1" not in received:
            received += browser.recv(1000)
        assert heard.empty()
    assert heard.get(timeout=5) == b""


def test_kaboom_behind_caddy_limits_bodies_and_links_to_caddy(tmp_path, sqlite_url):
    server = Server(sqlite_url, PROXIES="1").start()
    try:
        with behind_caddy(tmp_path, server.port) as url:
            ann = Browser(HttpClient(url))
            ann.open("/start/gops")
            ann.send(ann.page.form("/tables"), name="Ann")
            assert f"{url}{table_path(ann)}" in ann.html
            with connected(url) as client:
                client.sendall(head(url, "POST /tables", **{"Content-Length": LARGE}))
                client.sendall(bytes(LARGE))
                assert client.recv(12) == b"HTTP/1.1 413"
    finally:
        server.kill()
