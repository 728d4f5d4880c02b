"""What many tests share: stores to run on, a table service whose clock the test holds."""

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
from kaboom.db.migrate import upgrade
from kaboom.db.models import metadata
from kaboom.tables.service import Tables
from tests.support.app import application, close, served
from tests.support.browsing import browser, limited, real, table, waiting_lets_time_pass
from tests.support.builtin_games import STRANGERS
from tests.support.fake_ids import ChosenLots, numbered_seeds
from tests.support.file_order import in_order
from tests.support.markers import choose_plain, mark
from tests.support.members import club, ids, whatever_is_told_can_be_said
from tests.support.sampling import thin_out
from tests.support.server import SECRET
from tests.support.snapshot import pytest_addoption, snapshot
from tests.support.statement_cache import prepared
from tests.support.template_cache import folder_of_this_run

# Found here by pytest.
__all__ = [
    "browser",
    "club",
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
    """Give a run a folder for compiled templates; its other processes inherit it.

    They would ask the first one, a byte at a time, how often each test had failed before it fell to
    them: that is for tests whose process has died, and where a file stays in one process
    (`--dist loadfile`) nobody plays those again. It took 40 ms of each test.
    """
    choose_plain(config)
    if not hasattr(config, "workerinput"):
        config.add_cleanup(folder_of_this_run())
    elif hasattr(config, "failures_db"):
        config.failures_db.sock.close()
        config.failures_db = StatusDB()


def pytest_report_header() -> list[str]:
    """Say which games of other packages are installed here: nothing is asked of them."""
    if not STRANGERS:
        return []
    return [
        f"games of other packages, which this suite leaves alone: {', '.join(STRANGERS)} "
        "(pytest --pyargs kaboom.testing -k KEY tries one)"
    ]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what needs a service, leave out what the gate does not take, and let files that wait
    stand beside files that work; within a file nothing changes its place.
    """
    mark(items)
    thin_out(config, items)
    files = {item: item.nodeid.partition("::")[0] for item in items}
    place = {file: n for n, file in enumerate(in_order(dict.fromkeys(files.values())))}
    items.sort(key=lambda item: place[files[item]])


def pytest_collection_finish() -> None:
    """Spare the collector what lives to the end, tests and modules; then let it look as rarely as
    that of a server does (kaboom.gunicorn_conf).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def missing(what: str) -> None:
    """Skip a test whose means are not here; where everything must be here, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is needed under CI")
    pytest.skip(what)


@pytest.fixture(scope="session", autouse=True)
def no_sender_is_left_over():
    """Whoever makes an application ends what sends its calls, before its store goes away."""
    yield
    left = [thread for thread in threading.enumerate() if thread.name == "calls"]
    assert left == [], "an application was not closed (tests.support.app.close)"


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory):
    """An empty migrated SQLite file, to be copied."""
    path = tmp_path_factory.mktemp("store") / "empty.sqlite3"
    upgrade(f"sqlite:///{path}", SECRET)
    return path


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """A folder where a commit need not wait for a disk, if there is such a place."""
    place = str(MEMORY) if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="kaboom-", dir=place) as folder:
        yield Path(folder)


@pytest.fixture
def quick_folder():
    """For the stores of a test: most pull no plug, and thousands of moves are made in some."""
    with folder_in_memory() as folder:
        yield folder


@pytest.fixture
def sqlite_url(migrated_sqlite, quick_folder):
    """An embedded store in memory; tests/chaos has its own on a disk."""
    path = quick_folder / "kaboom.sqlite3"
    shutil.copy(migrated_sqlite, path)
    return f"sqlite:///{path}"


@contextmanager
def postgres_database() -> Iterator[str]:
    """The address of a database of its own on a real PostgreSQL, migrated."""
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
    """The address of a database of this test run on a real PostgreSQL."""
    with postgres_database() as url:
        yield url


# Of tables with a few rows DELETE is done ten times sooner than TRUNCATE, which makes new files.
EMPTY = "; ".join(
    [f"DELETE FROM {table.name}" for table in reversed(metadata.sorted_tables)]
    + ["SELECT setval(sequencename::regclass, 1, false) FROM pg_sequences"]
)


@pytest.fixture(scope="session")
def emptying(postgres_server):
    """The database of this test run, to be emptied: a connection for each time would cost more."""
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


class Watch:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.time = 1_000_000.0

    def __call__(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds


@pytest.fixture
def watch():
    return Watch()


class Here:
    """Who is at the tables, as a test says; None: nobody knows."""

    players = None

    def __call__(self, code: str):
        return self.players


@pytest.fixture
def lots():
    """What is drawn for the tables of a test: the same in every run."""
    return ChosenLots(seed=numbered_seeds())


@pytest.fixture
def open_tables(watch, lots):
    """A function that opens the table service on a store: twice is as good as a restart."""
    databases = []

    def opened(url: str, **more) -> Tables:
        databases.append(prepared(Database(url, SECRET)))
        return Tables(databases[-1], **{"now": watch, "here": Here(), "lots": lots, **more})

    yield opened
    for database in databases:
        database.close()


@pytest.fixture
def tables(open_tables, store_url):
    return open_tables(store_url)


@pytest.fixture(scope="session")
def one_app(migrated_sqlite):
    """The application: made once, since compiling all templates takes a while."""
    app = application(f"sqlite:///{migrated_sqlite}")
    yield app
    close(app)


@pytest.fixture
def app(one_app, sqlite_url, watch, lots):
    with served(one_app, sqlite_url, now=watch, lots=lots):
        yield one_app


@pytest.fixture
def service(app):
    return app.config["TABLES"]
