"""How many enter a tournament, how many tournaments one runs, and which ones the lobby shows."""

from dataclasses import replace

import pytest
from msgspec import structs

from kaboom.errors import InvalidState
from kaboom.social.clubs import service as clubs
from kaboom.tournaments import organizer
from kaboom.tournaments import service as commands
from kaboom.tournaments.changes import look
from kaboom.tournaments.rules import rounds
from kaboom.tournaments.rules.events import Format, Ruling, Verb
from tests.support.tournaments import opened, players, settings
from tests.tournaments.pages.test_routes import press


def listing(app, monkeypatch):
    server = replace(app.config["SERVER"], tournaments_listed=True)
    monkeypatch.setitem(app.config, "SERVER", server)


def test_the_lobby_shows_what_organisers_list_where_the_host_of_the_server_lets_them(
    app, browser, service, monkeypatch
):
    """It shows none as long as `TOURNAMENTS_LISTED` is not set, and none of a club ever."""
    ann, eve = browser(), browser()
    form = {"game": "gops", "who": "Ann", "size": "2", "listed": "1"}
    ann.open("/e/new?game=gops")
    assert "listed" not in dict(ann.page.form("/e").filled(("", "", "")))
    ann.client.post("/e", data={**form, "name": "Before"})
    listing(app, monkeypatch)
    (ben,) = players(service, "Ben")
    club = clubs.found(service, ben, "The Gulls", "Ben")
    commands.open(service, ben, structs.replace(settings(club=club), name="Of a club"), listed=True)
    ann.client.post("/e", data={**form, "name": "Shown"})
    ann.client.post("/e", data={**form, "name": "Private", "listed": "0"})
    shown = eve.open("/e").text
    assert "Shown" in shown
    assert not any(name in shown for name in ("Before", "Of a club", "Private"))


def test_the_first_ones_play_the_next_ones_wait_and_then_it_is_full(browser, service):
    code, ids = opened(service, "Ann", "Ben", "Cleo", format=Format.SWISS, most=2)
    dan, eve = browser(), browser()
    for person in (dan, eve):
        person.open(f"/e/{code}")
    press(dan, "enter", name="Dan")
    assert "You are on the waiting list." in dan.page.text
    answer = eve.client.post(f"/e/{code}", data={"do": "enter", "name": "Eve"})
    assert answer.status_code == 422
    assert "This tournament is full, and so is its waiting list." in answer.text
    assert len(look(service, code).entrants) == 4
    commands.leave(service, code, ids[0])
    assert rounds.entered(look(service, code).of) == [2, 3]
    organizer.begin(service, code, ids[0])
    late = eve.client.post(f"/e/{code}", data={"do": "enter", "name": "Eve"})
    assert late.status_code == 422 and "This tournament is full." in late.text


def test_one_runs_ten_at_the_same_time_and_another_when_one_has_ended(browser, service):
    ids = players(service, "Ann")
    codes = [commands.open(service, ids[0], settings()) for _ in range(commands.MOST_RUN)]
    with pytest.raises(InvalidState, match="You run many tournaments already"):
        commands.open(service, ids[0], settings())
    organizer.rule(service, codes[0], ids[0], Ruling(Verb.END, "rain"))
    assert commands.open(service, ids[0], settings())
