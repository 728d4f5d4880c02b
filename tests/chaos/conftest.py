"""Fixtures for tests that kill processes: SQLite is on a disk, and each commit waits for it."""

import shutil

import pytest

from tests.support.server import Server


@pytest.fixture
def sqlite_url(migrated_sqlite, tmp_path):
    """The URL of a SQLite store on a disk."""
    path = tmp_path / "kaboom.sqlite3"
    shutil.copy(migrated_sqlite, path)
    return f"sqlite:///{path}"


@pytest.fixture
def server(store_url):
    """A server on each store in turn, whose bots move without delay."""
    running = Server(store_url, BOT_PACE="instant").start()
    yield running
    running.kill()
