"""The free space of the disk and the last backup, for /host and /metrics."""

import shutil
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from flask import current_app
from prometheus_client import Gauge
from sqlalchemy import make_url

from kaboom.admin import queries
from kaboom.config import ServerSettings
from kaboom.web.metrics import measures

FREE = Gauge(
    "kaboom_disk_free_bytes",
    "Free bytes on the disk of the embedded database, or on the server's own disk",
    multiprocess_mode="mostrecent",
)
BACKUP = Gauge(
    "kaboom_last_backup_timestamp_seconds",
    "When the last backup was made, in seconds since 1970; 0: never",
    multiprocess_mode="mostrecent",
)


class Disk(NamedTuple):
    """A disk: its size in bytes, and the bytes that are free."""

    total: int
    free: int


def disk(settings: ServerSettings) -> Disk:
    """Return the disk of the embedded database or, without one, the server's own."""
    url = make_url(settings.database_url)
    file = url.database if url.get_backend_name() == "sqlite" else None
    folder = Path(file).parent if file and file != ":memory:" else Path("/")
    found = shutil.disk_usage(folder if folder.is_dir() else "/")
    return Disk(found.total, found.free)


def measure() -> None:
    """Set the gauges. If the database fails, /readyz reports it, and the last figure stays."""
    FREE.set(disk(current_app.config["SERVER"]).free)
    with suppress(Exception):
        BACKUP.set(current_app.config["TABLES"].database.read(queries.last_backup) or 0)


measures.append(measure)
