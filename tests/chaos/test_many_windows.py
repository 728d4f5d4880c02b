"""Many windows of one browser: the oldest streams end with a message, and pages never wait."""

import http.client
import re
import time

from kaboom.config import ServerSettings
from kaboom.realtime.hub import PER_BROWSER
from tests.support.browsing import table_path
from tests.support.effort import PATIENCE
from tests.support.forms import Browser
from tests.support.server import HttpClient, Server


def stream(server, path, cookies):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request("GET", path + "/events", headers={"Cookie": cookies})
    answer = connection.getresponse()
    assert answer.status == 200
    while answer.readline().strip():  # the first revision
        pass
    return connection, answer


def test_fifth_window_ends_the_first_stream_with_a_message(sqlite_url):
    server, windows = Server(sqlite_url).start(), []
    try:
        ann = Browser(HttpClient(server.url))
        ann.open("/start/gops")
        ann.send(ann.page.form("/tables"), name="Ann")
        path = table_path(ann)
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in ann.client.jar)
        for _ in range(PER_BROWSER + 3):
            windows.append(stream(server, path, cookies))
        for _, oldest in windows[:3]:
            rest = oldest.read().decode()
            assert "event:bye" in rest.replace(" ", "")
            assert int(re.findall(r"retry:\s*(\d+)", rest)[-1]) >= 20_000, (
                "it polls in the meantime"
            )
        began = time.monotonic()
        ann.send(ann.page.form("/bot"))
        assert ann.status == 200
        assert time.monotonic() - began < 5
        for _, newer in windows[3:]:
            seen = ""
            while "event:table" not in seen:
                seen += newer.readline().decode().replace(" ", "")
    finally:
        for connection, answer in windows:
            answer.close()
            connection.close()
        server.kill()


def test_two_installations_on_one_redis_do_not_wake_each_other():
    old, new, other = "o" * 40, "n" * 40, "x" * 40

    def channel(secret):
        return ServerSettings(secret_key=secret).channel

    assert channel(old) != channel(other)
    assert channel(f"{new} {old}") == channel(old), "while a new secret is prepended"
