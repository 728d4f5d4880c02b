"""Fixtures with text browsers and a real server; tests skip with a reason if one is missing."""

import pytest

from tests.browser.conftest import the_server
from tests.conftest import missing
from tests.text_browsers.terminal import BROWSERS


@pytest.fixture(scope="session")
def server():
    """A server whose bots move without delay."""
    return the_server()


@pytest.fixture
def browser(server, tmp_path):
    """A function that opens a text browser, by its name, at the home page. A different home folder
    means another person or device; `url` may name another server.
    """
    opened = []

    def at_home(name, home=tmp_path, url=""):
        kind = BROWSERS[name]
        if not kind.is_here():
            missing(f"{name} (Debian's package)")
        home.mkdir(exist_ok=True)
        opened.append(kind(str(home), url or server.url))
        return opened[-1]

    yield at_home
    for one in opened:
        one.close()
