"""Browsers open streams and vanish in every possible way; the server keeps nothing of them."""

import os
import random
import re
import socket
import struct
import time
import urllib.request
from pathlib import Path

import pytest

from tests.conftest import REDIS, missing
from tests.support.browsing import table_path
from tests.support.effort import PATIENCE, often
from tests.support.forms import Browser
from tests.support.server import HttpClient, Server

CYCLES = int(os.environ.get("KABOOM_VANISHED", often("20", soak="60")))
AT_ONCE = 20
SLACK = 2  # a request being answered, a connection that stays open
SEED = int(os.environ.get("KABOOM_SEED") or random.randrange(10**6))


@pytest.fixture
def server(sqlite_url):
    import redis

    with redis.Redis.from_url(REDIS, socket_timeout=2) as client:
        try:
            client.ping()
        except redis.RedisError:
            missing(f"Redis at {REDIS}")
        running = Server(sqlite_url, REDIS_URL=REDIS)
        running.command[-1] = "tests.chaos.counted:app"
        running.start()
        running.redis = client
        yield running
        running.kill()


def get(server, path):
    with urllib.request.urlopen(server.url + path, timeout=PATIENCE) as answer:
        return answer.read().decode()


def streams(server):
    return float(re.search(r"^kaboom_streams\S* (\S+)", get(server, "/metrics"), re.M)[1])


def held(server):
    """Return counts of what the server's worker holds."""
    (pid,) = server.workers()
    ours = [each for each in server.redis.client_list() if each["name"].endswith(f"-{pid}")]
    return {
        "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
        "threads": len(os.listdir(f"/proc/{pid}/task")),
        "greenlets": int(get(server, "/greenlets")),
        "Redis connections": len(ours),
        "MB": int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 // 10**6,
    }


def asking(server, path, whole=True):
    """Return a connection that requests a stream, or only starts to."""
    client = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    request = f"GET {path}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    client.sendall(request if whole else request[:-20])
    return client


def listening(server, path):
    """Return a connection on which a stream has begun."""
    client = asking(server, path)
    assert client.recv(12) == b"HTTP/1.1 200"
    return client


def close(client):
    client.close()


def read_no_more(client):
    client.shutdown(socket.SHUT_RD)
    client.close()


def reset(client):
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def close_by_halves(client):
    client.shutdown(socket.SHUT_WR)
    client.recv(100)
    client.close()


WAYS = [close, read_no_more, reset, close_by_halves]


def test_streams_that_vanish_leave_nothing_behind(server):
    rng = random.Random(SEED)
    ann = Browser(HttpClient(server.url))
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)

    def vanish(number):
        asking(server, path).close()
        asking(server, path, whole=False).close()
        clients = [listening(server, path) for _ in range(AT_ONCE)]
        assert streams(server) >= AT_ONCE
        for client in clients:
            rng.choice(WAYS)(client)
        ann.client.post(path + "/ready", {"ready": str(number % 2)})
        until = time.monotonic() + 20  # a heartbeat detects who left while nothing changed
        while streams(server):
            assert time.monotonic() < until, f"seed {SEED}: {streams(server)} streams stay"
            time.sleep(0.05)

    vanish(1)
    vanish(2)
    before, began = held(server), time.monotonic()
    for number in range(1, CYCLES // AT_ONCE + 1):
        vanish(number)
    after = held(server)
    print(f"KABOOM_SEED={SEED}: {CYCLES} vanished in {time.monotonic() - began:.0f} s")
    print(f"before {before}, after {after}")
    for kind, count in before.items():
        assert after[kind] <= count + (10 if kind == "MB" else SLACK), (kind, before, after)
    assert after["Redis connections"] <= 3
