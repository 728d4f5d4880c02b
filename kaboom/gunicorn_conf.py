"""gunicorn's settings: gevent workers, and timeouts that suit long event streams."""

import gc
import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

# gunicorn must find the package, and wsgi.py beside it, whatever the current folder is.
FOLDER = str(Path(__file__).resolve().parents[1])
if FOLDER not in sys.path:
    sys.path.insert(0, FOLDER)

from kaboom.config import InvalidSetting, from_environment, misspelt, where_to_listen  # noqa: E402
from kaboom.realtime.connections import connections  # noqa: E402

try:
    settings = from_environment()
except InvalidSetting as wrong:
    sys.exit(str(wrong))

bind = where_to_listen()

worker_class = "kaboom.realtime.gunicorn_worker.Worker"
worker_connections = connections()  # the hub uses four fifths of them for streams
# SQLite has one writer, and without Redis a worker cannot wake another's streams.
embedded = settings.database_url.startswith("sqlite")
wanted = max(settings.workers, 1)
workers = 1 if embedded else wanted

if workers > 1:  # /metrics then adds up the counts of all workers
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="kaboom-metrics-"))

timeout = 60
graceful_timeout = 3
keepalive = 5
max_requests = 0  # a stopping worker with open streams answers no requests for a few seconds
preload_app = False  # so that SIGHUP loads new code
control_socket_disable = True

forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1")
limit_request_line = 4094
limit_request_fields = 60
accesslog = os.environ.get("ACCESS_LOG") or None  # "-" is standard output
if Path("/dev/shm").is_dir():
    worker_tmp_dir = "/dev/shm"


def on_starting(server: Any) -> None:
    """Warn about settings that are probably misspelt, and about those that several workers need."""
    for sentence in misspelt():
        server.log.warning(sentence)
    if workers < wanted:
        server.log.warning("SQLite allows only one worker; to run %d, set DATABASE_URL", wanted)
    if workers > 1 and not settings.redis_url:
        server.log.warning(
            "without REDIS_URL, pages served by other workers update only at each heartbeat"
        )


def post_fork(server: Any, worker: Any) -> None:
    """Disable garbage collection while the new worker loads the application: there is hardly any
    garbage.

    Its log lines have timestamps, as gunicorn's own do.
    """
    gc.disable()
    logging.getLogger("kaboom").handlers = logging.getLogger("gunicorn.error").handlers


def post_worker_init(worker: Any) -> None:
    """Set up the worker so that it ends its event streams when it is asked to stop; otherwise it
    would wait for them. Bots load their data in a thread, so that no player waits for it in a
    match.
    """
    import gevent

    gevent.get_hub().threadpool.spawn(prepare_bots)

    # Objects created at startup live as long as the worker: the collector need not scan them again
    # and again while rendering pages creates much short-lived garbage.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()

    hub = getattr(worker.application, "extensions", {}).get("kaboom.hub")
    if hub is None:
        worker.log.warning(
            "no hub found: a stopping worker will wait up to %d s for its streams", graceful_timeout
        )
        return

    def watch() -> None:
        while worker.alive:
            gevent.sleep(0.1)
        hub.close()

    gevent.spawn(watch)


def prepare_bots() -> None:
    """Load what bots need for their first decision."""
    from kaboom.games import GAMES

    for game in GAMES.values():
        if game.bot:
            game.bot.prepare()


def worker_exit(server: Any, worker: Any) -> None:
    """Close the database. The last worker to do so leaves all of SQLite's data in one file, with no
    -wal file, so that a host who copies only that file copies every move.
    """
    app = getattr(worker, "application", None)  # None if it failed to start
    clock = getattr(app, "extensions", {}).get("kaboom.clock")
    if clock is not None:
        clock.stop()
        clock.tables.database.close()


def child_exit(server: Any, worker: Any) -> None:
    """Stop counting a worker's streams once it has ended."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
