"""gunicorn for Kaboom: gevent workers, and timeouts that suit long event streams."""

import gc
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from kaboom.connections import connections
from kaboom.settings import BadSetting, from_environment

try:
    settings = from_environment()
except BadSetting as wrong:
    sys.exit(str(wrong))

host = os.environ.get("HOST", "0.0.0.0")
port = os.environ.get("PORT", "8000")
bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

worker_class = "gevent"
worker_connections = connections()  # of which a hub takes four fifths for streams
# SQLite has one writer, and without Redis a worker cannot wake another's streams.
embedded = settings.database_url.startswith("sqlite")
wanted = max(settings.workers, 1)
workers = 1 if embedded else wanted

if workers > 1:  # /metrics then adds up what every worker counted
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
    """Say what the settings make of several workers."""
    if workers < wanted:
        server.log.warning("SQLite takes one worker; for %d set DATABASE_URL", wanted)
    if workers > 1 and not settings.redis_url:
        server.log.warning("without REDIS_URL pages on other workers follow at each heartbeat only")


def post_worker_init(worker: Any) -> None:
    """Settle the worker, and end its event streams when it is asked to stop: it would wait."""
    import gevent

    # What was made at the start lives as long as the worker: no need to look through it again
    # and again for garbage while drawing pages makes much that is soon gone.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)

    hub = getattr(worker.wsgi, "extensions", {}).get("kaboom.hub")
    if hub is None:
        worker.log.warning("no hub found: a stopping worker waits %d s", graceful_timeout)
        return

    def watch() -> None:
        while worker.alive:
            gevent.sleep(0.1)
        hub.close()

    gevent.spawn(watch)


def child_exit(server: Any, worker: Any) -> None:
    """Count a worker's streams no more once it has ended."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)
