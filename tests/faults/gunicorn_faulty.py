"""Our gunicorn settings, but workers are forked from one that has imported all: quick to replace.

Several workers on SQLite are not for players; here they make the races harder.
"""

import os
import runpy
from typing import Any

ours = runpy.run_path("gunicorn.conf.py")
globals().update(ours)
preload_app = True
workers = int(os.environ.get("FAULT_WORKERS", "2"))
graceful_timeout = 1


def post_worker_init(worker: Any) -> None:
    """Give the worker an application of its own."""
    from tests.faults.wsgi_faulty import faulty_app

    worker.wsgi = faulty_app()
    ours["post_worker_init"](worker)
