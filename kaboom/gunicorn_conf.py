"""gunicorn's settings: gevent workers, and timeouts that suit long event streams."""

import gc
import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

# From whatever folder gunicorn is started, it finds the package, and wsgi.py beside it.
FOLDER = str(Path(__file__).resolve().parents[1])
if FOLDER not in sys.path:
    sys.path.insert(0, FOLDER)

from kaboom.config import InvalidSetting, from_environment, misspelt  # noqa: E402
from kaboom.realtime.connections import connections  # noqa: E402

try:
    settings = from_environment()
except InvalidSetting as wrong:
    sys.exit(str(wrong))

host = os.environ.get("HOST") or "0.0.0.0"
port = os.environ.get("PORT") or "8000"
bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

worker_class = "kaboom.realtime.gunicorn_worker.Worker"
worker_connections = connections()  # a hub takes four fifths of them for streams
# SQLite has one writer, and without Redis a worker cannot wake another's streams.
embedded = settings.database_url.startswith("sqlite")
wanted = max(settings.workers, 1)
workers = 1 if embedded else wanted

if workers > 1:  # /metrics then adds up the counts of all workers
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="kaboom-metrics-"))

timeout = 60
graceful_timeout = 3
keepalive = 5
max_requests = 0  # a worker that ends with open streams answers nobody for seconds
preload_app = False  # so that SIGHUP loads new code
control_socket_disable = True

forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1")
limit_request_line = 4094
limit_request_fields = 60
accesslog = os.environ.get("ACCESS_LOG") or None  # "-" is standard output
if Path("/dev/shm").is_dir():
    worker_tmp_dir = "/dev/shm"


def on_starting(server: Any) -> None:
    """Warn about what was probably meant otherwise, and what is set for several workers."""
    for sentence in misspelt():
        server.log.warning(sentence)
    if workers < wanted:
        server.log.warning("SQLite takes one worker; for %d set DATABASE_URL", wanted)
    if workers > 1 and not settings.redis_url:
        server.log.warning("without REDIS_URL pages on other workers follow at each heartbeat only")


def post_fork(server: Any, worker: Any) -> None:
    """Let the new worker load the application without looking for garbage: there is hardly any.

    Its lines in the log say when they were written, as gunicorn's own do.
    """
    gc.disable()
    logging.getLogger("kaboom").handlers = logging.getLogger("gunicorn.error").handlers


def post_worker_init(worker: Any) -> None:
    """Set up the worker, and end its event streams when it is asked to stop, or it would wait."""
    import gevent

    # Objects made at the start live as long as the worker: the collector need not look through them
    # again and again while drawing pages makes much short-lived garbage.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()

    hub = getattr(worker.application, "extensions", {}).get("kaboom.hub")
    if hub is None:
        worker.log.warning("no hub found: a stopping worker waits %d s", graceful_timeout)
        return

    def watch() -> None:
        while worker.alive:
            gevent.sleep(0.1)
        hub.close()

    gevent.spawn(watch)


def worker_exit(server: Any, worker: Any) -> None:
    """Close the database: the last one to do so leaves all of SQLite's in one file, without -wal,
    so that a host who copies that file alone copies every move.
    """
    app = getattr(worker, "application", None)  # none where it could not begin
    clock = getattr(app, "extensions", {}).get("kaboom.clock")
    if clock is not None:
        clock.stop()
        clock.tables.database.close()


def child_exit(server: Any, worker: Any) -> None:
    """Stop counting a worker's streams once it has ended."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
