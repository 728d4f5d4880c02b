"""Firefox and WebKitGTK in front of a real server; Chromium has tests/browser."""

import shutil

import pytest

from tests.browser.conftest import started
from tests.browser.stage import Stage
from tests.conftest import missing
from tests.engines.desktop import Desktop
from tests.engines.firefox import open_firefox
from tests.engines.firefox import program as firefox
from tests.engines.somebody import Somebody
from tests.engines.webkit import MINI_BROWSER, open_webkit

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
    """A server for all tests of this process."""
    with started() as server:
        yield server


@pytest.fixture(scope="session")
def stage(house):
    stage = Stage(house.settings["DATABASE_URL"], house.port)
    yield stage
    stage.close()


@pytest.fixture(scope="session", params=ENGINES)
def somebody(request, desktop, house):
    """Somebody with a browser of each engine in turn."""
    if request.param == "firefox":
        pytest.importorskip("marionette_driver")
        if not firefox():
            missing("Firefox (Debian's firefox-esr)")
        client = open_firefox(desktop)
    else:
        pytest.importorskip("selenium")
        if not (shutil.which("WebKitWebDriver") and MINI_BROWSER):
            missing("WebKitGTK (Debian's webkit2gtk-driver)")
        client = open_webkit(desktop)
    one = Somebody(request.param, client, house.url)
    yield one
    one.close()
