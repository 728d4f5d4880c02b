"""A match under a path, by forms alone, behind the proxies of docs/hosting."""

import http.client
import shutil
import socket
import time
from contextlib import closing, contextmanager

import pytest

from tests.conftest import missing
from tests.support.effort import PATIENCE
from tests.support.forms import Browser
from tests.support.reverse_proxies import CADDY, example, in_its_words, running
from tests.support.server import HttpClient, Server, free_port

STRIPPED = pytest.mark.parametrize("stripped", [False, True], ids=["whole", "stripped"])


@contextmanager
def behind_nginx(folder, server: int, stripped: bool):
    nginx = shutil.which("nginx") or shutil.which("/usr/sbin/nginx") or missing("nginx")
    port = free_port()
    strip = {"proxy_pass http://kaboom;": "proxy_pass http://kaboom/;"} if stripped else {}
    instead = {"127.0.0.1:8000": f"127.0.0.1:{port}", "127.0.0.1:8001": f"127.0.0.1:{server}"}
    file = folder / "nginx.conf"
    file.write_text(example("under-a-path.nginx.conf", instead | strip))
    quiet = f"daemon off; pid {folder}/nginx.pid; error_log stderr crit;"
    with running([nginx, "-p", folder, "-c", file, "-g", quiet], port) as url:
        yield url


@contextmanager
def behind_caddy(folder, server: int, stripped: bool):
    port = free_port()
    instead = {
        "\nexample.org {": f"\nhttp://127.0.0.1:{port} {{",
        "\tservers": "\tadmin off\n\tservers",
        "127.0.0.1:8000": f"127.0.0.1:{server}",
    }
    if stripped:
        instead |= {"\thandle /cards/*": "\thandle_path /cards/*"}
    file = folder / "Caddyfile"
    file.write_text(example("under-a-path.Caddyfile", instead | in_its_words()))
    command = [CADDY or missing("caddy"), "run", "--adapter", "caddyfile", "--config", file]
    with running(command, port, XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder)) as url:
        yield url


@pytest.mark.slow
@pytest.mark.parametrize("proxy", [behind_nginx, behind_caddy])
@STRIPPED
def test_match_is_played_under_a_path_behind_a_proxy(tmp_path, sqlite_url, proxy, stripped):
    server = Server(sqlite_url, PROXIES="1", PUBLIC_URL="http://cards.example/cards").start()
    try:
        with proxy(tmp_path, server.port, stripped) as url:
            ann = Browser(HttpClient(url))
            ann.open("/cards")
            assert "/cards/" in ann.html and 'href="/start' not in ann.html
            ann.open("/cards/start/gops")
            ann.send(ann.page.form("/tables"), name="Ann", bots="1", cards="5")
            path = next(it.action for it in ann.page.forms if "/t/" in it.action)
            assert path.startswith("/cards/t/")
            if "Start the match" in ann.html:
                ann.send(ann.page.form("/start"))
            deadline = time.monotonic() + PATIENCE
            while "Play again" not in ann.html and time.monotonic() < deadline:
                for form, button in ann.page.moves()[:1]:
                    ann.send(form, button, form.boxes[:1])
                ann.open(path.removesuffix("/start"))
            assert "Play again" in ann.html
            assert ann.status == 200
            assert {it.path for it in ann.client.jar} <= {"/cards", "/".join(path.split("/")[:4])}
            for hidden in ("/cards/metrics", "/cards/readyz"):
                assert ann.client.get(hidden).status_code == 404
    finally:
        server.kill()


def test_server_listens_on_a_unix_socket(tmp_path, sqlite_url):
    file = tmp_path / "kaboom.sock"
    server = Server(sqlite_url, HOST=f"unix:{file}", PROXIES="1")

    class OverFile(http.client.HTTPConnection):
        def connect(self):
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.settimeout(PATIENCE)
            self.sock.connect(str(file))

    def asked(path, headers=None):
        with closing(OverFile("cards.example")) as connection:
            connection.request("GET", path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()

    server.start(answers=lambda: asked("/healthz"))
    try:
        forwarded = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
        status, headers, page = asked("/", forwarded)
        assert status == 200 and "Strict-Transport-Security" in headers
        assert "Kaboom" in page
        assert asked("/metrics", forwarded)[0] == 403
    finally:
        server.kill()
