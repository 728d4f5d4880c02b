"""What open event streams cost, and that nothing keeps them or the server alive too long."""

import contextlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.browser import Browser
from bench.room import NAMES, database, sat_down
from bench.server import ROOT, Server
from bench.table import Row, at_most

STREAMS = 780  # a hub takes 800
WARM = 20
ALIVE = 200  # streams open when the server is asked to stop
VANISHED = 20


def rows(folder: Path) -> list[Row]:
    """Return the rows of memory, Redis connections, vanished clients and a stopping server."""
    away = start_vanishing()
    measured = [idle(folder), connections(folder), stopping(folder)]
    return [*measured, vanished(away)]


@contextlib.contextmanager
def listening(server: Server, table: str, count: int) -> Iterator[None]:
    """Have so many spectators of a table listen."""
    spectators = [Browser(server.port) for _ in range(count)]
    try:
        for spectator in spectators:
            spectator.table = table
            spectator.listen()
        yield
    finally:
        for spectator in spectators:
            spectator.close()


def idle(folder: Path) -> Row:
    """Return how much memory the worker takes for one more stream."""
    with Server(folder, DATABASE_URL=database(folder, "idle")) as server:
        table = sat_down(server, "kaboom", NAMES, rounds="20")[0].table
        with listening(server, table, WARM):
            time.sleep(0.5)
            before = server.memory()
            with listening(server, table, STREAMS):
                time.sleep(1)
                grown = (server.memory() - before) / STREAMS / 1024
    return at_most("memory of an idle stream", grown, 12, " KB", f"{STREAMS} streams")


def connections(folder: Path) -> Row:
    """Return how many connections to Redis a stream brings."""
    name, target = "Redis connections of an idle stream", "= 0"
    if not shutil.which("redis-server"):
        return Row(name, "not measured here: no redis-server", target)
    with own_redis(folder) as port:
        url = f"redis://127.0.0.1:{port}/0"
        more = {"DATABASE_URL": database(folder, "redis"), "REDIS_URL": url}
        with Server(folder, **more) as server:
            table = sat_down(server, "kaboom", NAMES, rounds="20")[0].table
            with listening(server, table, 1):
                time.sleep(0.5)
                before = clients(port)
                with listening(server, table, ALIVE):
                    time.sleep(0.5)
                    after = clients(port)
    figure = f"{(after - before) / ALIVE:g} ({after} for the worker with {ALIVE} streams)"
    return Row(name, figure, target, after <= before)


@contextlib.contextmanager
def own_redis(folder: Path) -> Iterator[int]:
    """Run a Redis of our own; yield its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    quiet = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder)]
    command = ["redis-server", "--port", str(port), *quiet]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            until = time.monotonic() + 10
            while not reachable(port) and time.monotonic() < until:
                time.sleep(0.05)
            yield port
        finally:
            process.terminate()


def reachable(port: int) -> bool:
    """Return whether somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def clients(port: int) -> int:
    """Return how many connections this Redis has, without the one that asks."""
    with socket.create_connection(("127.0.0.1", port)) as asking:
        asking.sendall(b"CLIENT LIST\r\n")
        head, _, data = asking.recv(65536).partition(b"\r\n")
        while len(data) < int(head[1:]) + 2:
            data += asking.recv(65536)
    return data.count(b" addr=") - 1


def stopping(folder: Path) -> Row:
    """Return how long a server with open streams takes to stop."""
    server = Server(folder, DATABASE_URL=database(folder, "stopping"))
    try:
        table = sat_down(server, "kaboom", NAMES, rounds="20")[0].table
        with listening(server, table, ALIVE):
            seconds = server.stop()
    finally:
        server.stop()
    return at_most(f"SIGTERM with {ALIVE} open streams", seconds, 4, " s")


# Vanished clients: in a network of its own the loopback goes down, and no last word gets through.


def start_vanishing() -> subprocess.Popen[str] | None:
    """Start this module in a network namespace of its own, or return None where there is none."""
    if not shutil.which("unshare") or not shutil.which("ip"):
        return None
    tried = subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False)
    if tried.returncode:
        return None
    return subprocess.Popen(
        ["unshare", "-n", sys.executable, "-m", "bench.streams"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def vanished(away: subprocess.Popen[str] | None) -> Row:
    """Return how long the streams of clients that vanished without a word were kept."""
    name = f"streams of {VANISHED} vanished clients freed after"
    if away is None:
        return Row(name, "not measured here: needs root and network namespaces", "≤ 30 s")
    said = away.communicate()[0].strip()  # it gives up by itself after a minute
    if away.returncode:
        return Row(name, "could not be measured", "≤ 30 s", False)
    return at_most(name, float(said), 30, " s")


def vanish() -> float:
    """Cut the clients off just after a heartbeat; return the seconds until they are forgotten."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        with Server(path, DATABASE_URL=database(path)) as server:
            people = sat_down(server, "kaboom", NAMES, rounds="20")
            table = people[0].table
            for person in people:
                person.close()
            time.sleep(1)
            before = server.sockets()
            with listening(server, table, VANISHED):
                if server.sockets() < before + VANISHED:
                    raise RuntimeError("the streams are not open")
                time.sleep(10.5)  # the worst moment: a beat has just been acknowledged
                subprocess.run(["ip", "link", "set", "lo", "down"], check=True)
                began = time.monotonic()
                while server.sockets() > before and time.monotonic() < began + 60:
                    time.sleep(0.1)
                return time.monotonic() - began


if __name__ == "__main__":
    print(f"{vanish():.1f}")
