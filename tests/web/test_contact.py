"""The contact: the host's setting is in each page's footer and in security.txt."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from kaboom.config import from_environment


@pytest.fixture
def contact(app, monkeypatch):
    """A function that configures a contact."""

    def given(text):
        settings = replace(app.config["SERVER"], contact=text)
        monkeypatch.setitem(app.config, "SERVER", settings)
        return app.test_client()

    return given


@pytest.mark.parametrize(
    ("setting", "address"),
    [
        ("ann@example.org", "mailto:ann@example.org"),
        ("mailto:ann@example.org", "mailto:ann@example.org"),
        ("https://example.org/contact", "https://example.org/contact"),
        ("", ""),
    ],
)
def test_contact_may_be_an_email_address_or_a_url(setting, address):
    assert from_environment({"CONTACT": setting}).contact == address


def test_contact_is_in_the_footer_and_in_security_txt(contact):
    client = contact("mailto:ann@example.org")
    assert '<a href="mailto:ann@example.org">' in client.get("/").text
    lines = client.get("/.well-known/security.txt").text.splitlines()
    assert lines[0] == "Contact: mailto:ann@example.org"
    until = datetime.fromisoformat(lines[1].removeprefix("Expires: "))
    assert timedelta(days=1) < until - datetime.now(UTC) < timedelta(days=366)


def test_footer_has_no_contact_link_if_none_is_configured(contact):
    client = contact("")
    assert "Contact the host" not in client.get("/").text
    assert client.get("/.well-known/security.txt").status_code == 404
