"""What is asked of each store, and what one is told when it cannot be had."""

from contextlib import ExitStack, closing

import pytest
from sqlalchemy import text

from kaboom.store import queries
from kaboom.store.database import Busy, Database
from tests.server import SECRET


def test_sqlite_syncs_every_commit(sqlite_url):
    database = Database(sqlite_url, SECRET)

    def pragmas(connection):
        return [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]

    assert database.write(pragmas) == ["wal", 2, 1]
    database.close()


def test_postgresql_acknowledges_what_is_on_disk_and_lets_nobody_wait_for_long(postgres_url):
    """Whatever the server's own settings are."""
    alter = f"ALTER DATABASE {postgres_url.rsplit('/', 1)[1]}"
    with closing(Database(postgres_url, SECRET)) as database:
        database.write(lambda c: c.execute(text(f"{alter} SET synchronous_commit = off")))
    wanted = {
        "synchronous_commit": "on",
        "statement_timeout": "5s",
        "lock_timeout": "2s",
        "idle_in_transaction_session_timeout": "10s",
    }
    with closing(Database(postgres_url, SECRET)) as database:
        database.write(lambda c: c.execute(text(f"{alter} RESET synchronous_commit")))
        found = database.read(
            lambda c: {name: c.exec_driver_sql(f"SHOW {name}").scalar() for name in wanted}
        )
    assert found == wanted


def test_when_every_connection_waits_for_the_server_one_is_told_to_try_again(
    postgres_url, monkeypatch
):
    with closing(Database(postgres_url, SECRET)) as database, ExitStack() as held:
        for engine in (database._reader, database._writer):
            monkeypatch.setattr(engine.pool, "_timeout", 0.05)
            for _ in range(engine.pool.size()):
                held.enter_context(engine.connect())
        for ask in (database.read, database.read_one_moment, database.write):
            with pytest.raises(Busy):
                ask(lambda connection: connection.execute(text("SELECT 1")))


def test_a_copy_of_everything_sees_one_moment(store_url):
    with closing(Database(store_url, SECRET)) as database:

        def count(connection):
            return connection.execute(text("SELECT COUNT(*) FROM players")).scalar()

        def twice(connection):
            before = count(connection)
            database.write(lambda c: queries.add_player(c, "somebody's key", "Ann", 0.0))
            return before, count(connection)

        assert database.read_one_moment(twice) == (0, 0)
        assert database.read(count) == 1
