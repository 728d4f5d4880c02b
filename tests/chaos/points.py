"""The application with a worker that dies at named points between a change and its log entry.

The product's code is unchanged: its functions are wrapped in the server's process. A point is armed
while the file FAULTS/armed exists; each death is a line in FAULTS/deaths. FAULTS also keeps
compiled templates. Workers are forked from a process that has imported everything, so that a dead
one is replaced in a moment, and thousands can die in minutes. `python -m tests.chaos.points` serves
on PORT.
"""

import os
import random
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    from gevent import monkey

    monkey.patch_all()

from jinja2 import FileSystemBytecodeCache

from kaboom.app import create_app
from kaboom.db.database import Database
from kaboom.tables import queries

# The points, each with the number of passes among which one is fatal. Every write passes some,
# moves the others.
POINTS = {
    "begin": 60,
    "insert": 16,
    "commit": 60,
    "publish": 16,
    "answer": 16,
    "half an answer": 16,
}


class Faults:
    """The points of one worker; `seed` decides which pass is fatal."""

    def __init__(self, folder: Path, seed: str) -> None:
        self.armed, self.deaths = folder / "armed", folder / "deaths"
        born = self.deaths.stat().st_size if self.deaths.exists() else 0
        self.rng = random.Random(f"{seed} {born}")

    def pass_by(self, point: str) -> None:
        """Die here if this pass is fatal."""
        if self.rng.randrange(POINTS[point]) or not self.armed.exists():
            return
        with self.deaths.open("a") as deaths:
            deaths.write(f"{point}\n")
        os.kill(os.getpid(), signal.SIGKILL)


def faulty_app() -> Any:
    """Return the application of a worker that may die; called in the worker itself."""
    folder = Path(os.environ["FAULTS"])
    faults = Faults(folder, os.environ["FAULT_SEED"])
    append, transaction, write = queries.add_move, Database._transaction, Database.write

    def add_move(connection: Any, values: dict[str, Any]) -> None:
        append(connection, values)
        faults.pass_by("insert")

    def begun(self: Database, work: Callable[..., Any]) -> Any:
        faults.pass_by("begin")
        return transaction(self, work)

    def committed(self: Database, work: Callable[..., Any]) -> Any:
        done = write(self, work)
        faults.pass_by("commit")
        return done

    queries.add_move = add_move
    Database._transaction, Database.write = begun, committed  # type: ignore[method-assign]
    app = create_app()
    app.jinja_env.bytecode_cache = FileSystemBytecodeCache(str(folder))
    ticker = app.extensions["kaboom.clock"]
    expect = ticker.expect

    def published(due_in: float | None) -> None:
        expect(due_in)
        faults.pass_by("publish")

    ticker.expect = published
    wsgi = app.wsgi_app

    def answering(environ: dict[str, Any], start_response: Any) -> Any:
        if environ["REQUEST_METHOD"] != "POST":
            return wsgi(environ, start_response)
        body = b"".join(wsgi(environ, start_response))
        faults.pass_by("answer")

        def halves() -> Any:
            yield body[: len(body) // 2]
            faults.pass_by("half an answer")
            yield body[len(body) // 2 :]

        return halves()

    app.wsgi_app = answering
    return app


def work(listener: socket.socket) -> None:
    """Serve until killed."""
    import gevent
    from gevent.pywsgi import WSGIServer

    gevent.reinit()
    WSGIServer(listener, faulty_app(), log=None).serve_forever()


def serve(workers: int) -> None:
    """Replace every worker that dies, forever."""
    from gevent.monkey import get_original

    fork, wait = get_original("os", "fork"), get_original("os", "waitpid")
    listener = socket.create_server(("127.0.0.1", int(os.environ["PORT"])), backlog=256)
    listener.setblocking(False)
    alive = 0
    while True:
        while alive < workers:
            if not fork():
                work(listener)
            alive += 1
        wait(-1, 0)
        alive -= 1


if __name__ == "__main__":
    serve(int(os.environ.get("FAULT_WORKERS", "2")))
