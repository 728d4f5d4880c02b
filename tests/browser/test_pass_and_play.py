"""Several people at one browser, as a real one does it: without scripts, and going back."""

import pytest
from playwright.sync_api import expect

from kaboom.engine.toolkit.cards import spoken
from tests.browser.test_access import AXE, LOOKS, axe_finds_nothing


def hand(match, seat):
    """Return the cards that a seat holds, as its page says them."""
    return [spoken(card) for card in match.state.hands[seat]]


def press(page, name):
    """Press a button of a page without scripts, and wait until all of the next page is there."""
    with page.expect_navigation():
        page.get_by_role("button", name=name).first.click()


@pytest.fixture
def together(stage, person):
    """A function: Ann's browser, at which Ben sits as well, and their table of Karata."""

    def sat(scripts):
        match = stage.opened("Ann", game="karata", call="none")  # nothing else is asked
        ann = person(match.path + "/pass", key=match.keys[0], scripts=scripts)
        ann.page.get_by_label("Name of somebody else").fill("Ben")
        ann.page.get_by_role("button", name="Sit down").click()
        expect(ann.page.get_by_role("button", name="I am Ben")).to_be_visible()
        ann.page.get_by_role("button", name="I am Ann").click()
        ann.page.get_by_role("button", name="Start").first.click()
        ann.page.wait_for_load_state()
        return ann.page, match

    return sat


def test_two_play_at_one_browser_without_scripts_and_going_back_shows_no_cards(together):
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
        assert not any(card in page.content() for card in mine), "the page before is not kept"
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
    page.get_by_role("button", name="Pass on").click()
    expect(page.get_by_text("No cards are shown now")).to_be_visible()
    page.evaluate(AXE)
    for width, height, colours in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours)
        axe_finds_nothing(page, f"curtain, {colours}, {width} px:")
