"""Bots on a phone: choosing their level with a finger, and asking for a hint."""

import re

import pytest
from playwright.sync_api import expect

PHONE = {"width": 360, "height": 740, "touch": True}


@pytest.mark.parametrize("scripts", [True, False])
def test_phone_player_faces_hard_bots_and_gets_a_hint(guest, scripts):
    ann = guest("/", scripts=scripts, **PHONE)
    page = ann.page
    page.get_by_label("How well the bots play").select_option(label="hard")
    page.get_by_role("button", name="GOPS").tap()
    expect(page.locator(".plate", has_text="hard")).to_be_visible()
    page.wait_for_load_state()  # its style sheets are loaded
    ask = page.get_by_role("button", name="Hint (what would you do?)", exact=True)
    place = ask.bounding_box()
    assert place["y"] + place["height"] <= 740, "it is out of view"
    ask.tap()
    hint = page.get_by_text("A hard bot says:")
    expect(hint).to_be_visible()
    # It keeps its place, so that a second press does not reach a move.
    expect(ask).to_be_disabled()
    assert ask.bounding_box()["width"] == place["width"]
    box = hint.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    card = re.search(r"Bid the (\w+ of \w+)", page.locator(".seen").inner_text())[1]
    page.locator(".my-cards label, .my-cards button", has_text=card).first.tap()
    page.get_by_role("button", name="Bid", exact=True).tap()
    expect(hint).to_have_count(0)


def test_on_a_phone_a_bot_of_each_level_is_added_to_a_table(guest):
    ann = guest("/start/kaboom", **PHONE)
    page = ann.page
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Start a table").tap()
    for level in ("easy", "normal", "hard"):
        page.get_by_role("button", name=f"Add a bot: {level}").tap()
        expect(page.locator(".chair", has_text=level)).to_have_count(1)
    expect(page.get_by_role("button", name="Add a bot")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
