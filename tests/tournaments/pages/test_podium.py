"""The podium of a tournament: only players with points, places shared and units."""

import pytest

from kaboom.tournaments import organizer
from kaboom.tournaments.changes import GRACE, get_tournament
from kaboom.tournaments.pages import best_lines
from kaboom.tournaments.rules.events import Format, Ruling, Verb
from tests.support.tournaments import FOUR, all_ready, begun, played, settled


@pytest.fixture
def podium(app, service):
    def best(code):
        with app.test_request_context():
            return [
                (it.place, it.name, it.points, it.shared)
                for it in best_lines(get_tournament(service, code))
            ]

    return best


def test_podium_leaves_out_players_without_points(service, podium, fake_clock):
    code, ids = begun(service, *FOUR, format=Format.SWISS, rounds=1)
    all_ready(service, code, missing=set(ids[1:]))
    fake_clock.sleep(GRACE)
    settled(service, code)
    played(service, code)
    assert [it[1] for it in podium(code)] == ["Ann"]


def test_podium_names_units_and_shared_places(service, podium):
    code, _ids = begun(service, *FOUR, format=Format.SWISS, rounds=1)
    played(service, code, strength=lambda entrant: 0)
    assert sorted(podium(code)) == [(1, name, "0.5 points", True) for name in FOUR]


def test_tournament_ended_before_any_result_has_no_podium(service, podium):
    code, (ann, *_) = begun(service, *FOUR)
    organizer.rule(service, code, ann, Ruling(Verb.END, "rain"))
    assert podium(code) == []


def test_tournament_that_no_one_came_to_has_no_places(service, app, podium, fake_clock):
    code, ids = begun(service, *FOUR)
    all_ready(service, code, missing=set(ids))
    fake_clock.sleep(GRACE)
    settled(service, code)
    client = app.test_client()
    page = client.get(f"/tournaments/{code}").text
    assert "There is no winner." in page and podium(code) == []
    assert "place p1" not in page and page.count('<small class="out">absent</small>') == 4
    assert page.count('<p class="gone">') == 4  # in the bracket
    assert "first at table" not in page
    assert client.get(f"/tournaments/{code}/bracket.svg").text.count("line-through") == 4
    assert client.get(f"/tournaments/{code}.txt").text.count("absent") == 4
