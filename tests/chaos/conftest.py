"""Fixtures for tests that kill processes: SQLite is on a disk, and each commit waits for it."""

import shutil

import pytest


@pytest.fixture
def sqlite_url(migrated_sqlite, tmp_path):
    """The URL of a SQLite store on a disk."""
    path = tmp_path / "kaboom.sqlite3"
    shutil.copy(migrated_sqlite, path)
    return f"sqlite:///{path}"
