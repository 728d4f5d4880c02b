"""A deal is seen to be dealt: once, quickly, and not where motion is unwanted."""

import pytest
from playwright.sync_api import expect

from tests.browser.stage import all_ready
from tests.browser.test_looks import slowly

DEALING = """() => document.getAnimations().filter(it => it.animationName === "arrive"
    && it.effect.target.closest(".own")).map(it => [
  getComputedStyle(it.effect.target).getPropertyValue("--from"),
  it.effect.getComputedTiming().endTime])"""
GAMES = {"kaboom": 4, "gops": 2, "taken": 3, "karata": 3, "hearts": 4}


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_of_a_deal_come_from_the_middle_once(stage, person, game):
    names = ("Ann", "Ben", "Cid", "Dot")[: GAMES[game]]
    match = stage.begun(*names, game=game)
    ann = person(key=match.keys[0], still=False).page
    slowly(ann)  # so that it still goes on when it is looked at
    ann.goto(match.path)
    found = ann.evaluate(DEALING)
    assert len(found) >= 4
    assert all(start.strip() == "0 -30vh" and end <= 300 for start, end in found)
    ann.reload()
    assert ann.evaluate(DEALING) == []
    assert ann.locator("#table.dealt").count() == 0


def test_nothing_is_dealt_for_who_wants_no_motion(stage, person):
    match = stage.begun("Ann", "Ben", game="gops")
    ann = person(match.path, key=match.keys[0]).page
    assert ann.locator("#table.dealt").count() == 1
    assert ann.evaluate(DEALING) == []


def test_a_deal_that_comes_while_one_looks_is_dealt_and_none_in_the_middle(stage, person):
    match = stage.opened("Ann", "Ben", "Cid")
    ann = person(match.path, key=match.keys[0], still=False).page
    expect(ann.locator("#room-n")).to_have_count(1)
    ann.wait_for_timeout(300)
    match.post(0, "start")
    expect(ann.locator("#table.dealt")).to_have_count(1)
    all_ready(match)
    expect(ann.locator("#ver")).to_have_value(str(match.revision(0)))
    assert ann.locator("#table.dealt").count() == 0
    late = person(match.path, key=match.keys[1], still=False).page
    assert late.evaluate(DEALING) == []


def test_who_only_watches_is_left_no_trace_of_it(stage, person):
    match = stage.begun("Ann", "Ben", game="gops")
    eve = person(match.path)
    assert not [it for it in eve.context.cookies() if "dealt" in it["name"]]
