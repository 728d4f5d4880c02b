"""A server whose settings would do harm refuses to start, and says why."""

from contextlib import closing

import pytest

from kaboom.app import create_app
from kaboom.config import InvalidSetting, ServerSettings
from kaboom.daily.service import promise_ahead
from kaboom.db.database import Database
from kaboom.db.key_check import all_locked
from kaboom.tables.service import TableService
from tests.support.server import SECRET


def test_server_refuses_another_secret_and_changes_nothing(sqlite_url):
    with closing(Database(sqlite_url, SECRET)) as database:
        promise_ahead(TableService(database))
    with pytest.raises(InvalidSetting, match="Restore that key"):
        create_app(ServerSettings(sqlite_url, secret_key="y" * 32))
    with closing(Database(sqlite_url, "y" * 32 + " " + SECRET)) as database:
        assert not database.read(all_locked)


def test_damaged_board_does_not_stop_a_server_from_starting(sqlite_url):
    with closing(Database(sqlite_url, SECRET)) as database:
        assert not database.read(all_locked)  # nothing is sealed yet
        promise_ahead(TableService(database))
        harm = "UPDATE boards SET secret = x'00' WHERE label = (SELECT max(label) FROM boards)"
        database.write(lambda connection: connection.exec_driver_sql(harm))
        assert not database.read(all_locked)
