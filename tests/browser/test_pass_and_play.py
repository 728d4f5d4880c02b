"""Several people share one browser, without scripts, and use the back button."""

import pytest
from playwright.sync_api import expect

from kaboom.engine.toolkit.cards import spoken
from tests.browser.test_access import AXE, LOOKS, axe_finds_nothing


def hand(match, seat):
    """Return the cards of a seat, as its page describes them."""
    return [spoken(card) for card in match.state.hands[seat]]


def press(page, name):
    """Press a button of a page without scripts, and wait until the next page has loaded."""
    with page.expect_navigation():
        page.get_by_role("button", name=name).first.click()


@pytest.fixture
def together(stage, person):
    """Return a function that opens Ann's browser, shared with Ben, at their table of Karata."""

    def sat(scripts):
        match = stage.opened("Ann", game="karata", call="none")  # no other question
        ann = person(match.path + "/pass", key=match.keys[0], scripts=scripts)
        ann.page.get_by_label("Name of another player").fill("Ben")
        ann.page.get_by_role("button", name="Sit down").click()
        expect(ann.page.get_by_role("button", name="I am Ben")).to_be_visible()
        ann.page.get_by_role("button", name="I am Ann").click()
        ann.page.get_by_role("button", name="Start").first.click()
        ann.page.wait_for_load_state()
        return ann.page, match

    return sat


def test_back_button_in_a_shared_browser_shows_no_cards(together):
    page, match = together(scripts=False)
    heading = page.get_by_role("heading", level=1)
    for _ in range(2):
        seat = match.state.seat
        name, other = ("Ann", "Ben") if seat == 0 else ("Ben", "Ann")
        if page.get_by_text("No cards are shown now").count():
            press(page, f"I am {name}")
            expect(page.get_by_text("No cards are shown now")).to_have_count(0)
        seen = page.content()
        cards = hand(match, seat)
        assert all(card in seen for card in cards)
        mine = [card for card in cards if card not in hand(match, 1 - seat)]
        press(page, "Draw")
        expect(heading).to_have_text(f"{other}, take the phone")
        assert not any(card in page.content() for card in mine)
        page.go_back()
        assert "No cards are shown now" in page.content()
        assert not any(card in page.content() for card in mine), "the previous page is not kept"
        press(page, f"I am {other}")
        expect(page.get_by_text("No cards are shown now")).to_have_count(0)
        seen = page.content()
        assert all(card in seen for card in hand(match, 1 - seat))
        page.go_back()
        assert not any(card in page.content() for card in mine)
        page.goto(match.path)
    expect(page.get_by_role("button", name="Pass on")).to_be_visible()


def test_axe_finds_nothing_on_the_curtain(together):
    page, _ = together(scripts=True)
    expect(page.locator("#hear button")).to_have_count(0)  # they would cover “Pass on”
    page.get_by_role("button", name="Pass on").click()
    expect(page.get_by_text("No cards are shown now")).to_be_visible()
    page.evaluate(AXE)
    for width, height, colours in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours)
        axe_finds_nothing(page, f"curtain, {colours}, {width} px:")
