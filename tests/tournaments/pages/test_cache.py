"""Standings and brackets are computed once a version of a tournament, whoever looks and however."""

from types import SimpleNamespace

import pytest

from kaboom.tournaments import organizer, results_routes
from kaboom.tournaments import pages as parts
from kaboom.tournaments.changes import look
from kaboom.tournaments.rules.events import Format
from tests.support.tournaments import all_ready, ended, opened, settled
from tests.tournaments.pages.test_routes import press

LANGUAGES = ("en", "sw", "fr")
VOICES = ("", ".json", ".txt", "/view", "/standings", "/standings?page=0", "/standings?find=me")
DRAWN = ("/bracket", "/bracket.svg", "/bracket.svg?look=dark")


def counting(monkeypatch, where, name):
    """Count how often a function is called; return the list of what it was called for."""
    old, calls = getattr(where, name), []
    monkeypatch.setattr(where, name, lambda of, *more: calls.append(of.seq) or old(of, *more))
    return calls


@pytest.mark.parametrize("format", [Format.SWISS, Format.KNOCKOUT, Format.LEAGUE])
def test_once_a_version_in_every_voice_and_language_and_after_the_end(
    service, browser, monkeypatch, format
):
    ann = browser()
    code, ids = opened(service, "Ben", bots=2, format=format, rounds=1)
    ann.open(f"/e/{code}")
    press(ann, "enter", name="Ann")  # else nobody is found by “Find me”
    organizer.begin(service, code, ids[0])
    lines = counting(monkeypatch, parts, "standings")
    pictures = counting(monkeypatch, results_routes, "picture")
    met = counting(monkeypatch, results_routes.course, "meetings")
    paths = VOICES + (DRAWN if format == Format.KNOCKOUT else ())
    versions = []
    while True:
        versions.append(settled(service, code).of.seq)
        for language in LANGUAGES * 2:
            for path in paths:
                answer = ann.client.get(f"/e/{code}{path}", headers={"Accept-Language": language})
                assert answer.status_code in (200, 204), path
        if look(service, code).of.ended:
            break
        all_ready(service, code)
        ended(service, code)
    assert look(service, code).of.over and len(versions) > 1
    assert lines == versions
    assert pictures == (versions if format == Format.KNOCKOUT else [])
    assert met == (versions if format == Format.LEAGUE else [])


def test_of_what_is_computed_the_tournaments_nobody_looked_at_for_longest_are_forgotten(
    app, monkeypatch
):
    monkeypatch.setattr(parts, "COMPUTED", 2)
    computed = []

    def look(number, seq):
        seen = SimpleNamespace(
            row=SimpleNamespace(id=number, names=1), code="CODE", of=SimpleNamespace(seq=seq)
        )
        return parts.computed_once(seen, "it", lambda: computed.append((number, seq)) or seq)

    with app.app_context():
        app.extensions["kaboom.computed"].clear()
        for number, seq in ((1, 1), (2, 1), (1, 1), (1, 2), (3, 1), (1, 2), (3, 1), (2, 1)):
            assert look(number, seq) == seq
        app.extensions["kaboom.computed"].clear()
    assert computed == [(1, 1), (2, 1), (1, 2), (3, 1), (2, 1)]
