"""People at their browsers, without scripts."""

import secrets
import shutil
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from kaboom.web.limits import limiter
from tests.support.app import application, close
from tests.support.fake_ids import ChosenLots, numbered_seeds
from tests.support.forms import Browser
from tests.support.server import Server

BY_HTMX = {"HX-Request": "true"}  # headers of a request for a part of a page


@pytest.fixture
def browser(app):
    """A function that opens a new browser: another person, another machine."""
    return lambda: Browser(app.test_client())


@pytest.fixture
def waiting_lets_time_pass(app, service, watch, monkeypatch):
    """Whoever follows "wait for the next move" sees the next thing happen that is due."""

    def wait_until(code, changed, seconds, **_):
        for _ in range(600):
            if changed():
                return
            watch.sleep(1)
            service.lapse(code)

    monkeypatch.setattr(app.extensions["kaboom.hub"], "wait_until", wait_until)


OPENING = {}  # the form that opens a table, of each game: the same in every test


@pytest.fixture
def table(browser):
    """A function: these people sit at a new table and begin; their browsers show it.

    They look at it when all is done. By what pages one gets there other tests see.
    """

    def sent(person, path, fields):
        answer = person.client.post(path, data={"cmd": secrets.token_urlsafe(16), **fields})
        assert answer.status_code == 303, answer.text
        return urlsplit(answer.location).path

    def sat(*names, game="kaboom", ready=True, **options):
        people = [browser() for _ in names]
        host, *others = people
        if game not in OPENING:
            OPENING[game] = host.open(f"/start/{game}").form("/tables")
        filled = OPENING[game].filled(("", "", ""), name=names[0], **options)
        fields = {key: value for key, value in filled if key not in ("", "cmd")}
        path = sent(host, "/tables", fields)
        for person, name in zip(others, names[1:], strict=True):
            sent(person, f"{path}/sit", {"name": name})
        if ready:
            for person in others:
                sent(person, f"{path}/ready", {})
            sent(host, f"{path}/start", {})
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


def settle(browser, **chosen):
    """Choose something in the settings, and come back to the page one was on."""
    links = [link for link, _ in browser.page.links if link.startswith("/settings")]
    browser.open(links[0] if links else "/settings")
    return browser.send(browser.page.form("/settings"), **chosen)


def to_lift(browser, verb):
    """Return the form of the cards of which one is lifted for such a move, None without one."""
    forms = (form for form, _ in browser.page.moves())
    return next((form for form in forms if f" {verb}" in form.hidden.get("offer", "")), None)


@pytest.fixture
def lots():
    """Who presses at random takes the same way in every run."""
    return ChosenLots(seed=numbered_seeds(), cut=lambda: "cut")


@contextmanager
def limiting(database_url, **settings):
    """An application with its limits, which other tests do without. All share one limiter, so the
    one without limits was made before.
    """
    kept = dict(vars(limiter))
    app = application(database_url, rate_limits=True, **settings)
    try:
        yield app
    finally:
        close(app)
        vars(limiter).clear()
        vars(limiter).update(kept)


@pytest.fixture
def limited(one_app, sqlite_url):
    """The application with its limits, which other tests do without."""
    with limiting(sqlite_url) as app:
        yield app


@pytest.fixture(scope="module")
def real(migrated_sqlite, tmp_path_factory):
    """A server of its own, under gunicorn, for the tests of a file."""
    file = tmp_path_factory.mktemp("real") / "kaboom.sqlite3"
    shutil.copy(migrated_sqlite, file)
    server = Server(f"sqlite:///{file}").start()
    yield server
    server.kill()
