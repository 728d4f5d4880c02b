"""A real server for programs."""

import shutil

import pytest

from tests.support.server import Server


@pytest.fixture(scope="module")
def server(migrated_sqlite, tmp_path_factory):
    path = tmp_path_factory.mktemp("programs") / "kaboom.sqlite3"
    shutil.copy(migrated_sqlite, path)
    started = Server(f"sqlite:///{path}").start()
    yield started
    started.stop()
