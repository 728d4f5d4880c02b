"""A process that has imported all of Kaboom, and forks the servers of a test process.

What a server imports takes a second of processor time, and a run of the tests starts some eighty of
them. A fork begins where the imports are done: gunicorn reads its arguments, forks its workers, and
each makes the application, as ever. `python -m tests.support.server_pool` takes a line of JSON for
each server and answers with its process id, until its input ends; its servers end with it.
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
    """A process that was forked, with the face of subprocess.Popen."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        try:
            self.handle = os.pidfd_open(pid)
        except ProcessLookupError:  # it has ended already
            self.handle = -1

    def ended(self, seconds: float | None = 0) -> bool:
        """Return whether it has ended, or does so within some seconds."""
        if self.handle >= 0 and select.select([self.handle], [], [], seconds)[0]:
            os.close(self.handle)
            self.handle = -1
        return self.handle < 0

    def poll(self) -> int | None:
        """Return None while it runs; how it ended nobody knows."""
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
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)


class Nursery:
    """The process that forks, as the tests see it."""

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
        """Return a module that is run as a program, in a group of its own; `log` is the descriptor
        of a file of this process, to which it writes its errors.
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
        """End it, and what it has forked."""
        self.process.communicate()


only = cache(Nursery)  # of this process, begun with its first server
asking = threading.Lock()


def begun(
    module: str, arguments: Sequence[str], environ: Mapping[str, str], log: int
) -> subprocess.Popen[bytes] | Forked:
    """Return a module that runs as a program, as `Nursery.fork` does; where nothing can be forked
    so, on other systems than Linux, it makes its imports itself.
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
    """Let go of those that have ended."""
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
    """Import all, as a worker does, then fork whoever is asked for."""
    from gevent import monkey

    # With these gunicorn looks after its workers, and each of them patches them.
    monkey.patch_all(os=False, signal=False)
    warnings.simplefilter("ignore", monkey.MonkeyPatchWarning)
    for name in IMPORTED:
        import_module(name)
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join()  # or its end would be looked for in each child
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, reap)
    for line in sys.stdin:
        asked = json.loads(line)
        # Here, since who asked may close it when there is an answer.
        asked["errors"] = os.open(asked["errors"], os.O_WRONLY | os.O_APPEND)
        if not (pid := os.fork()):
            become(**asked)
            break
        os.close(asked["errors"])
        print(pid, flush=True)


if __name__ == "__main__":
    main()
