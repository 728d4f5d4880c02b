"""Shared fixtures: stores to run on, and a table service with a controllable clock."""

import gc
import os
import shutil
import tempfile
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytest_rerunfailures import StatusDB
from sqlalchemy import create_engine, text

from kaboom.db.database import Database
from kaboom.db.metadata import all_tables
from kaboom.db.migrate import upgrade
from kaboom.engine.i18n import ENGLISH, speak
from kaboom.tables.service import TableService
from tests.support.app import application, close, served
from tests.support.browsing import browser, limited, real, table, waiting_lets_time_pass
from tests.support.builtin_games import STRANGERS
from tests.support.fake_ids import FakeIds, sequential_seeds
from tests.support.file_order import in_order
from tests.support.finished_matches import finished_match
from tests.support.markers import choose_plain, is_never_plain, is_plain, mark
from tests.support.members import club, ids, whatever_is_told_can_be_said
from tests.support.sampling import thin_out
from tests.support.server import SECRET
from tests.support.snapshot import pytest_addoption, snapshot
from tests.support.statement_cache import prepared
from tests.support.template_cache import folder_of_this_run

# Fixtures that pytest finds here.
__all__ = [
    "browser",
    "club",
    "finished_match",
    "ids",
    "limited",
    "pytest_addoption",
    "real",
    "snapshot",
    "table",
    "waiting_lets_time_pass",
    "whatever_is_told_can_be_said",
]

POSTGRES = os.environ.get("TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
REDIS = os.environ.get("TEST_REDIS", "redis://127.0.0.1:6379/0")
MEMORY = Path("/dev/shm")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Create a folder for compiled templates, inherited by other processes, and disable the crash
    count of pytest-rerunfailures.

    With it, each process would ask the first one about every test, which takes 40 ms each time. The
    count is for tests of dead processes, which are not repeated when a file stays in one process
    (`--dist loadfile`).
    """
    choose_plain(config)
    if not hasattr(config, "workerinput"):
        config.add_cleanup(folder_of_this_run())
    elif hasattr(config, "failures_db"):
        config.failures_db.sock.close()
        config.failures_db = StatusDB()


def pytest_report_header() -> list[str]:
    """Name the installed games of other packages, which are not tested."""
    if not STRANGERS:
        return []
    return [
        f"games of other packages, which this suite leaves alone: {', '.join(STRANGERS)} "
        "(pytest --pyargs kaboom.testing -k KEY tries one)"
    ]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what `pytest` alone leaves out, which would take each process seconds."""
    there = collection_path.relative_to(config.rootpath)
    return True if is_plain(config) and is_never_plain(there) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that need a service, drop those that `make test` skips, and mix waiting files with
    computing ones; the order within a file stays.
    """
    mark(items)
    thin_out(config, items)
    files = {item: item.nodeid.partition("::")[0] for item in items}
    place = {file: n for n, file in enumerate(in_order(dict.fromkeys(files.values())))}
    items.sort(key=lambda item: place[files[item]])


def pytest_collection_finish() -> None:
    """Exempt tests and modules from garbage collection, and collect as rarely as a server does
    (kaboom.gunicorn_conf).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def missing(what: str) -> None:
    """Skip a test whose requirements are missing; in CI, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is needed under CI")
    pytest.skip(what)


@pytest.fixture(scope="session", autouse=True)
def no_sender_is_left_over():
    """Close the notifier of an application before its store."""
    yield
    left = [thread for thread in threading.enumerate() if thread.name == "notifications"]
    assert left == [], "an application was not closed (tests.support.app.close)"


@pytest.fixture(autouse=True)
def english_afterwards():
    """Let the next test begin in English."""
    yield
    speak(ENGLISH)


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory):
    """An empty migrated SQLite file, to be copied."""
    path = tmp_path_factory.mktemp("store") / "empty.sqlite3"
    upgrade(f"sqlite:///{path}", SECRET)
    return path


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """A folder in memory, where commits need not wait for a disk, if there is one."""
    place = str(MEMORY) if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="kaboom-", dir=place) as folder:
        yield Path(folder)


@pytest.fixture
def quick_folder():
    """A folder for the stores of tests that cut no power, because some make thousands of moves."""
    with folder_in_memory() as folder:
        yield folder


@pytest.fixture
def sqlite_url(migrated_sqlite, quick_folder):
    """A SQLite store in memory; tests/chaos has its own on a disk."""
    path = quick_folder / "kaboom.sqlite3"
    shutil.copy(migrated_sqlite, path)
    return f"sqlite:///{path}"


@contextmanager
def postgres_database() -> Iterator[str]:
    """The URL of a new migrated database on a real PostgreSQL."""
    admin = create_engine(
        POSTGRES.replace("postgresql://", "postgresql+psycopg://"),
        isolation_level="AUTOCOMMIT",
        connect_args={"connect_timeout": 3},
    )
    name = f"kaboom_test_{uuid.uuid4().hex[:12]}"
    try:
        with admin.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
    except Exception as error:
        admin.dispose()
        missing(f"PostgreSQL at {POSTGRES} ({type(error).__name__})")
    url = POSTGRES.rsplit("/", 1)[0] + f"/{name}"
    upgrade(url, SECRET)
    try:
        yield url
    finally:
        with admin.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        admin.dispose()


@pytest.fixture(scope="session")
def postgres_server():
    """The URL of this test run's database on a real PostgreSQL."""
    with postgres_database() as url:
        yield url


# For small tables DELETE is ten times faster than TRUNCATE, which creates new files.
EMPTY = "; ".join(
    [f"DELETE FROM {table.name}" for table in reversed(all_tables().sorted_tables)]
    + ["SELECT setval(sequencename::regclass, 1, false) FROM pg_sequences"]
)


@pytest.fixture(scope="session")
def emptying(postgres_server):
    """A connection that empties this test run's database; a new one each time would cost more."""
    database = Database(postgres_server, SECRET)
    yield database
    database.close()


@pytest.fixture
def postgres_url(postgres_server, emptying):
    emptying.write(lambda connection: connection.exec_driver_sql(EMPTY))
    return postgres_server


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request):
    """Each store in turn: the same tests run on both."""
    return request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")


class FakeClock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.time = 1_000_000.0

    def __call__(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds


@pytest.fixture
def fake_clock():
    return FakeClock()


class FakePresence:
    """The people present at tables, set by a test; None: unknown."""

    players = None

    def __call__(self, code: str):
        return self.players


@pytest.fixture
def fake_ids():
    """The random values of a test's tables, the same in every run."""
    return FakeIds(seed=sequential_seeds())


@pytest.fixture
def open_tables(fake_clock, fake_ids):
    """A function that opens the table service on a store; opening it twice is like a restart."""
    databases = []

    def opened(url: str, **more) -> TableService:
        databases.append(prepared(Database(url, SECRET)))
        return TableService(
            databases[-1], **{"now": fake_clock, "here": FakePresence(), "ids": fake_ids, **more}
        )

    yield opened
    for database in databases:
        database.close()


@pytest.fixture
def tables(open_tables, store_url):
    return open_tables(store_url)


@pytest.fixture(scope="session")
def one_app(migrated_sqlite):
    """The application, created once, since compiling all templates takes a while."""
    app = application(f"sqlite:///{migrated_sqlite}")
    yield app
    close(app)


@pytest.fixture
def app(one_app, sqlite_url, fake_clock, fake_ids):
    with served(one_app, sqlite_url, now=fake_clock, fake_ids=fake_ids):
        yield one_app


@pytest.fixture
def client(app):
    """A client that does not follow redirects."""
    return app.test_client()


@pytest.fixture
def service(app):
    return app.config["TABLES"]
