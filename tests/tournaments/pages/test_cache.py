"""Standings and brackets are computed once per version, for all viewers and formats."""

from types import SimpleNamespace

import pytest

from kaboom.tournaments import organizer, pages, results_routes
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.rules.events import Format
from tests.support.tournaments import all_ready, ended, opened, settled
from tests.tournaments.pages.test_routes import press

LANGUAGES = ("en", "sw", "fr")
VOICES = ("", ".json", ".txt", "/view", "/standings", "/standings?page=0", "/standings?find=me")
DRAWN = ("/bracket", "/bracket.svg", "/bracket.svg?look=dark")


def counting(monkeypatch, where, name):
    """Count the calls of a function; return the list of their arguments."""
    old, calls = getattr(where, name), []
    monkeypatch.setattr(where, name, lambda of, *more: calls.append(of.seq) or old(of, *more))
    return calls


@pytest.mark.slow
@pytest.mark.parametrize("format", [Format.SWISS, Format.KNOCKOUT, Format.LEAGUE])
def test_pages_are_cached_per_version_format_and_language(service, browser, monkeypatch, format):
    ann = browser()
    code, ids = opened(service, "Ben", bots=2, format=format, rounds=1)
    ann.open(f"/tournaments/{code}")
    press(ann, "enter", name="Ann")  # otherwise “Show my place” finds no player
    organizer.begin(service, code, ids[0])
    lines = counting(monkeypatch, pages, "standings")
    pictures = counting(monkeypatch, pages, "picture")
    met = counting(monkeypatch, results_routes.pairing, "meetings")
    paths = VOICES + (DRAWN if format == Format.KNOCKOUT else ())
    versions = []
    while True:
        versions.append(settled(service, code).of.seq)
        for language in LANGUAGES * 2:
            for path in paths:
                answer = ann.client.get(
                    f"/tournaments/{code}{path}", headers={"Accept-Language": language}
                )
                assert answer.status_code in (200, 204), path
        if get_tournament(service, code).of.ended:
            break
        all_ready(service, code)
        ended(service, code)
    assert get_tournament(service, code).of.over and len(versions) > 1
    assert lines == versions
    assert pictures == (versions if format == Format.KNOCKOUT else [])
    assert met == (versions if format == Format.LEAGUE else [])


def test_standings_cache_evicts_the_least_recently_used(app, monkeypatch):
    monkeypatch.setattr(pages, "COMPUTED", 2)
    computed = []

    def look(number, seq):
        seen = SimpleNamespace(
            row=SimpleNamespace(id=number, names=1), code="CODE", of=SimpleNamespace(seq=seq)
        )
        return pages.computed_once(seen, "it", lambda: computed.append((number, seq)) or seq)

    with app.app_context():
        app.extensions["kaboom.computed"].clear()
        for number, seq in ((1, 1), (2, 1), (1, 1), (1, 2), (3, 1), (1, 2), (3, 1), (2, 1)):
            assert look(number, seq) == seq
        app.extensions["kaboom.computed"].clear()
    assert computed == [(1, 1), (2, 1), (1, 2), (3, 1), (2, 1)]
