"""The behaviour of each store, and its errors when it is unavailable."""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from threading import Barrier

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, select, text
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.exc import DBAPIError, IntegrityError, InternalError, OperationalError

from kaboom.accounts import player_queries, players
from kaboom.db.database import TRIES, Database, Unavailable
from kaboom.db.fast_path import change, rows
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.records import queries as records
from kaboom.tables import queries
from kaboom.web import attempt_queries
from kaboom.web.attempt_queries import Limit
from tests.support.server import SECRET


def test_direct_read_returns_what_sqlalchemy_returns(tables, store_url):
    ann, _ = players.player(tables, "ann's key", "Ann")
    code = lobby.open(
        tables, "kaboom", GAMES["kaboom"].options(), ann, "Ann", password="open sesame"
    )
    players.player(tables, "ben's key", "Ben")
    with closing(Database(store_url, SECRET)) as database:
        for key in ("ann's key", "ben's key", "nobody's", ""):
            for table in (code, "NOTATABL"):
                values = {"code": table, "key_0": key}

                def asked(connection, values=values):
                    statement = queries._heads(1)
                    found = connection.execute(statement, values).all()
                    return rows(connection, statement, values), found

                read, found = database.read(asked)
                assert bool(read) == bool(found) == (table == code)
                assert list(map(tuple, read)) == list(map(tuple, found))


def test_bulk_revision_read_returns_what_single_reads_do(tables, store_url):
    ann, _ = players.player(tables, "ann's key", "Ann")
    code = lobby.open(
        tables, "kaboom", GAMES["kaboom"].options(), ann, "Ann", password="open sesame"
    )
    players.player(tables, "ben's key", "Ben")
    many = ["nobody's", "ann's key", "", "ben's key", *map(str, range(7)), "ann's key"]
    with closing(Database(store_url, SECRET)) as database:
        seen = database.read(lambda c: queries.fetch_heads(c, code, many))
        alone = [database.read(lambda c, k=key: queries.fetch_heads(c, code, [k])) for key in many]
        assert [[each] for each in seen] == alone
        assert [each.name for each in seen if each.let_in] == ["Ann", "Ann"]
        assert [each.name for each in seen].count("Ben") == 1
        assert database.read(lambda c: queries.fetch_heads(c, "NOTATABL", many)) is None


def test_direct_read_error_is_reported_as_usual(store_url):
    with closing(Database(store_url, SECRET)) as database:
        gone = select(Table("gone", MetaData(), Column("id", Integer)))
        with pytest.raises(DBAPIError):
            database.read(lambda connection: rows(connection, gone, {}))
        assert (
            database.read(lambda connection: queries.fetch_heads(connection, "NOTATABL", [""]))
            is None
        )


def test_direct_write_error_is_reported_as_usual(store_url):
    """PostgreSQL allows no more statements in a failed transaction."""
    move = {"match_id": 7, "seq": 1, "cmd": "0 1", "text": b"", "at": 0.0, "chain": ""}
    with closing(Database(store_url, SECRET)) as database, ExitStack() as held:
        connection = held.enter_context(database._writer.connect())
        held.enter_context(connection.begin())
        with pytest.raises(IntegrityError, match=r"(?i)foreign key") as told:
            change(connection, queries._add_move, move)
        assert not told.value.connection_invalidated


def test_database_error_message_contains_no_values(store_url):
    """Names and keys do not belong in logs."""
    with closing(Database(store_url, SECRET)) as database:
        for ask in (lambda it, *what: it.execute(*what), rows):
            with pytest.raises(DBAPIError) as told:
                asked = text("SELECT :who FROM nowhere"), {"who": "Amina"}
                database.read(lambda connection, ask=ask, asked=asked: ask(connection, *asked))
            assert "nowhere" in str(told.value)
            assert "Amina" not in str(told.value)


def test_write_is_repeated_after_a_lost_connection(postgres_url):
    with closing(Database(postgres_url, SECRET)) as database:
        tried = []

        def work(connection):
            tried.append(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar())
            if len(tried) == 1:
                lost = text(f"SELECT pg_terminate_backend({tried[0]})")
                assert database.read(lambda other: other.execute(lost).scalar())
            return queries.table(connection, "NOTATABL", lock=True)

        assert database.write(work) is None
        assert len(set(tried)) == 2


def test_reads_leave_no_transaction_open(store_url):
    """SQLite's connection is kept for the next read, which must behave as on a new one."""
    with closing(Database(store_url, SECRET)) as database:
        asked = text("SELECT COUNT(*) FROM players")

        def within(connection):
            assert not connection.in_transaction() and not connection.closed
            inner = database.read(lambda other: other is connection)
            return connection.execute(asked).scalar(), inner

        assert database.read(within) == (0, False)
        with pytest.raises(ZeroDivisionError):
            database.read(lambda connection: 1 / connection.execute(asked).scalar())
        database.write(lambda c: player_queries.add_player(c, "somebody's key", "Ann", 0.0))
        assert database.read(within) == (1, False)
    assert database._reader.pool.checkedout() == 0


def test_many_threads_read_sqlite_at_the_same_time(sqlite_url):
    database, all_read = Database(sqlite_url, SECRET), Barrier(24, timeout=10)

    def work(connection):
        all_read.wait()
        return connection.scalar(text("SELECT 1"))

    with closing(database), ThreadPoolExecutor(24) as threads:
        assert sum(threads.map(lambda _: database.read(work), range(24))) == 24


def test_deleted_table_has_no_code(store_url):
    with closing(Database(store_url, SECRET)) as database:
        assert database.read(lambda connection: records.table_code(connection, None)) == ""
        assert database.read(lambda connection: records.code_at(connection, None, 1)) == ""


def test_sqlite_syncs_every_commit(sqlite_url):
    database = Database(sqlite_url, SECRET)

    def pragmas(connection):
        return [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]

    assert database.write(pragmas) == ["wal", 2, 1]
    database.close()


def test_postgresql_commits_are_durable_with_short_timeouts(postgres_url):
    """This is independent of the server's own settings."""
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


def test_exhausted_pool_raises_unavailable(postgres_url, monkeypatch):
    with closing(Database(postgres_url, SECRET)) as database, ExitStack() as held:
        for engine in (database._reader, database._writer):
            monkeypatch.setattr(engine.pool, "_timeout", 0.05)
            for _ in range(engine.pool.size()):
                held.enter_context(engine.connect())
        for ask in (database.read, database.read_one_moment, database.write):
            with pytest.raises(Unavailable):
                ask(lambda connection: connection.execute(text("SELECT 1")))


def test_long_read_sees_one_snapshot(store_url):
    with closing(Database(store_url, SECRET)) as database:

        def count(connection):
            return connection.execute(text("SELECT COUNT(*) FROM players")).scalar()

        def twice(connection):
            before = count(connection)
            database.write(lambda c: player_queries.add_player(c, "somebody's key", "Ann", 0.0))
            return before, count(connection)

        assert database.read_one_moment(twice) == (0, 0)
        assert database.read(count) == 1


class OfPostgres(Exception):
    """An error of PostgreSQL's driver, with a code."""

    def __init__(self, sqlstate):
        super().__init__("whatever it says")
        self.sqlstate = sqlstate


LOCKED, BUSY = "database is locked", "database is busy"


@pytest.mark.parametrize(
    ("of_driver", "kind", "tries", "told"),
    [
        (sqlite3.OperationalError(LOCKED), OperationalError, TRIES, Unavailable),
        (sqlite3.OperationalError(BUSY), OperationalError, TRIES, Unavailable),
        (sqlite3.OperationalError("database or disk is full"), OperationalError, 1, Unavailable),
        (sqlite3.OperationalError("disk I/O error"), OperationalError, 1, Unavailable),
        (sqlite3.OperationalError("attempt to write a readonly"), OperationalError, 1, Unavailable),
        (sqlite3.OperationalError("no such table: x"), OperationalError, 1, OperationalError),
        (sqlite3.IntegrityError("UNIQUE constraint failed"), IntegrityError, TRIES, Unavailable),
        (sqlite3.IntegrityError("FOREIGN KEY constraint failed"), IntegrityError, 1, Unavailable),
        (sqlite3.IntegrityError("NOT NULL constraint failed"), IntegrityError, 1, IntegrityError),
        (OfPostgres("40001"), OperationalError, TRIES, Unavailable),  # serialization_failure
        (OfPostgres("23505"), IntegrityError, TRIES, Unavailable),  # unique_violation
        (OfPostgres("23503"), IntegrityError, 1, Unavailable),  # foreign_key_violation
        (OfPostgres("55P03"), OperationalError, 1, Unavailable),  # lock_not_available
        (OfPostgres("57014"), OperationalError, 1, Unavailable),  # query_canceled
        (
            OfPostgres("25006"),
            InternalError,
            1,
            Unavailable,
        ),  # read_only_sql_transaction: a standby
        (OfPostgres(None), OperationalError, TRIES, Unavailable),  # no answer: the server is down
        (OfPostgres(None), IntegrityError, 1, IntegrityError),
        (OfPostgres("23502"), IntegrityError, 1, IntegrityError),  # not_null_violation
        (OfPostgres("42P01"), OperationalError, 1, OperationalError),  # undefined_table
    ],
    ids=lambda value: str(getattr(value, "sqlstate", value)),
)
def test_transient_error_is_retried_and_outage_is_busy(
    sqlite_url, monkeypatch, of_driver, kind, tries, told
):
    tried, slept = [], []
    monkeypatch.setattr(time, "sleep", slept.append)

    def work(connection):
        tried.append(connection)
        raise kind("a statement", {}, of_driver)

    with closing(Database(sqlite_url, SECRET)) as database:
        with pytest.raises(told):
            database.write(work)
        assert len(tried) == tries
        assert len(slept) == tries - 1
        assert all(0.01 <= it / 2**number <= 0.03 for number, it in enumerate(slept))
        tried.clear()
        with pytest.raises(told):
            database.read(work)
        assert len(tried) == min(tries, 2)


def test_a_commit_refused_by_the_store_is_tried_again(sqlite_url, monkeypatch):
    """Engines with optimistic locking refuse the commit with 40001."""
    refusals = [sqlite3.OperationalError(LOCKED)]
    commit = DefaultDialect.do_commit

    def refused_once(dialect, connection):
        if refusals:
            raise refusals.pop()
        commit(dialect, connection)

    with closing(Database(sqlite_url, SECRET)) as database:
        monkeypatch.setattr(DefaultDialect, "do_commit", refused_once)
        player = database.write(
            lambda c: player_queries.add_player(c, "somebody's key", "Ann", 0.0)
        )
        assert not refusals
        count = text("SELECT COUNT(*), MAX(id) FROM players")
        assert tuple(database.read(lambda c: c.execute(count).one())) == (1, player)


def test_a_lost_connection_is_replaced_and_the_work_repeated(sqlite_url):
    lost = [OperationalError("a statement", {}, OfPostgres("42P01"), connection_invalidated=True)]

    def work(connection):
        if lost:
            raise lost.pop()
        return connection.execute(text("SELECT 1")).scalar()

    with closing(Database(sqlite_url, SECRET)) as database:
        assert database.read(work) == 1


def test_attempt_counts_against_all_limits_or_names_the_first(store_url):
    hour, minute = Limit("hour", 2, 3600.0), Limit("minute", 1, 60.0)
    with closing(Database(store_url, SECRET)) as database:

        def counted(*limits, at=0.0):
            return database.write(lambda connection: attempt_queries.count(connection, limits, at))

        assert counted(hour, minute) is None
        assert counted(hour, minute) == minute  # the hour's count increased all the same
        assert counted(hour, minute) == hour
        assert counted(minute, at=59.9) == minute
        assert counted(minute, at=60.0) is None
