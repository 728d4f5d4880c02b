"""Fixtures with a screen reader and a real server."""

import pytest

from tests.browser.conftest import the_server
from tests.browser.stage import Stage
from tests.conftest import missing
from tests.screen_reader.reader import Reader, missing_programs
from tests.support.slow_network import Line


@pytest.fixture(scope="session")
def reader():
    """Orca with Firefox; missing programs are named."""
    pytest.importorskip("marionette_driver")
    if lacking := missing_programs():
        missing(f"for the screen reader: {', '.join(lacking)}")
    listening = Reader()
    yield listening
    listening.close()


@pytest.fixture(scope="session")
def house():
    """A server under gunicorn."""
    return the_server()


@pytest.fixture(scope="session")
def line(house):
    """The connection between the browser and the server, which can be cut."""
    with Line(house.port, speed=1e9, delay=0, loss=0) as line:
        yield line


@pytest.fixture(scope="session")
def stage(house, line):
    """The server's tables, accessed over that connection."""
    stage = Stage(house.settings["DATABASE_URL"], int(line.url.rpartition(":")[2]))
    yield stage
    stage.close()
