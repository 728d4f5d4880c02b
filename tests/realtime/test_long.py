"""Streams with production settings: the real heartbeat, hundreds of streams, a cable unplugged."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from .server import Server

pytestmark = pytest.mark.nightly  # takes a minute

OUTSIDE, HERE, THERE = "kaboom-away", "198.51.100.1", "198.51.100.2"  # addresses of documentation
CLIENT = f"""
import http.client
held = []
for number in range(20):
    connection = http.client.HTTPConnection({HERE!r}, PORT)
    connection.request("GET", "/vanish/events")
    held.append((connection, connection.getresponse()))
    held[-1][1].readline()
print("listening", flush=True)
while True:
    held[0][1].readline()
"""


def run(command: str) -> str:
    return subprocess.run(command.split(), check=True, capture_output=True, text=True).stdout


@pytest.fixture
def another_machine() -> Iterator[str]:
    """A network namespace joined by a virtual cable; needs root."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network namespaces need root and iproute2")
    # An address clash would cut this machine off its own network.
    if HERE.rpartition(".")[0] in run("ip -4 addr") + run("ip -4 route"):
        pytest.skip(f"this machine uses the addresses around {HERE} itself")
    run(f"ip netns add {OUTSIDE}")
    try:
        run(f"ip link add kaboom-a type veth peer name kaboom-b netns {OUTSIDE}")
        run(f"ip addr add {HERE}/30 dev kaboom-a")
        run("ip link set kaboom-a up")
        run(f"ip -n {OUTSIDE} addr add {THERE}/30 dev kaboom-b")
        run(f"ip -n {OUTSIDE} link set kaboom-b up")
        hardware = run(f"ip netns exec {OUTSIDE} cat /sys/class/net/kaboom-b/address").strip()
        run(f"ip neigh replace {THERE} lladdr {hardware} dev kaboom-a nud permanent")
        yield OUTSIDE
    finally:
        subprocess.run(["ip", "link", "del", "kaboom-a"], check=False)
        run(f"ip netns del {OUTSIDE}")


def test_vanished_client_is_freed_within_30_seconds(another_machine: str, tmp_path: Path) -> None:
    with Server(tmp_path, host=HERE, HEARTBEAT="10") as server:
        script = CLIENT.replace("PORT", str(server.port))
        command = ["ip", "netns", "exec", another_machine, sys.executable, "-c", script]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as client:
            assert client.stdout is not None
            assert client.stdout.readline() == "listening\n"
            server.wait_for_streams(20, 1)
            time.sleep(10.5)  # the worst moment to vanish: just after a heartbeat
            run(f"ip -n {another_machine} addr flush dev kaboom-b")
            try:
                seconds = server.wait_for_streams(0, 40)
            finally:
                client.kill()
    print(f"freed after {seconds:.1f} s")
    assert seconds < 30


def test_idle_stream_uses_little_memory(tmp_path: Path) -> None:
    with Server(tmp_path, HEARTBEAT="10", LIMIT="980") as server, ExitStack() as stack:
        for _ in range(20):
            with server.listen("warm") as stream:
                stream.until("table")
        before = server.memory()
        for number in range(900):
            stack.enter_context(server.listen(f"T{number // 4}")).until("table")
        grown = (server.memory() - before) / 900
        time.sleep(11)
        print(f"{grown / 1024:.1f} KB, {(server.memory() - before) / 900 / 1024:.1f} after a beat")
        assert grown < 12 * 1024


def test_publishing_among_900_idle_streams_stays_quick(tmp_path: Path) -> None:
    with Server(tmp_path, LIMIT="980", HEARTBEAT="10") as server, ExitStack() as stack:
        streams = [stack.enter_context(server.listen(f"T{number // 4}")) for number in range(900)]
        for stream in streams:
            stream.until("table")
        times = []
        for number in range(1, 301):
            began = time.monotonic()
            server.post(f"/T7/{number}")
            for stream in streams[28:32]:
                stream.until("table")
            times.append(time.monotonic() - began)
            time.sleep(0.02)
        times.sort()
        print(f"whole round p50 {times[150] * 1000:.1f} ms, p99 {times[297] * 1000:.1f} ms")
        assert times[150] < 0.05


def test_frozen_redis_is_detected_and_reconnected_to(tmp_path: Path) -> None:
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("needs redis-server")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    quiet = ["--save", "", "--bind", "127.0.0.1", "--dir", str(tmp_path)]
    redis = subprocess.Popen(
        [program, "--port", str(port), *quiet], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    )
    shared = {"REDIS_URL": f"redis://127.0.0.1:{port}/0", "HEARTBEAT": "60"}
    try:
        one, two = Server(tmp_path, **shared), Server(tmp_path, **shared)
        with one, two, two.listen("freeze") as stream:
            stream.until("table")
            time.sleep(1)
            redis.send_signal(signal.SIGSTOP)
            assert one.post("/freeze/1") < 10  # the message is lost
            time.sleep(20)
            assert two.log.read_text().count("Redis (listen)") == 1
            redis.send_signal(signal.SIGCONT)
            began = time.monotonic()
            assert stream.until("table").data == "1"
            print(f"caught up {time.monotonic() - began:.1f} s after Redis was back")
            one.post("/freeze/2")
            assert stream.until("table").data == "2"
    finally:
        redis.kill()
        redis.wait()
