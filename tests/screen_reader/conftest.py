"""A screen reader in front of a real server."""

import pytest

from tests.browser.conftest import own_stage
from tests.conftest import missing
from tests.screen_reader.reader import Reader, missing_programs


@pytest.fixture(scope="session")
def reader():
    """Orca with Firefox: programs that are not here are named."""
    pytest.importorskip("marionette_driver")
    if lacking := missing_programs():
        missing(f"for the screen reader: {', '.join(lacking)}")
    listening = Reader()
    yield listening
    listening.close()


@pytest.fixture(scope="session")
def stage():
    """The tables of a server of its own."""
    with own_stage() as stage:
        yield stage
