"""People with browsers that run no scripts."""

import re
import secrets
import shutil
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from kaboom.accounts import player_queries
from kaboom.db.encryption import hash_of
from kaboom.social.friends import service as friends
from kaboom.web.rate_limits import limiter
from tests.support.app import application, close
from tests.support.fake_ids import FakeIds, sequential_seeds
from tests.support.forms import Browser
from tests.support.server import Server

BY_HTMX = {"HX-Request": "true"}  # headers of a request for a part of a page


@pytest.fixture
def browser(app):
    """A function that opens a new browser, as another person on another machine."""
    return lambda: Browser(app.test_client())


@pytest.fixture
def waiting_lets_time_pass(app, service, fake_clock, monkeypatch):
    """A player who follows "wait for the next move" sees the next due event."""

    def wait_until(code, changed, seconds, **_):
        for _ in range(600):
            if changed():
                return
            fake_clock.sleep(1)
            service.run_due(code)

    monkeypatch.setattr(app.extensions["kaboom.hub"], "wait_until", wait_until)


OPENING = {}  # each game's form that opens a table, read once


@pytest.fixture
def table(browser):
    """A function that seats these people at a new table and starts; their browsers show it.

    They load the page at the end. Other tests cover the pages on the way.
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


def table_of(person):
    """Return the code of the table that a player's page shows."""
    found = re.search(r'action="/t/(\w+)/|"/t/(\w+)/leave', person.html)
    return found[1] or found[2]


def befriend(service, one, other):
    """Make two people friends."""
    hashes = [hash_of(person.client.get_cookie("kb").value) for person in (one, other)]
    other_id = service.database.read(lambda c: player_queries.player(c, hashes[1]))[0]
    friends.take_link(service, friends.new_link(service, hashes[0]), other_id)


def settle(browser, **chosen):
    """Choose something in the settings, and return to the previous page."""
    links = [link for link, _ in browser.page.links if link.partition("?")[0] == "/settings"]
    browser.open(links[0] if links else "/settings")
    form = browser.page.form("/settings")
    browser.send(form, **chosen)
    return browser.open(form.hidden["next"])


def to_lift(browser, verb):
    """Return the form in which one card is lifted for this move, or None."""
    forms = (form for form, _ in browser.page.moves())
    return next((form for form in forms if f" {verb}" in form.hidden.get("offer", "")), None)


@pytest.fixture
def fake_ids():
    """Random choices are the same in every run."""
    return FakeIds(seed=sequential_seeds(), cut=lambda: "cut")


@contextmanager
def limiting(database_url, **settings):
    """An application with its limits, which other tests turn off. Both share one limiter, so the
    one without limits was created first.
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
    """The application with its limits, which other tests turn off."""
    with limiting(sqlite_url) as app:
        yield app


@pytest.fixture(scope="module")
def real(migrated_sqlite, tmp_path_factory):
    """A gunicorn server for the tests of a file."""
    file = tmp_path_factory.mktemp("real") / "kaboom.sqlite3"
    shutil.copy(migrated_sqlite, file)
    server = Server(f"sqlite:///{file}").start()
    yield server
    server.kill()
