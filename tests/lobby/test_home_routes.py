"""The home page of somebody who has tables: those that wait for them come first."""

import re
import secrets
from types import SimpleNamespace

import pytest

from kaboom.accounts import player_queries
from kaboom.lobby import home_routes


def opened(ann, watch, **more):
    """Let Ann open a table of GOPS, a minute after the last one; return its code."""
    watch.sleep(60)
    fields = {"cmd": secrets.token_urlsafe(16), "game": "gops", "name": "Ann", **more}
    answer = ann.client.post("/tables", data=fields)
    return re.search(r"/t/(\w+)", answer.location)[1]


def shown(ann):
    """Return the codes of the tables on Ann's home page: those that are seen, and those folded."""
    panel = ann.client.get("/").text.partition('id="h-mine"')[2].partition("</section>")[0]
    seen, _, folded = panel.partition("<details")
    return [re.findall(r'/t/(\w+)"', part) for part in (seen, folded)]


def test_of_ones_tables_those_where_it_is_ones_turn_come_first_and_the_rest_is_folded(
    browser, watch
):
    ann = browser()
    begun = opened(ann, watch, bots="1", start="1")
    waiting = [opened(ann, watch) for _ in range(5)][::-1]
    assert shown(ann) == [[begun, *waiting[:2]], waiting[2:]]


def test_four_tables_are_all_shown(browser, watch):
    ann = browser()
    waiting = [opened(ann, watch) for _ in range(4)][::-1]
    assert shown(ann) == [waiting, []]


@pytest.mark.parametrize(
    ("place", "playing", "waited_for", "outcome"),
    [
        (0, True, True, None),
        (1, True, False, None),
        (1, True, None, None),
        (2, False, None, None),
        (3, False, None, "won"),
    ],
)
def test_first_comes_whose_turn_it_is_and_last_what_is_over(place, playing, waited_for, outcome):
    prompt = None if waited_for is None else SimpleNamespace(waited_for=waited_for)
    table = SimpleNamespace(playing=playing, outcome=outcome)
    assert home_routes._urgency(SimpleNamespace(prompt=lambda: prompt, table=table)) == place


def test_the_store_is_not_asked_who_a_stranger_is(browser, monkeypatch):
    """Who has no key is nobody there; many people look at a home page before they have one."""
    asked = []
    monkeypatch.setattr(player_queries, "player", lambda connection, key: asked.append(key))
    assert browser().client.get("/").status_code == 200
    assert asked == []
