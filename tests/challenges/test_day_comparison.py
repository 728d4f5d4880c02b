"""Comparing a daily deal, in browsers without scripts and by programs."""

import re

import pytest

from kaboom.daily import service as daily
from kaboom.engine.engine import random_move
from kaboom.engine.rng import Rng
from tests.daily.test_service import NOON, TODAY
from tests.support.api_clients import JSON
from tests.support.browsing import befriend
from tests.support.finished_matches import finish

AT = f"/daily/{TODAY.isoformat()}/compare"


@pytest.fixture
def promised(service, fake_clock):
    fake_clock.time = NOON
    daily.promise_ahead(service)


def plays(service, person, number):
    """Let a player play today's deal to its end, starting with one of their own moves."""
    person.open("/daily")
    person.press("Play today’s deal")
    code = re.search(r'"/t/(\w+)/', person.html)[1]
    seen = service.get(code)
    move = random_move(seen.game, seen.state, 0, Rng(bytes([number]) * 32, 0))
    if move is not None:
        service.change(code, lambda it: it.play(move, "1"))
    finish(service, code)
    return service.get(code).table.record


def test_only_finishers_of_a_daily_deal_can_compare_it(promised, browser, service):
    ann, ben, zoe = browser(), browser(), browser()
    cat = browser()
    records = [plays(service, person, number) for number, person in enumerate((ann, ben, cat))]
    befriend(service, ann, ben)
    for someone in (zoe, browser()):
        page = someone.open(AT)
        assert "First finish the deal yourself" in page.text
        assert not any(record in someone.html for record in records)
        assert someone.client.get(f"/m/{records[0]}").status_code == 404
    ben.open("/daily")
    assert AT in {link for link, text in ben.page.links if text == "Compare with others"}
    ben.open(AT)
    assert "Points of all players" in ben.page.text and "<svg" in ben.html
    assert records[0] in ben.html and records[1] in ben.html
    assert records[2] not in ben.html, "only the results of players who are not friends are shown"
    assert "Another player" in ben.page.text
    assert ben.client.get(f"/m/{records[0]}/3").status_code == 200
    assert "Others may still be playing" in ben.open(f"/m/{records[0]}/3?seat=1").text


def test_program_gets_the_daily_deal_comparison(promised, browser, service):
    ann, ben = browser(), browser()
    for number, person in enumerate((ann, ben)):
        plays(service, person, number)
    found = ann.client.get(f"{AT}.json", headers=JSON).json
    assert [line["mine"] for line in found["lines"]].count(True) == 1
    assert sum(bar["count"] for bar in found["bars"]) == 2
    assert any(bar["mine"] for bar in found["bars"])
    text = ann.client.get(f"{AT}.txt").get_data(as_text=True)
    assert text.count("place") == 2


def test_links_of_the_comparison_are_below_the_path_prefix(promised, browser):
    found = browser().client.get(f"{AT}.json", headers=JSON, base_url="http://localhost/cards").json
    assert {it.partition("/daily")[0] for it in found["links"].values()} == {"/cards"}


def test_comparison_of_an_unknown_day_is_not_found(promised, browser):
    for when in ("2020-01-01", "x", "2026-11-2", "20261125"):
        assert browser().client.get(f"/daily/{when}/compare").status_code == 404
