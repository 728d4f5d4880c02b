"""A server in a separate process, whose processor time and memory can be read."""

import atexit
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

KEPT = ("PATH", "HOME", "LANG", "TMPDIR")


def clean_environ() -> dict[str, str]:
    """Return the environment without settings for Kaboom or Python."""
    return {name: os.environ[name] for name in KEPT if name in os.environ}


def free_port() -> int:
    """Return an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A gunicorn listening on 127.0.0.1 at `environ["PORT"]`, with its worker processes."""

    def __init__(
        self, command: Sequence[str], cwd: Path, folder: Path, environ: Mapping[str, str]
    ) -> None:
        self.port = int(environ["PORT"])
        self._log = folder / f"gunicorn-{self.port}.log"
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                command, cwd=cwd, env=clean_environ() | dict(environ), stdout=log, stderr=log
            )
        atexit.register(self.stop)  # however the benchmark ends, no server is left running
        self._workers = self._wait_ready(int(environ.get("WEB_CONCURRENCY", "1")))

    def _wait_ready(self, count: int) -> list[Path]:
        """Return the workers' folders in /proc once the server responds."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        until = time.monotonic() + 120
        while time.monotonic() < until and self._process.poll() is None:
            with contextlib.suppress(OSError), socket.socket() as probe:
                # It listens before a worker has loaded, so wait for a response.
                probe.settimeout(120)
                probe.connect(("127.0.0.1", self.port))
                probe.sendall(b"GET /nothing HTTP/1.0\r\n\r\n")
                found = children.read_text().split()
                if probe.recv(1) and len(found) >= count:
                    return [Path(f"/proc/{child}") for child in found]
            time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"the server did not start:\n{self._log.read_text()}")

    def cpu(self) -> float:
        """Return the workers' processor time in milliseconds, including all threads."""
        # The clock id that clock_getcpuclockid(3) returns for a process.
        clocks = [(~int(worker.name) << 3) | 2 for worker in self._workers]
        return sum(1000 * time.clock_gettime(clock) for clock in clocks)

    def memory(self) -> int:
        """Return the workers' memory in bytes."""
        pages = [int((worker / "statm").read_text().split()[1]) for worker in self._workers]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        """Ask the server to stop, and wait until it has."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(40)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        atexit.unregister(self.stop)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self.stop()


def hello_server(folder: Path) -> Server:
    """Return a running server of bench.hello under gunicorn's gevent worker."""
    environ = {"PORT": str(free_port())}
    command = [sys.executable, "-m", "gunicorn", "-k", "gevent", "--no-control-socket"]
    command += ["-b", f"127.0.0.1:{environ['PORT']}", "bench.hello:app"]
    return Server(command, Path(__file__).resolve().parents[1], folder, environ)


@contextlib.contextmanager
def redis_server(folder: Path) -> Iterator[str]:
    """Run a Redis server; yield its URL. Raises FileNotFoundError if it is not installed."""
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    with subprocess.Popen(
        [*command, "--dir", str(folder)], stdout=subprocess.DEVNULL, cwd=folder
    ) as process:
        try:
            until = time.monotonic() + 10
            while time.monotonic() < until:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.terminate()
