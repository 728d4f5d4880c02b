"""Real Chromium in front of a real server; whatever a page complains about fails the test."""

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
    """A running Chromium; each person gets a context of their own in it."""
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
    """A running server on a database of its own."""
    with folder_in_memory() as folder:
        url = f"sqlite:///{folder / 'kaboom.sqlite3'}"
        upgrade(url)
        server = Server(url, BOT_PACE="instant", **settings).start()
        yield server
        server.kill()


@cache
def the_server():
    """The server for all tests of this process, in whatever browser: to start one takes long. It
    speaks the pseudo-language to who asks for it, and runs until the process ends.
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
    """The server's tables, to bring them to the moment a test is about."""
    stage = Stage(server.settings["DATABASE_URL"], server.port)
    yield stage
    stage.close()


@contextmanager
def own_stage():
    """The tables of a server of their own."""
    with started() as server:
        stage = Stage(server.settings["DATABASE_URL"], server.port)
        yield stage
        stage.close()


def complaints(people):
    """Return what pages of these people have complained of, though nobody expected it."""
    return [said for somebody in people for said in somebody.unexpected]


@contextmanager
def visits(begin, end):
    """A function that lets somebody begin and shows them an address. Everybody ends, and nobody's
    page has complained.
    """
    people = []

    def opened(path="", **more):
        somebody = begin(len(people), **more)
        people.append(somebody)
        if path:
            somebody.page.goto(path)
        return somebody

    yield opened
    unexpected = complaints(people)
    for somebody in people:
        end(somebody)
    assert not unexpected


@pytest.fixture
def person(chromium, server):
    """A function that opens a browser for somebody. At the end nobody's page has complained."""
    with visits(
        lambda number, **more: Person(chromium, server.url, **more), Person.close
    ) as opened:
        yield opened


@pytest.fixture(scope="session")
def shared(chromium, server):
    """A function: the browser of so many that tests of this process share, with or without scripts
    or a touch screen. A new one takes twice as long as one that is there.
    """
    known = {}

    def browser(number, scripts=True, touch=False):
        which = number, scripts, touch
        if which not in known or known[which].page.is_closed():
            known[which] = Person(chromium, server.url, scripts=scripts, touch=touch)
        return known[which]

    yield browser
    for somebody in known.values():
        somebody.close()


@pytest.fixture
def guest(shared):
    """A function that opens a page for somebody, as `person` does, in a browser that others have
    used before: for whoever looks and presses, but leaves clock, network and scripts as they are.
    """

    def begin(number, key="", width=1280, height=800, dark=False, still=True, **kind):
        somebody = shared(number, **kind)
        somebody.begin_anew(key, width, height, dark, still)
        return somebody

    def end(somebody):
        if not somebody.page.is_closed():
            somebody.leave()

    with visits(begin, end) as opened:
        yield opened


@pytest.fixture
def onlooker(shared):
    """A function that shows an address to somebody who changes nothing: each to the same one, in a
    browser that all tests share. At the end no page has complained.
    """
    people, unexpected = {}, []

    def shown(path="", key="", width=1280, height=800, touch=False):
        if touch in people:
            unexpected.extend(people[touch].unexpected)
            people[touch].leave()
        somebody = people[touch] = shared("onlooker", touch=touch)
        somebody.begin_anew(key, width, height)
        if path:
            somebody.page.goto(path)
        return somebody

    yield shown
    unexpected += complaints(people.values())
    for somebody in people.values():
        somebody.leave()
    assert not unexpected


@pytest.fixture
def playing(stage):
    """Ann, Ben, Cid and Dot in the first turn of a match; Ann is on turn."""
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    all_ready(match)
    return match
