"""Engines and transactions: reads run inline; writes run one at a time, retried when busy."""

import random
import sqlite3
import time
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as NoneFree

from kaboom.db import traces
from kaboom.db.encryption import cipher_for
from kaboom.db.fast_path import change
from kaboom.db.log_throttle import LogThrottle
from kaboom.db.threads import here, threads

T = TypeVar("T")

TRIES = 6

# What PostgreSQL's errors mean, by SQLSTATE or the beginning of it.
# serialization_failure, deadlock_detected, unique_violation (a command that raced itself)
TRY_AGAIN = {"40001", "40P01", "23505"}
# The connection is lost, the server is a standby, resources are scarce, a lock was not available,
# or the server is shutting down. 23503: a row that is referred to has just been deleted, such as an
# inactive player; when the request is sent again, it creates the row again.
LATER = ("08", "25006", "53", "55P03", "57", "23503")

# What SQLite's errors mean, by words in their messages.
LOCKED = ("locked", "busy")
# The first means the same as 23503. The others mean a full, read-only or failing disk, or a file
# that is not a database: the host must act.
LATER_IN_WORDS = (
    "FOREIGN KEY",
    *("full", "readonly", "disk I/O", "unable to open", "not a database", "malformed"),
)

BEGIN = text("BEGIN IMMEDIATE")  # SQLite: acquires the write lock at once

# Set for each connection, whatever the server's own defaults are.
POSTGRES_SETTINGS = {
    "synchronous_commit": "on",  # off loses acknowledged moves in a power cut
    "statement_timeout": "5s",
    "lock_timeout": "2s",
    "idle_in_transaction_session_timeout": "10s",
}


class Unavailable(Exception):
    """The database is not available right now; the request may be sent again.

    Nothing has changed, unless the connection was lost at the very moment of a commit; a command
    that is sent again is then recognised by its id.
    """

    status = 503
    slug = "busy"


class Database:
    """A database by its URL: SQLite (the embedded default) or PostgreSQL.

    `secret_key` encrypts its secrets (kaboom.db.encryption); InvalidSetting is raised if one is
    needed and missing.

    Under gevent, SQLite's writes run in a thread of their own: a commit takes some milliseconds to
    sync the disk, and a greenlet that yielded inside a write transaction would block every other
    one.
    """

    def __init__(self, url: str, secret_key: str = "") -> None:
        self.url = _with_driver(url)
        self.cipher = cipher_for(self.url, secret_key)
        self.sqlite = self.url.startswith("sqlite")
        opened = _sqlite_engine if self.sqlite else _postgres_engine
        self._reader, self._writer = opened(self.url, writes=False), opened(self.url, writes=True)
        self._unread = LogThrottle("the database", "read")
        self._unwritten = LogThrottle("the database", "written")
        self._idle: list[Connection] = []  # idle connections of SQLite's reader
        self._in_writer_thread = threads() if self.sqlite else here
        for engine in (self._reader, self._writer):
            event.listen(engine, "connect", self._give_seal)
            if traces.on():
                event.listen(engine, "before_cursor_execute", _begin_statement)
                event.listen(engine, "after_cursor_execute", _end_statement)
                event.listen(engine, "handle_error", _fail_statement)

    def _give_seal(self, connection: Any, record: Any) -> None:
        record.info["cipher"] = self.cipher  # kaboom.db.encryption.cipher_of_store

    def read(self, work: Callable[[Connection], T]) -> T:
        """Return work(connection), where `work` only reads; raises Unavailable."""
        try:
            result = self._read_twice(work)
        except Unavailable as busy:
            self._unread.lasts(busy)
            raise
        self._unread.over()
        return result

    def _read_twice(self, work: Callable[[Connection], T]) -> T:
        try:
            return self._read_once(work)
        except DBAPIError as error:
            if not _may_pass(error):
                raise busy_or_error(error) from error
        try:
            return self._read_once(work)  # a lost connection has been replaced by now
        except DBAPIError as error:
            raise busy_or_error(error) from error

    def _read_once(self, work: Callable[[Connection], T]) -> T:
        if not self.sqlite:
            with _connected(self._reader) as connection:
                return work(connection)
        # Taking a connection from the pool and returning it costs as much as a small read. So all
        # idle connections are kept here, as many as were ever in use at the same time.
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = _connected(self._reader)
        try:
            result = work(connection)
            if connection.in_transaction():
                connection.rollback()
        except BaseException:
            connection.close()
            raise
        self._idle.append(connection)
        return result

    def read_one_moment(self, work: Callable[[Connection], T]) -> T:
        """Return work(connection); all its reads see the same snapshot of the database; raises
        Unavailable.

        It may take as long as it needs, for example to copy everything.
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
            raise busy_or_error(error) from error

    def write(self, work: Callable[[Connection], T]) -> T:
        """Return work(connection), which takes effect in full or not at all; raises Unavailable if
        the database stays busy.

        `work` may be run again after a failure, so it must not keep anything from a failed run.
        """
        try:
            result = self._write_patiently(work)
        except Unavailable as busy:
            self._unwritten.lasts(busy)
            raise
        self._unwritten.over()
        return result

    def _write_patiently(self, work: Callable[[Connection], T]) -> T:
        for attempt in range(TRIES):
            try:
                result: T = self._in_writer_thread(traces.carried(self._transaction), work)
                return result
            except DBAPIError as error:
                if not _may_pass(error) or attempt == TRIES - 1:
                    raise busy_or_error(error) from error
                time.sleep(random.uniform(0.5, 1.5) * 0.02 * 2**attempt)
        raise AssertionError("unreachable")

    def _transaction(self, work: Callable[[Connection], T]) -> T:
        with _connected(self._writer) as connection, connection.begin():
            return work(connection)

    def close(self) -> None:
        """Close every connection."""
        while self._idle:
            self._idle.pop().close()
        self._reader.dispose()
        self._in_writer_thread(self._writer.dispose)


# The statements that kaboom.db.fast_path executes have spans of their own.


def _begin_statement(c: Any, cursor: Any, text: str, values: Any, context: Any, m: Any) -> None:
    context._kaboom_span = traces.statement(text)
    context._kaboom_span.__enter__()


def _end_statement(c: Any, cursor: Any, text: str, values: Any, context: Any, m: Any) -> None:
    context._kaboom_span.__exit__(None, None, None)


def _fail_statement(failed: Any) -> None:
    if (span := getattr(failed.execution_context, "_kaboom_span", None)) is not None:
        span.__exit__(None, None, None)


def _connected(engine: Engine) -> Connection:
    """Return one of the engine's connections; raises Unavailable if all stay in use."""
    try:
        return engine.connect()
    except NoneFree as error:
        raise Unavailable(str(error)) from error


def _with_driver(url: str) -> str:
    for name in ("postgres://", "postgresql://"):
        if url.startswith(name):
            return "postgresql+psycopg://" + url.removeprefix(name)
    return url


def _sqlite_engine(url: str, *, writes: bool) -> Engine:
    engine = create_engine(
        url,
        pool_size=1 if writes else 4,
        # Readers keep their connections (_read_once), so a thread waiting for one would go on
        # waiting.
        max_overflow=8 if writes else -1,
        hide_parameters=True,  # names and keys do not belong in error logs
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # BEGIN is issued explicitly
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",  # NORMAL loses acknowledged moves in a power cut
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
            change(connection, BEGIN, {})

    return engine


def _postgres_engine(url: str, *, writes: bool) -> Engine:
    return create_engine(
        url,
        # All connections are kept: any beyond the pool's size would be opened and closed at each
        # use. They are not pinged: a lost one is noticed when it is used, and the work is repeated.
        pool_size=6,
        max_overflow=0,
        pool_timeout=5,  # seconds
        # In a read, each statement may see a snapshot of its own, which saves BEGIN and its round
        # trip.
        isolation_level="READ COMMITTED" if writes else "AUTOCOMMIT",
        hide_parameters=True,
        connect_args={
            "options": " ".join(f"-c {name}={value}" for name, value in POSTGRES_SETTINGS.items()),
            "connect_timeout": 5,
        },
    )


def _may_pass(error: DBAPIError) -> bool:
    """Return True if the transaction may succeed when it is repeated."""
    if error.connection_invalidated:
        return True
    if isinstance(error.orig, sqlite3.OperationalError):
        return any(word in str(error.orig) for word in LOCKED)
    if isinstance(error.orig, sqlite3.IntegrityError):
        return "UNIQUE" in str(error.orig)
    state = getattr(error.orig, "sqlstate", None)
    return state in TRY_AGAIN or (state is None and isinstance(error, OperationalError))


def busy_or_error(error: DBAPIError) -> Exception:
    """Return Unavailable for an error that is temporary or that the host can resolve; otherwise
    return the error.
    """
    sentence = str(error.orig)
    if isinstance(error.orig, sqlite3.DatabaseError):
        passing = any(words in sentence for words in (*LOCKED, *LATER_IN_WORDS))
    else:
        passing = (getattr(error.orig, "sqlstate", None) or "").startswith(LATER)
    return Unavailable(sentence) if passing or _may_pass(error) else error
