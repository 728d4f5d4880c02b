"""Whom to write to: what a host says is at the foot of each page and in security.txt."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from kaboom.config import from_environment


@pytest.fixture
def contact(app, monkeypatch):
    """A function that lets the server have a contact."""

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
def test_a_mail_address_or_a_page_may_be_given(setting, address):
    assert from_environment({"CONTACT": setting}).contact == address


def test_the_contact_stands_at_the_foot_of_a_page_and_in_security_txt(contact):
    client = contact("mailto:ann@example.org")
    assert '<a href="mailto:ann@example.org">' in client.get("/").text
    lines = client.get("/.well-known/security.txt").text.splitlines()
    assert lines[0] == "Contact: mailto:ann@example.org"
    until = datetime.fromisoformat(lines[1].removeprefix("Expires: "))
    assert timedelta(days=1) < until - datetime.now(UTC) < timedelta(days=366)


def test_where_none_is_given_nothing_is_said(contact):
    client = contact("")
    assert "Write to the host" not in client.get("/").text
    assert client.get("/.well-known/security.txt").status_code == 404
