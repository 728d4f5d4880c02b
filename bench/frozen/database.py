"""Engines and transactions: reads inline, writes one at a time and retried when busy."""

import random
import sqlite3
import time
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as NoneFree

from bench.frozen.sealing import seal_of
from bench.frozen.threads import here, threads

T = TypeVar("T")

TRIES = 6
# serialization_failure, deadlock_detected, unique_violation (a command that raced itself)
TRY_AGAIN = {"40001", "40P01", "23505"}


# The connection is lost, resources are short, a lock was not available, the server is going down.
LATER = ("08", "53", "55P03", "57")
# What a row refers to has just gone, such as a player nobody needed: a retry makes it afresh.
GONE = ("23503", "FOREIGN KEY")
# A full, read-only or failing disk: somebody must see to it.
NO_DISK = ("full", "readonly", "disk I/O")

# For each connection, whatever the server's own defaults are.
POSTGRES_SETTINGS = {
    "synchronous_commit": "on",  # off loses acknowledged moves at a power cut
    "statement_timeout": "5s",
    "lock_timeout": "2s",
    "idle_in_transaction_session_timeout": "10s",
}


class Unavailable(Exception):
    """The store is not available right now; the request may be sent again.

    Nothing has changed, unless the connection was lost at the very moment of a commit: a command
    sent again finds that out by its id.
    """


class Database:
    """A database by its URL: SQLite (the embedded default) or PostgreSQL.

    `secret_key` seals its secrets (bench.frozen.sealing); ValueError is raised if one is needed and
    missing.

    Under gevent SQLite's writes run in a thread of their own: a commit syncs the disk for some
    milliseconds, and a greenlet that yielded inside a write transaction would stop every other.
    """

    def __init__(self, url: str, secret_key: str = "") -> None:
        self.url = _with_driver(url)
        self.seal = seal_of(self.url, secret_key)
        self.sqlite = self.url.startswith("sqlite")
        opened = _sqlite_engine if self.sqlite else _postgres_engine
        self._reader, self._writer = opened(self.url), opened(self.url, writes=True)
        self._in_writer_thread = threads() if self.sqlite else here
        for engine in (self._reader, self._writer):
            event.listen(engine, "connect", self._give_seal)

    def _give_seal(self, connection: Any, record: Any) -> None:
        record.info["seal"] = self.seal  # kaboom.tables.queries seals and opens with it

    def read(self, work: Callable[[Connection], T]) -> T:
        """Return work(connection), where work only reads; raises Unavailable."""
        try:
            return self._look(work)
        except DBAPIError as error:
            if not _may_pass(error):
                raise _said(error) from error
        try:
            return self._look(work)  # a lost connection has been replaced by now
        except DBAPIError as error:
            raise _said(error) from error

    def _look(self, work: Callable[[Connection], T]) -> T:
        with _connected(self._reader) as connection:
            return work(connection)

    def read_one_moment(self, work: Callable[[Connection], T]) -> T:
        """Return work(connection), all of whose reads see the same moment; raises Unavailable.

        The reads may take as long as they like: this is for copying everything.
        """
        try:
            with _connected(self._reader) as connection:
                if self.sqlite:
                    connection.exec_driver_sql("BEGIN")
                else:
                    connection.execution_options(isolation_level="REPEATABLE READ")
                    connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
                result = work(connection)
                connection.rollback()
                return result
        except DBAPIError as error:
            raise _said(error) from error

    def write(self, work: Callable[[Connection], T]) -> T:
        """Return work(connection), done in full or not at all; raises Unavailable if the store
        stays busy.

        `work` may be run again after a failure, so it must not keep anything from a failed run.
        """
        for attempt in range(TRIES):
            try:
                result: T = self._in_writer_thread(self._transaction, work)
                return result
            except DBAPIError as error:
                if not _may_pass(error) or attempt == TRIES - 1:
                    raise _said(error) from error
                time.sleep(random.uniform(0.5, 1.5) * 0.02 * 2**attempt)
        raise AssertionError("unreachable")

    def _transaction(self, work: Callable[[Connection], T]) -> T:
        with _connected(self._writer) as connection, connection.begin():
            return work(connection)

    def close(self) -> None:
        """Give back every connection."""
        self._reader.dispose()
        self._in_writer_thread(self._writer.dispose)


def _connected(engine: Engine) -> Connection:
    """Return one of the engine's connections; raises Unavailable when all are waiting for the
    server.
    """
    try:
        return engine.connect()
    except NoneFree as error:
        raise Unavailable(str(error)) from error


def _with_driver(url: str) -> str:
    for name in ("postgres://", "postgresql://"):
        if url.startswith(name):
            return "postgresql+psycopg://" + url.removeprefix(name)
    return url


def _sqlite_engine(url: str, writes: bool = False) -> Engine:
    engine = create_engine(
        url,
        pool_size=1 if writes else 4,
        max_overflow=8,
        hide_parameters=True,  # names and keys do not belong in error logs
        connect_args={"check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",  # NORMAL loses acknowledged moves at a power cut
            "foreign_keys=ON",
            "busy_timeout=250",
            "temp_store=MEMORY",
            "trusted_schema=OFF",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    if writes:

        @event.listens_for(engine, "begin")
        def _begun(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _postgres_engine(url: str, writes: bool = False) -> Engine:
    return create_engine(
        url,
        # All are kept: any beyond the pool's size would be opened and closed at each use. They are
        # not pinged: a lost one is noticed when used, and the work is done again.
        pool_size=6,
        max_overflow=0,
        pool_timeout=5,  # seconds
        # A reader sees each statement at its own moment anyhow: BEGIN and its round trip are saved.
        isolation_level="READ COMMITTED" if writes else "AUTOCOMMIT",
        hide_parameters=True,
        connect_args={
            "options": " ".join(f"-c {name}={value}" for name, value in POSTGRES_SETTINGS.items()),
            "connect_timeout": 5,
        },
    )


def _may_pass(error: DBAPIError) -> bool:
    """Say whether the same transaction may succeed when tried again."""
    if error.connection_invalidated:
        return True
    if isinstance(error.orig, sqlite3.OperationalError):
        return "locked" in str(error.orig) or "busy" in str(error.orig)
    if isinstance(error.orig, sqlite3.IntegrityError):
        return "UNIQUE" in str(error.orig)
    state = getattr(error.orig, "sqlstate", None)
    return state in TRY_AGAIN or (state is None and isinstance(error, OperationalError))


def _said(error: DBAPIError) -> Exception:
    """Return Busy for what will pass or be repaired without us, else the error itself."""
    sentence = str(error.orig)
    if isinstance(error.orig, sqlite3.OperationalError):
        passing = any(words in sentence for words in ("locked", "busy", *NO_DISK))
    else:
        state = getattr(error.orig, "sqlstate", None) or ""
        passing = state.startswith(LATER) or state == GONE[0] or GONE[1] in sentence
    return Unavailable(sentence) if passing or _may_pass(error) else error
