"""A real server in a separate process, used over HTTP, killed and restarted."""

import http.client
import http.cookiejar
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.support.server_pool import Forked, begun

ROOT = Path(__file__).parents[2]
SECRET = "a-secret-of-the-tests-long-enough-to-be-one"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def with_us() -> Sequence[str]:
    """Return a command prefix that ends the command when this process ends, even by SIGKILL.

    Empty where no such program exists, and in a thread, because the command would end with the
    thread.
    """
    main = threading.current_thread() is threading.main_thread()
    return ("setpriv", "--pdeathsig", "TERM") if main and shutil.which("setpriv") else ()


class Server:
    """Kaboom under gunicorn on 127.0.0.1, with the code in `root` and a migrated database. `more`
    are settings.

    It is forked from a process that has imported everything (tests/support/server_pool.py), unless
    `imports` requires it to import by itself, as outside of the tests.
    """

    imports = False

    def __init__(self, database_url: str, port: int = 0, root: Path = ROOT, **more: str) -> None:
        self.root = root
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.settings = {
            "DATABASE_URL": database_url,
            "SECRET_KEY": SECRET,
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "RATE_LIMITS": "0",
            "BOT_PACE": "instant",
            "REDIS_URL": "",
        } | more
        self.command = [
            "-m",
            "gunicorn",
            "-c",
            "kaboom/gunicorn_conf.py",
            "tests.support.wsgi_app:app",
        ]
        self.process: subprocess.Popen | Forked | None = None
        self.log: int | IO[bytes] = subprocess.DEVNULL  # for its standard error

    def start(self, answers: Callable[[], object] | None = None) -> "Server":
        """Start the server and wait until it answers at its port, or until `answers`
        returns True.
        """
        environ = os.environ | self.settings
        if self.command[0] == "-m" and self.root == ROOT and not self.imports:
            log = self.log if isinstance(self.log, int) else self.log.fileno()
            self.process = begun(self.command[1], self.command[2:], environ, log)
        else:
            self.process = subprocess.Popen(
                [*with_us(), sys.executable, *self.command],
                cwd=self.root,
                env=environ,
                stdout=subprocess.DEVNULL,
                stderr=self.log,
                start_new_session=True,  # so that master and workers can be killed together
            )
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            assert self.process.poll() is None, "the server ended at once"
            try:
                if answers is not None:
                    answers()
                else:
                    urllib.request.urlopen(self.url + "/healthz", timeout=5).read()
                return self
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)
        self.kill()
        raise TimeoutError("the server does not answer")

    def workers(self) -> set[int]:
        """Return the process ids of its workers."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return {int(pid) for pid in children.read_text().split()}

    def kill(self) -> None:
        """Kill master and workers with SIGKILL, without a shutdown."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self) -> float:
        """Stop the server normally; return the seconds it took."""
        assert self.process is not None
        began = time.monotonic()
        self.process.terminate()
        self.process.wait(30)
        return time.monotonic() - began


@dataclass
class Answer:
    status_code: int
    text: str
    url: str

    def get_data(self, as_text: bool = True) -> str:
        return self.text


class HttpClient:
    """Cookies and redirects over real HTTP, with the interface of Flask's test client."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.jar = http.cookiejar.CookieJar()
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar)).open

    def get(self, path: str, query_string=None, headers=None, **_) -> Answer:
        query = "?" + urllib.parse.urlencode(query_string, doseq=True) if query_string else ""
        return self._send(urllib.request.Request(self._full(path) + query, headers=headers or {}))

    def post(self, path: str, data=None, headers=None, **_) -> Answer:
        body = urllib.parse.urlencode(data or {}, doseq=True).encode()
        return self._send(
            urllib.request.Request(self._full(path), data=body, headers=headers or {})
        )

    def _full(self, path: str) -> str:
        return urllib.parse.urljoin(self.url + "/", path)

    def _send(self, request: urllib.request.Request) -> Answer:
        try:
            with self._open(request, timeout=30) as answer:
                return Answer(answer.status, answer.read().decode(), answer.url)
        except urllib.error.HTTPError as answer:
            with answer:
                return Answer(answer.code, answer.read().decode(), answer.url or "")
