"""The links in the header of pages that are not a table."""

import re

import pytest

from kaboom.accounts import current


def header(person, path):
    return re.search(r"<header class=\"top\">.*?</header>", person.client.get(path).text, re.S)[0]


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("/learn", '<a href="/learn" aria-current="page">'),
        ("/learn/gops", '<a href="/learn" aria-current="true">'),
        ("/settings", 'href="/settings" aria-current="page">'),
        ("/login", 'href="/login" aria-current="page">'),
    ],
)
def test_page_is_marked_in_the_header(browser, path, marked):
    found = header(browser(), path)
    assert marked in found and found.count("aria-current") == 1


def test_header_leads_to_ones_own_page_or_to_signing_in(browser):
    ann = browser()
    assert ">Sign in</a>" in header(ann, "/puzzles")
    ann.client.post("/tables", data={"game": "gops", "name": "Ann"})
    found = header(ann, "/puzzles")
    assert 'href="/account"' in found and "Ann</b>" in found and "Sign in" not in found


def test_header_has_no_name_while_none_can_be_read(browser, monkeypatch):
    ann = browser()
    ann.client.post("/tables", data={"game": "gops", "name": "Ann"})
    monkeypatch.setattr(current.players, "known", lambda *_: 1 / 0)
    assert "Ann" not in header(ann, "/rules/gops")
