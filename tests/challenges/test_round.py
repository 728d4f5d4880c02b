"""Comparing a tournament round on shared cards, by programs and in browsers."""

import re

import pytest

from kaboom.engine.moves import Move
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.rules.events import Format
from tests.support import tournaments
from tests.support.finished_matches import finish
from tests.support.tournaments import FOUR, all_ready, pods, settled


@pytest.fixture
def cup(service):
    """Return a round of two tables with the same cards, dealt: the code, and the tables."""
    code, _people = tournaments.begun(service, *FOUR, format=Format.SWISS, duplicate=True)
    all_ready(service, code, ())
    settled(service, code)
    return code, [table for _unused, table, _state in pods(service, code)]


def bid(service, table, place):
    """Let the first seat bid its lowest (0) or highest (-1) card, and end the match."""
    card = service.get(table).prompts[0].offer("bid").options[place]
    service.change(table, lambda it: it.play(Move(0, "bid", (card,)), "1"))
    finish(service, table)


def test_round_is_compared_once_all_tables_have_played(app, service, cup, monkeypatch):
    code, (one, two) = cup
    occupant = service.get(one).table.occupant(0)
    monkeypatch.setattr("kaboom.challenges.round_routes.me", lambda: (occupant.player, ""))
    client, at = app.test_client(), f"/tournaments/{code}/round/1/compare"
    bid(service, one, 0)
    record = service.get(one).table.record
    page = client.get(at).get_data(as_text=True)
    assert "Other tables are still playing these cards" in page and record not in page
    found = client.get(f"{at}.json").json
    assert (found["open"], found["lines"]) == (True, [])
    bid(service, two, -1)
    settled(service, code)
    assert get_tournament(service, code).of.rounds[0].waves[0].closed
    found = client.get(f"{at}.json").json
    assert [it["mine"] for it in found["lines"]].count(True) == 1 and len(found["lines"]) == 2
    (other,) = [it for it in found["lines"] if not it["mine"]]
    assert other["compared"] and other["parted"][0] == 1
    page = client.get(at).get_data(as_text=True)
    assert (
        "You decided differently at decision 1." in page and len(re.findall("continued", page)) >= 2
    )
    assert client.get(f"{at}.txt").get_data(as_text=True).count("place") == 2


def test_player_who_did_not_play_cannot_compare(app, service, cup):
    code, tables = cup
    for table in tables:
        bid(service, table, 0)
    settled(service, code)
    page = app.test_client().get(f"/tournaments/{code}/round/1/compare")
    assert "You have not played this round" in page.get_data(as_text=True)
    for bad in ("0", "9"):
        answer = app.test_client().get(f"/tournaments/{code}/round/{bad}/compare")
        assert answer.status_code == 404
