"""Fixtures with real Chromium and a real server; any page error fails the test."""

import atexit
from contextlib import ExitStack, contextmanager
from functools import cache

import pytest

from kaboom.db.migrate import upgrade
from tests.browser.chromium import Person, executable, launch
from tests.browser.stage import Stage, all_ready
from tests.conftest import folder_in_memory, missing
from tests.support.effort import PATIENCE
from tests.support.server import Server


@pytest.fixture(scope="session")
def chromium():
    """A running Chromium; each person gets a separate context in it."""
    try:
        from playwright.sync_api import expect, sync_playwright
    except ImportError:
        missing("playwright (requirements-dev.txt)")
    if not executable():
        missing("Chromium (Debian's package, or its path in CHROMIUM)")
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        yield browser
        browser.close()


@contextmanager
def started(**settings):
    """A running server with its own database."""
    with folder_in_memory() as folder:
        url = f"sqlite:///{folder / 'kaboom.sqlite3'}"
        upgrade(url)
        server = Server(url, BOT_PACE="instant", **settings).start()
        yield server
        server.kill()


@cache
def the_server():
    """The server for all tests of this process, in any browser, because starting one takes long. It
    offers the pseudo-language on request, and runs until the process ends.
    """
    until_the_end = ExitStack()
    atexit.register(until_the_end.close)
    return until_the_end.enter_context(started(PSEUDO_LANGUAGE="1"))


@pytest.fixture(scope="session")
def server(chromium):
    """A server under gunicorn."""
    return the_server()


@pytest.fixture(scope="session")
def stage(server):
    """The server's tables, which tests play to a given moment."""
    stage = Stage(server.settings["DATABASE_URL"], server.port)
    yield stage
    stage.close()


@contextmanager
def own_stage():
    """The tables of a separate server."""
    with started() as server:
        stage = Stage(server.settings["DATABASE_URL"], server.port)
        yield stage
        stage.close()


def complaints(people):
    """Return the unexpected errors on the pages of these people."""
    return [said for visitor in people for said in visitor.unexpected]


@contextmanager
def visits(begin, end):
    """A function that starts a player's session and shows an address. At the end all sessions are
    closed, and no page may have had errors.
    """
    people = []

    def opened(path="", **more):
        visitor = begin(len(people), **more)
        people.append(visitor)
        if path:
            visitor.page.goto(path)
        return visitor

    yield opened
    unexpected = complaints(people)
    for visitor in people:
        end(visitor)
    assert not unexpected


@pytest.fixture
def person(chromium, server):
    """A function that opens a browser for a player. At the end no page may have had errors."""
    with visits(
        lambda number, **more: Person(chromium, server.url, **more), Person.close
    ) as opened:
        yield opened


@pytest.fixture(scope="session")
def shared(chromium, server):
    """A function that returns a browser shared by the tests of this process, with or without
    scripts or a touch screen. Opening a new one takes twice as long.
    """
    known = {}

    def browser(number, scripts=True, touch=False):
        which = number, scripts, touch
        if which not in known or known[which].page.is_closed():
            known[which] = Person(chromium, server.url, scripts=scripts, touch=touch)
        return known[which]

    yield browser
    for visitor in known.values():
        visitor.close()


@pytest.fixture
def guest(shared):
    """A function that opens a page for a player, like `person`, in a shared browser. The player
    looks and presses, but leaves clock, network and scripts unchanged.
    """

    def begin(number, key="", width=1280, height=800, dark=False, still=True, **kind):
        visitor = shared(number, **kind)
        visitor.begin_anew(key, width, height, dark, still)
        return visitor

    def end(visitor):
        if not visitor.page.is_closed():
            visitor.leave()

    with visits(begin, end) as opened:
        yield opened


@pytest.fixture
def onlooker(shared):
    """A function that shows an address to a player who changes nothing, always in the same shared
    browser. At the end no page may have had errors.
    """
    people, unexpected = {}, []

    def shown(path="", key="", width=1280, height=800, touch=False):
        if touch in people:
            unexpected.extend(people[touch].unexpected)
            people[touch].leave()
        visitor = people[touch] = shared("onlooker", touch=touch)
        visitor.begin_anew(key, width, height)
        if path:
            visitor.page.goto(path)
        return visitor

    yield shown
    unexpected += complaints(people.values())
    for visitor in people.values():
        visitor.leave()
    assert not unexpected


@pytest.fixture
def playing(stage):
    """Ann, Ben, Cid and Dot in the first turn of a match; Ann is on turn."""
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    all_ready(match)
    return match
