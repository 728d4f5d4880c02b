"""A host with a browser."""

import pytest

from kaboom.admin import service as admin


@pytest.fixture
def hal(browser, service):
    """The browser of a host."""
    found = browser()
    found.open(f"/host/login/{admin.new_link(service)}")
    found.send(found.page.form("/" + found.page.forms[0].action.rsplit("/", 1)[1]), name="Hal")
    return found
