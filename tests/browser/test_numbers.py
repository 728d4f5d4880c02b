"""Number offers, such as bids: a row of buttons under one label, two rows on a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import box, boxes
from tests.browser.test_one_screen import SIZES
from tests.support.builtin_games import EXAMPLES

pytestmark = pytest.mark.skipif("oh_hell" not in EXAMPLES, reason="make test installs Oh Hell")

PEOPLE = ("Ann", "Ben", "Cid")
LABEL = "Bid a number of tricks."
PHONE = 400  # pixels: wider than one
PHONE_PAGE = 2100  # pixels: maximum height of the whole page on a phone
FINGER = 44  # pixels: the minimum width and height of a control


@pytest.fixture(scope="module")
def bidding(stage):
    """A function that returns a table where the first of three players must bid."""
    return lambda cards=7: stage.begun(*PEOPLE, game="oh_hell", cards=cards)


@pytest.mark.parametrize("cards", [7, 10])
def test_numbers_are_large_and_in_view_under_one_label(bidding, onlooker, cards):
    match = bidding(cards)
    page = onlooker(match.path, key=match.keys[0]).page
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        row = boxes(page, ".numbers button")
        assert len(row) == cards + 1
        rows = len({round(it["y"]) for it in row})
        assert rows == (2 if width < PHONE else 1), "they are not in rows"
        if cards == 7 and width < PHONE:
            assert len({round(it["x"]) for it in row}) == 4, "the rows are not alike"
        assert min(it["x"] for it in row) >= 0
        assert max(it["right"] for it in row) <= width
        assert max(it["bottom"] for it in row) <= height
        assert min(min(it["width"], it["height"]) for it in row) >= FINGER
        assert box(page, ".says .hint")["y"] < row[0]["bottom"]
        assert page.locator("#table").inner_text().count(LABEL) == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.documentElement.scrollHeight") < PHONE_PAGE
        rail = box(page, ".action-bar")
        assert rail["bottom"] <= height


def test_numbers_are_a_group_named_by_its_label(bidding, onlooker):
    match = bidding()
    page = onlooker(match.path, key=match.keys[0]).page
    group = page.get_by_role("group", name=LABEL, exact=True)
    assert group.get_by_role("button").all_inner_texts() == list("01234567")


@pytest.mark.parametrize("scripts", [True, False])
def test_number_button_bids_its_number(bidding, guest, scripts):
    match = bidding()
    page = guest(match.path, key=match.keys[0], scripts=scripts).page
    page.get_by_role("button", name="3", exact=True).click()
    expect(page.locator("#log")).to_contain_text("You bid 3.")
    assert match.state.bids == [3, None, None]


@pytest.mark.parametrize("key", ["0", "4"])
def test_number_key_bids_its_number(bidding, guest, key):
    match = bidding()
    visitor = guest(key=match.keys[0])
    cookie = {"name": "kb-settings", "value": "keys=1", "url": visitor.url}
    visitor.context.add_cookies([cookie])
    visitor.page.goto(match.path)
    assert visitor.page.locator("#table kbd").count() == 0, "a number is its own key"
    visitor.page.keyboard.press(key)
    expect(visitor.page.locator("#log")).to_contain_text(f"You bid {key}.")
    assert match.state.bids[0] == int(key)


def test_number_button_is_reached_by_tab_and_pressed_by_enter(bidding, guest):
    match = bidding()
    page = guest(match.path, key=match.keys[0]).page
    target = page.get_by_role("button", name="2", exact=True)
    for _ in range(30):
        page.keyboard.press("Tab")
        if target.evaluate("it => document.activeElement === it"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text("You bid 2.")
