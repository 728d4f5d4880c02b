"""Capacity: a tournament's entrants, an organiser's tournaments, and the lobby's list."""

from dataclasses import replace

import pytest
from msgspec import structs

from kaboom.accounts import current
from kaboom.errors import InvalidState
from kaboom.social.clubs import service as clubs
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.pages import champions
from kaboom.tournaments.rules import pairing
from kaboom.tournaments.rules.events import Format, Ruling, Verb
from tests.support.tournaments import all_ready, ended, opened, players, settings, settled
from tests.tournaments.pages.test_routes import press


def listing(app, monkeypatch):
    server = replace(app.config["SERVER"], tournaments_listed=True)
    monkeypatch.setitem(app.config, "SERVER", server)


def test_lobby_lists_tournaments_if_the_server_allows(app, browser, service, monkeypatch):
    """It lists none unless `TOURNAMENTS_LISTED` is set, and never those of clubs."""
    ann, eve = browser(), browser()
    form = {"game": "gops", "who": "Ann", "size": "2", "listed": "1"}
    ann.open("/tournaments/new?game=gops")
    assert "listed" not in dict(ann.page.form("/tournaments").filled(("", "", "")))
    ann.client.post("/tournaments", data={**form, "name": "Previous"})
    listing(app, monkeypatch)
    (ben,) = players(service, "Ben")
    club = clubs.found(service, ben, "The Gulls", "Ben")
    tournaments.open(
        service, ben, structs.replace(settings(club=club), name="Of a club"), listed=True
    )
    ann.client.post("/tournaments", data={**form, "name": "Shown"})
    ann.client.post("/tournaments", data={**form, "name": "Private", "listed": "0"})
    shown = eve.open("/tournaments").text
    assert "Shown" in shown
    assert not any(name in shown for name in ("Previous", "Of a club", "Private"))


def test_tournament_list_shows_a_bracket_help_and_past_winners(app, browser, service, monkeypatch):
    listing(app, monkeypatch)
    eve = browser()
    assert "How a tournament runs" in eve.open("/tournaments").text
    assert "Past winners" not in eve.page.text
    ids = players(service, "Ann", "Ben")
    wished = settings(format=Format.KNOCKOUT)
    code = tournaments.open(service, ids[0], wished, listed=True)
    for player, name in zip(ids, ("Ann", "Ben"), strict=True):
        tournaments.enter(service, code, player, name)
    organizer.begin(service, code, ids[0])
    settled(service, code)
    drawn = 'class="knockout columns pairs brief'
    assert drawn in eve.client.get("/tournaments").text
    all_ready(service, code)
    ended(service, code)
    seen = settled(service, code)
    with app.test_request_context():
        (winner,) = champions(seen)
    eve.open("/tournaments")
    assert f"Past winners {winner} {wished.name}" in " ".join(eve.page.text.split())
    assert drawn in eve.client.get("/tournaments").text
    monkeypatch.setattr(current, "key_hash", lambda: "key of Ann")
    own = " ".join(eve.open("/tournaments").text.split())
    assert f"{winner} has won." in own and "room for" not in own


def test_full_tournament_has_a_waiting_list_and_then_closes(browser, service):
    code, ids = opened(service, "Ann", "Ben", "Cleo", format=Format.SWISS, most=2)
    dan, eve = browser(), browser()
    for person in (dan, eve):
        person.open(f"/tournaments/{code}")
    press(dan, "enter", name="Dan")
    assert "You are on the waiting list." in dan.page.text
    answer = eve.client.post(f"/tournaments/{code}", data={"do": "enter", "name": "Eve"})
    assert answer.status_code == 422
    assert "This tournament is full, and so is its waiting list." in answer.text
    assert len(get_tournament(service, code).entrants) == 4
    tournaments.leave(service, code, ids[0])
    assert pairing.entered(get_tournament(service, code).of) == [2, 3]
    organizer.begin(service, code, ids[0])
    late = eve.client.post(f"/tournaments/{code}", data={"do": "enter", "name": "Eve"})
    assert late.status_code == 422 and "This tournament is full." in late.text


def test_organizer_runs_ten_at_a_time_and_another_when_one_ends(browser, service):
    ids = players(service, "Ann")
    codes = [tournaments.open(service, ids[0], settings()) for _ in range(tournaments.MOST_RUN)]
    with pytest.raises(
        InvalidState, match="You are already running the maximum number of tournaments"
    ):
        tournaments.open(service, ids[0], settings())
    organizer.rule(service, codes[0], ids[0], Ruling(Verb.END, "rain"))
    assert tournaments.open(service, ids[0], settings())
