"""Firefox and WebKitGTK with a real server; tests/browser uses Chromium."""

import shutil

import pytest

from tests.browser.conftest import the_server
from tests.browser.stage import Stage
from tests.browser_engines.desktop import Desktop
from tests.browser_engines.firefox import open_firefox
from tests.browser_engines.firefox import program as firefox
from tests.browser_engines.visitor import Visitor
from tests.browser_engines.webkit import MINI_BROWSER, open_webkit
from tests.conftest import missing

ENGINES = ("firefox", "webkit")


@pytest.fixture(scope="session")
def desktop():
    if not shutil.which("Xvfb"):
        missing("Xvfb (Debian's package)")
    shown = Desktop(1600, 1200)
    yield shown
    shown.close()


@pytest.fixture(scope="session")
def house():
    """A server under gunicorn."""
    return the_server()


@pytest.fixture(scope="session")
def stage(house):
    stage = Stage(house.settings["DATABASE_URL"], house.port)
    yield stage
    stage.close()


@pytest.fixture(scope="session")
def browsers(desktop, house):
    """A function that returns a player with a browser of an engine, the same at each call, because
    a browser takes longer to start than most tests take.
    """
    opened = {}

    def browser(engine):
        if engine not in opened:
            client = OPENING[engine](desktop)
            opened[engine] = Visitor(engine, client, house.url)
        return opened[engine]

    yield browser
    for visitor in opened.values():
        visitor.close()


def opened_firefox(desktop):
    pytest.importorskip("marionette_driver")
    if not firefox():
        missing("Firefox (Debian's firefox-esr)")
    return open_firefox(desktop)


def opened_webkit(desktop):
    pytest.importorskip("selenium")
    if not (shutil.which("WebKitWebDriver") and MINI_BROWSER):
        missing("WebKitGTK (Debian's webkit2gtk-driver)")
    return open_webkit(desktop)


OPENING = {"firefox": opened_firefox, "webkit": opened_webkit}


@pytest.fixture(params=ENGINES)
def visitor(request, browsers):
    """A player with a browser of each engine in turn."""
    return browsers(request.param)
