"""A process that has imported all of Kaboom, and forks the servers of a test process.

Importing takes a second of processor time, and a test run starts some eighty servers. A fork begins
after the imports: gunicorn reads its arguments, forks its workers, and each creates the
application, as usual. `python -m tests.support.server_pool` takes a line of JSON for each server
and answers with its process id, until its input ends; its servers end with it.
"""

import atexit
import ctypes
import gc
import json
import os
import runpy
import select
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
IMPORTED = (
    "gunicorn.app.wsgiapp", "kaboom.cli.errors", "kaboom.realtime.writer", "kaboom.app",
    "kaboom.realtime.gunicorn_worker", "psycopg", "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite.pysqlite",
)  # fmt: skip
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


class Forked:
    """A forked process with the interface of subprocess.Popen."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        try:
            self.handle = os.pidfd_open(pid)
        except ProcessLookupError:  # it has ended already
            self.handle = -1

    def ended(self, seconds: float | None = 0) -> bool:
        """Return True if it has ended or ends within some seconds."""
        if self.handle >= 0 and select.select([self.handle], [], [], seconds)[0]:
            os.close(self.handle)
            self.handle = -1
        return self.handle < 0

    def poll(self) -> int | None:
        """Return None while it runs, then 0, because its real exit status is unknown."""
        return 0 if self.ended() else None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; raises TimeoutExpired."""
        if not self.ended(timeout):
            raise subprocess.TimeoutExpired("a server", timeout or 0)
        return 0

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if not self.ended():
            signal.pidfd_send_signal(self.handle, number)

    def terminate(self) -> None:
        """Ask it to stop."""
        self.send_signal(signal.SIGTERM)


class Nursery:
    """The forking process, as seen by tests."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.support.server_pool"]
        self.process = subprocess.Popen(
            command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.one_by_one = threading.Lock()
        atexit.register(self.close)

    def fork(
        self, module: str, arguments: Sequence[str], environ: Mapping[str, str], log: int
    ) -> Forked:
        """Run a module as a program in a new process group and return it; its errors go to the
        descriptor `log`.
        """
        errors = os.devnull if log < 0 else f"/proc/{os.getpid()}/fd/{log}"
        asked = {
            "module": module, "arguments": arguments, "environ": dict(environ), "errors": errors
        }  # fmt: skip
        assert self.process.stdin and self.process.stdout
        with self.one_by_one:
            print(json.dumps(asked), file=self.process.stdin, flush=True)
            return Forked(int(self.process.stdout.readline()))

    def close(self) -> None:
        """End it and its children."""
        self.process.communicate()


only = cache(Nursery)  # of this process, started with its first server
asking = threading.Lock()


def begun(
    module: str, arguments: Sequence[str], environ: Mapping[str, str], log: int
) -> subprocess.Popen[bytes] | Forked:
    """Return a module running as a program, like `Nursery.fork`. Where forking is impossible (other
    systems than Linux) it imports everything itself.
    """
    if hasattr(os, "pidfd_open"):
        with asking:
            forks = only()
        return forks.fork(module, arguments, environ, log)
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=log,
        start_new_session=True,
    )


def reap(*_: Any) -> None:
    """Drop processes that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def become(module: str, arguments: Sequence[str], environ: Mapping[str, str], errors: int) -> None:
    """Run a module as a program; here, in the fork."""
    import gevent

    gevent.reinit()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGTERM)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for place, file in enumerate((nothing, nothing, errors)):
        os.dup2(file, place)
    os.environ.clear()
    os.environ.update(environ)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__")


def main() -> None:
    """Import everything, as a worker does, then fork the requested processes."""
    from gevent import monkey

    # gunicorn watches its workers with these, and each worker patches them.
    monkey.patch_all(os=False, signal=False)
    warnings.simplefilter("ignore", monkey.MonkeyPatchWarning)
    for name in IMPORTED:
        import_module(name)
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join()  # otherwise each child would wait for it
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, reap)
    for line in sys.stdin:
        asked = json.loads(line)
        # Opened here, since the caller may close it after the answer.
        asked["errors"] = os.open(asked["errors"], os.O_WRONLY | os.O_APPEND)
        if not (pid := os.fork()):
            become(**asked)
            break
        os.close(asked["errors"])
        print(pid, flush=True)


if __name__ == "__main__":
    main()
