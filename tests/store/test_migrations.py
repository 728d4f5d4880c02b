"""Migrations lead to exactly the tables the code speaks of, on both stores."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from kaboom.store import queries
from kaboom.store.database import Database
from kaboom.store.migrate import upgrade
from kaboom.store.models import metadata


@pytest.fixture
def database(store_url):
    opened = Database(store_url)
    yield opened
    opened.close()


def test_the_migrated_schema_is_the_one_in_the_code(database):
    def differences(connection):
        return compare_metadata(MigrationContext.configure(connection), metadata)

    assert database.read(differences) == []


def test_migrating_twice_changes_nothing(store_url, database):
    upgrade(store_url)


def test_a_logged_move_cannot_be_edited(database):
    def one_move(connection):
        table = {
            "code": "AAAABBBB", "game": "kaboom", "match_id": None, "version": 1, "due_at": None,
            "body": "{}", "created_at": 0.0, "touched_at": 0.0,
        }  # fmt: skip
        match = {
            "table_id": queries.add_table(connection, table), "number": 1, "game": "kaboom",
            "game_version": 1, "options": "{}", "names": "[]", "seed": b"", "started_at": 0.0,
            "ended_at": None, "outcome": None,
        }  # fmt: skip
        match_id = queries.add_match(connection, match)
        move = {"match_id": match_id, "seq": 1, "cmd": "a", "text": "0 x", "at": 0.0, "chain": ""}
        queries.add_move(connection, move)

    database.write(one_move)
    with pytest.raises(DBAPIError, match="append-only"):
        database.write(lambda c: c.execute(text("UPDATE moves SET text = '0 y'")))


def test_sqlite_syncs_every_commit(sqlite_url):
    database = Database(sqlite_url)

    def pragmas(connection):
        return [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]

    assert database.write(pragmas) == ["wal", 2, 1]
    database.close()
