"""The links in the header of pages that are not a table."""

import re

import pytest

from kaboom.accounts import current
from kaboom.games import GAMES


def header(person, path):
    return re.search(r"<header class=\"top\">.*?</header>", person.client.get(path).text, re.S)[0]


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("/learn", '<a href="/learn" aria-current="page">'),
        ("/learn/gops", '<a href="/learn" aria-current="true">'),
        ("/settings", 'href="/settings" aria-current="page">'),
        ("/login", 'href="/login" aria-current="page">'),
        ("/rules", '<a href="/rules" aria-current="page">'),
        ("/rules/gops", '<a href="/rules" aria-current="true">'),
    ],
)
def test_current_page_is_marked_in_the_header(browser, path, marked):
    found = header(browser(), path)
    assert marked in found and found.count("aria-current") == 1


def test_header_links_to_the_players_page_or_to_sign_in(browser):
    ann = browser()
    assert ">Sign in</a>" in header(ann, "/puzzles")
    ann.client.post("/tables", data={"game": "gops", "name": "Ann"})
    found = header(ann, "/puzzles")
    assert 'href="/account"' in found and "Ann</b>" in found and "Sign in" not in found


def test_header_omits_the_name_if_it_cannot_be_loaded(browser, monkeypatch):
    ann = browser()
    ann.client.post("/tables", data={"game": "gops", "name": "Ann"})
    monkeypatch.setattr(current.players, "known", lambda *_: 1 / 0)
    assert "Ann" not in header(ann, "/rules/gops")


@pytest.mark.parametrize("path", ["/friends", "/feed", "/statistics", "/settings/devices"])
def test_players_pages_mark_their_name_in_the_header(browser, path):
    ann = browser()
    ann.client.post("/tables", data={"game": "gops", "name": "Ann"})
    found = header(ann, path)
    assert '<a class="self" href="/account" aria-current="true">' in found
    assert found.count("aria-current") == 1


def test_rules_index_links_to_the_rules_of_every_game(browser):
    text = browser().client.get("/rules").text
    assert text.count("<h1>Rules</h1>") == 1
    for key, game in GAMES.items():
        assert re.search(rf'<li><a href="/rules/{key}">.*?<b>{game.name}</b>', text)


def test_every_page_with_a_header_menu_loads_its_sheet(browser, one_app):
    ann = browser()
    ann.client.post("/tables", data={"game": "gops", "name": "Ann"})
    pages = [
        rule.rule
        for rule in one_app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.arguments and "." not in rule.rule
    ]
    pages += [f"/{room}/{key}" for room in ("rules", "learn", "puzzles", "start") for key in GAMES]
    seen = 0
    for path in pages:
        answer = ann.client.get(path)
        if 'class="ways-on"' in answer.text:
            seen += 1
            assert "/static/web/site.css" in answer.text, path
    assert seen > 40
