"""A server as it is in earnest: gunicorn with our settings, in a process of its own."""

import atexit
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[1]


class Server:
    """One gunicorn with its workers, whose use of the machine can be read.

    `worker` is the first worker's folder in /proc; most measurements have only one.
    """

    def __init__(self, folder: Path, app: str = "wsgi:app", **environ: str) -> None:
        self.app = app
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._log = folder / f"gunicorn-{self.port}.log"
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        ours = {"HOST": "127.0.0.1", "PORT": str(self.port), "RATE_LIMITS": "0"}
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "gunicorn", "-c", "kaboom/gunicorn_conf.py", app],
                cwd=ROOT,
                env=kept | ours | environ,
                stdout=log,
                stderr=log,
            )
        atexit.register(self.stop)  # whatever goes wrong, no server is left behind
        self.workers = self._wait_ready(int(environ.get("WEB_CONCURRENCY", "1")))
        self.worker = self.workers[0]

    def _wait_ready(self, count: int) -> list[Path]:
        """Return the workers' folders in /proc once the server answers."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        until = time.monotonic() + 300  # a busy machine takes long
        while time.monotonic() < until and self._process.poll() is None:
            with socket.socket() as probe:
                # Listening comes before the worker has loaded, so ask for an answer.
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    probe.settimeout(300)
                    probe.sendall(b"GET /nothing HTTP/1.0\r\n\r\n")
                    found = children.read_text().split()
                    if probe.recv(1) and len(found) >= count:
                        return [Path(f"/proc/{child}") for child in found]
            time.sleep(0.05)
        raise RuntimeError(f"the server did not start:\n{self._log.read_text()}")

    def cpu(self) -> float:
        """Return the milliseconds of processor time the workers have used, in all threads."""
        threads = [thread for worker in self.workers for thread in (worker / "task").iterdir()]
        spent = [int((thread / "schedstat").read_text().split()[0]) for thread in threads]
        return sum(spent) / 1e6

    def memory(self) -> int:
        """Return the bytes of memory the workers take."""
        pages = [int((worker / "statm").read_text().split()[1]) for worker in self.workers]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE")

    def sockets(self) -> int:
        """Return how many sockets the worker has open; needs no connection to it."""
        links = [os.readlink(entry.path) for entry in os.scandir(self.worker / "fd")]
        return sum(link.startswith("socket:") for link in links)

    def stop(self) -> float:
        """Ask it to stop; return the seconds until it had."""
        began = time.monotonic()
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(40)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        return time.monotonic() - began

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self.stop()
