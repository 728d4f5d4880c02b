"""An application on a store of its own whose clock the test moves."""

import pytest

from kaboom.settings import ServerSettings
from kaboom.store.database import Database
from kaboom.web.app import create_app
from tests.web.forms import Browser


@pytest.fixture(scope="session")
def one_app(migrated_sqlite):
    """The application: made once, since compiling all templates takes a while."""
    app = create_app(ServerSettings(f"sqlite:///{migrated_sqlite}", rate_limits=False, clock=False))
    app.testing = True
    yield app
    app.extensions["kaboom.hub"].close()


@pytest.fixture
def app(one_app, sqlite_url, watch):
    tables = one_app.config["TABLES"]
    tables.database = Database(sqlite_url)
    tables.now = watch
    yield one_app
    tables.database.close()


@pytest.fixture
def service(app):
    return app.config["TABLES"]


@pytest.fixture
def browser(app):
    """A function that opens a new browser: another person, another machine."""
    return lambda: Browser(app.test_client())


@pytest.fixture
def table(browser):
    """A function: these people sit at a new table and begin; their browsers show it."""

    def sat(*names, game="kaboom", ready=True, **options):
        people = [browser() for _ in names]
        host = people[0]
        host.open(f"/start/{game}")
        host.send(host.page.form("/tables"), name=names[0], **options)
        assert host.status == 200, host.page.text
        path = table_path(host)
        for person, name in zip(people[1:], names[1:], strict=True):
            person.open(path)
            person.send(person.page.form("/sit"), name=name)
        if ready:
            for person in people[1:]:
                person.open(path)
                person.send(person.page.form("/ready"))
            host.open(path)
            host.send(host.page.form("/start"))
            for person in people:
                person.open(path)
        return path, people

    return sat


def table_path(browser):
    """Return the address of the table a browser shows."""
    for form in browser.page.forms:
        if form.action.startswith("/t/"):
            return "/".join(form.action.split("/")[:3])
    raise LookupError("this page shows no table")
