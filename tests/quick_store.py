"""An embedded store in memory, for tests that make thousands of moves and pull no plug."""

import shutil
import tempfile
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")


@pytest.fixture
def sqlite_url(migrated_sqlite):
    """A migrated SQLite file where a commit need not wait for a disk, if there is such a place."""
    place = str(MEMORY) if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="kaboom-", dir=place) as folder:
        path = Path(folder) / "kaboom.sqlite3"
        shutil.copy(migrated_sqlite, path)
        yield f"sqlite:///{path}"
