"""While a result is being shown, texts on the table refer to it."""

import pytest
from playwright.sync_api import expect

SEEN = "e => Number(getComputedStyle(e).opacity)"
SIZE = "e => parseFloat(getComputedStyle(e).fontSize)"


def test_bid_result_is_shown_before_the_next_prize(stage, guest):
    """The cards of the round stay for a moment. Until they are removed, the next prize is not
    mentioned."""
    match = stage.begun("Ann", "Ben", game="gops")
    page = guest(match.path, key=match.keys[0], still=False).page
    match.play(0, "bid 7S")
    match.play(1, "bid 5C")
    status, asked = page.locator("#status"), page.locator("#status .next")
    expect(status).to_contain_text("your 7 of Spades against the 5 of Clubs.")
    offered = page.locator(".duel h2")
    assert asked.evaluate(SEEN) == 0
    assert offered.evaluate(SEEN) == 0
    expect(asked).to_have_css("opacity", "1", timeout=4000)
    expect(offered).to_have_css("opacity", "1")
    expect(asked).to_contain_text("Your turn: bid a card for the ")


def test_result_without_scripts_is_shown_with_the_prompt(stage, guest):
    match = stage.begun("Ann", "Ben", game="gops")
    match.play(0, "bid 7S")
    match.play(1, "bid 5C")
    page = guest(match.path, key=match.keys[0], scripts=False, still=False).page
    expect(page.locator("#status")).to_contain_text("your 7 of Spades against the 5 of Clubs.")
    assert page.locator("#status .next").evaluate(SEEN) == 1
    assert page.locator(".duel h2").evaluate(SEEN) == 1


@pytest.mark.parametrize("game", ["gops", "taken"])
@pytest.mark.parametrize("width", [360, 1366])
def test_request_is_larger_than_the_result_once_that_has_been_shown(stage, guest, game, width):
    match = stage.begun("Ann", "Ben", game=game)
    while not match.view(0).facts.get("history" if game == "gops" else "reveal"):
        match.drift()
    page = guest(match.path, key=match.keys[0], still=False, width=width, height=740).page
    status, asked = page.locator("#status"), page.locator("#status .next")
    came = page.locator("#status .came")
    if asked.evaluate(SEEN) == 0:  # then it has the whole line
        assert came.evaluate(SIZE) == status.evaluate(SIZE)
        assert came.bounding_box()["width"] == status.bounding_box()["width"]
    expect(asked).to_have_css("opacity", "1", timeout=4000)
    assert came.evaluate(SIZE) < asked.evaluate(SIZE)
    assert came.bounding_box()["y"] > asked.bounding_box()["y"]
