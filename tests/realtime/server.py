"""Gunicorn with our settings around the tiny application, and a client of its streams."""

import http.client
import os
import signal
import socket
import time
from pathlib import Path
from typing import NamedTuple, Self

from tests.support.effort import PATIENCE
from tests.support.server_pool import begun


class Event(NamedTuple):
    kind: str
    data: str
    id: str
    retry: str
    at: float


class Stream:
    """The client's end of one stream."""

    def __init__(self, port: int, topic: str, host: str = "127.0.0.1") -> None:
        self.connection = http.client.HTTPConnection(host, port, timeout=8)
        self.opened = time.monotonic()
        self.connection.request("GET", f"/{topic}/events")
        self.socket = self.connection.sock  # which the connection forgets once there is an answer
        self.response = self.connection.getresponse()

    def raw(self) -> bytes:
        """Return the bytes of the next event."""
        lines = []
        while line := self.response.readline():
            if line == b"\n":
                break
            lines.append(line)
        return b"".join(lines)

    def next(self) -> Event | None:
        """Return the next event, None at the end of the stream."""
        text = self.raw().decode()
        if not text:
            return None
        fields = dict(line.split(":", 1) for line in text.splitlines())
        event = Event(
            fields.pop("event"),
            fields.pop("data"),
            fields.pop("id"),
            fields.pop("retry", ""),
            time.monotonic(),
        )
        assert not fields
        return event

    def until(self, kind: str) -> Event:
        """Return the next event of that kind."""
        while (event := self.next()) is not None:
            if event.kind == kind:
                return event
        raise AssertionError(f"the stream ended without {kind}")

    def close(self) -> None:
        self.response.close()
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self.close()


class Server:
    """A gunicorn in a separate process."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", **environ: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.log = folder / f"gunicorn-{self.port}.log"
        self.host = host
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        ours = {"ROOM": str(folder), "HOST": host, "PORT": str(self.port)}
        command = ["-c", "kaboom/gunicorn_conf.py", "tests.realtime.echo_app:create_app()"]
        with self.log.open("w") as log:
            self.process = begun("gunicorn", command, kept | ours | environ, log.fileno())

    def wait_ready(self) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            try:
                self.get("/pid")
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(self.log.read_text())

    def ask(self, method: str, path: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=8)
        try:
            connection.request(method, path, headers={"Connection": "close"})
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()

    def get(self, path: str) -> str:
        return self.ask("GET", path)[1]

    def post(self, path: str) -> float:
        """Send a change or a publication; return the milliseconds that publish() took."""
        return float(self.ask("POST", path)[1])

    def listen(self, topic: str) -> Stream:
        return Stream(self.port, topic, self.host)

    def wait_for_streams(self, count: int, seconds: float) -> float:
        """Return the seconds until this many streams were open."""
        began = time.monotonic()
        while self.get("/streams") != str(count):
            assert time.monotonic() - began < seconds, f"still {self.get('/streams')} streams"
            time.sleep(0.02)
        return time.monotonic() - began

    def stop(self) -> float:
        """Stop the server; return the seconds it took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)
        return time.monotonic() - began

    def memory(self) -> int:
        """Return the memory of its worker in bytes."""
        pages = Path(f"/proc/{self.get('/pid')}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def __enter__(self) -> Self:
        self.wait_ready()
        return self

    def __exit__(self, *about: object) -> None:
        self.stop()
