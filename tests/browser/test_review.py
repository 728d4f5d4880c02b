"""Two browsers review a match together, and a third without scripts."""

import time

import pytest

from tests.browser.chromium import Person, box
from tests.browser.test_access import AXE, LAID_OUT, LOOKS, STYLE, axe_finds_nothing
from tests.support.finished_matches import play_to_the_end

WITHIN = 1.0  # seconds in which a follower must reach the leader's step


@pytest.fixture(scope="module")
def record(stage):
    """The address of a finished match."""
    code, _people = play_to_the_end(stage.tables, "gops", names=("Ann", "Ben"))
    return f"/m/{stage.tables.get(code).table.record}"


@pytest.fixture
def both(chromium, server, record):
    """Ann, who leads, and Ben, who follows her; and the address of their review."""
    ann, ben = Person(chromium, server.url), Person(chromium, server.url)
    ann.page.goto(f"{server.url}{record}/review?step=2")
    ann.page.get_by_label("Your name").fill("Ann")
    ann.page.get_by_role("button", name="Begin at step 2").click()
    review = ann.page.url.rpartition("/")[0]
    ben.page.goto(review)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Join").click()
    ben.page.wait_for_url("**/2?follow=1")
    yield ann, ben, review
    assert not ann.unexpected and not ben.unexpected
    ann.close()
    ben.close()


def at_step(person, number):
    """Wait until a player's page shows a step; return the seconds it took."""
    began = time.monotonic()
    person.page.locator("h1 small", has_text=f"step {number} of").wait_for()
    return time.monotonic() - began


def test_follower_goes_where_the_leader_goes(both):
    ann, ben, review = both
    took = []
    for number in range(3, 9):
        ann.page.locator("#to-next").click()
        at_step(ann, number)
        took.append(at_step(ben, number))
    print(f"followed after {max(took):.2f} s at most (promised: {WITHIN:.0f} s)")
    assert ben.page.url == f"{review}/8?follow=1"
    assert ben.page.evaluate("document.getElementById('news').textContent").startswith("Step 8")
    ann.page.locator(".ways details summary").click()
    ann.page.get_by_role("button", name="Ben", exact=True).click()
    ben.page.wait_for_url("**/8?seat=1&follow=1")
    assert ann.page.evaluate("document.querySelector('.ways details').open")


def test_follower_leaves_the_leader_and_returns(both):
    ann, ben, review = both
    ben.page.locator("#to-next").click()
    ben.page.wait_for_url(f"{review}/3")
    ann.page.locator("#to-prev").click()
    back = ben.page.get_by_role("link", name="Back to Ann, step 1")
    back.wait_for()
    assert ben.page.url == f"{review}/3"
    back.click()
    at_step(ben, 1)
    ann.page.locator("#to-prev").click()
    at_step(ben, 0)


def test_remark_and_lead_reach_the_other_browser(both):
    ann, ben, _review = both
    ann.page.get_by_label("Comment on this step").fill("half a sen")
    ben.page.get_by_label("Comment on this step").fill("Why not the king?")
    ben.page.get_by_role("button", name="Say").click()
    ann.page.locator("#remarks", has_text="Why not the king?").wait_for()
    assert ann.page.get_by_role("button", name="Copy the link").count() == 1
    assert ann.page.get_by_label("Comment on this step").input_value() == "half a sen"
    assert ben.page.get_by_label("Comment on this step").input_value() == ""
    ben.page.get_by_role("button", name="Ask for the lead").click()
    ann.page.locator("#review").get_by_role("button", name="Let Ben lead").click()
    ben.page.get_by_text("You lead. The others see this step.").wait_for()
    ben.page.locator("#to-next").click()
    at_step(ann, 3)


def test_leader_using_the_keyboard_keeps_the_focus(both):
    ann, ben, _review = both
    ann.page.locator("#to-next").focus()
    for number in (3, 4, 5):
        ann.page.keyboard.press("Enter")
        at_step(ann, number)
        at_step(ben, number)
        assert ann.page.evaluate("document.activeElement.id") == "to-next"


def test_laptop_shows_all_hands_of_a_review_on_its_first_screen(stage, chromium, server):
    names = ("Ann", "Ben", "Cid", "Dot", "Eve")
    code, _people = play_to_the_end(stage.tables, "taken", names=names, hand_size=10)
    match = f"{server.url}/m/{stage.tables.get(code).table.record}"
    ann = Person(chromium, server.url, width=1366, height=650)
    ann.page.goto(f"{match}/review?step=12")
    ann.page.get_by_label("Your name").fill("Ann")
    ann.page.get_by_role("button", name="Begin at step 12").click()
    ann.page.wait_for_url("**/12?follow=1")
    board, hands = box(ann.page, ".ring"), box(ann.page, ".hands")
    assert board["bottom"] <= hands["top"] <= hands["bottom"] <= 650
    ann.close()


def test_page_without_scripts_follows_the_leader(both, chromium, server):
    ann, _ben, review = both
    cat = Person(chromium, server.url, scripts=False)
    cat.page.goto(review)
    cat.page.get_by_label("Your name").fill("Cat")
    cat.page.get_by_role("button", name="Join").click()
    ann.page.locator("#to-next").click()
    at_step(ann, 3)
    cat.page.get_by_role("link", name="Check for updates").click()
    cat.page.wait_for_url("**/3?follow=1")
    cat.context.add_cookies([{"name": "kb-settings", "value": "refresh=10", "url": server.url}])
    cat.page.reload()
    ann.page.locator("#to-next").click()
    cat.page.wait_for_url("**/4?follow=1")
    assert not cat.page.get_by_label("Comment on this step").is_visible()
    cat.page.get_by_role("link", name="Comment on this step").click()
    cat.page.get_by_label("Comment on this step").fill("Hello")
    cat.page.get_by_role("button", name="Say").click()
    assert "Cat: Hello" in cat.page.inner_text("#remarks")
    cat.close()


def test_server_restart_keeps_everyones_place(both, server):
    ann, ben, _review = both
    ann.page.locator("#to-next").click()
    at_step(ben, 3)
    ann.expected = ben.expected = ["ERR_"]
    server.kill()
    server.start()
    ann.page.locator("#to-next").click()
    at_step(ann, 4)
    assert at_step(ben, 4) < 60
    ann.complaints.clear()
    ben.complaints.clear()


def test_axe_finds_nothing_in_a_review(both, record, server):
    ann, ben, review = both
    ben.page.get_by_label("Comment on this step").fill("Why not the king?")
    ben.page.get_by_role("button", name="Say").click()
    ben.page.locator("#remarks", has_text="Why not").wait_for()
    eve = ann
    for person, path in ((ben, ""), (ben, "/5"), (ben, "/people"), (eve, "/2?follow=1")):
        person.page.goto(f"{review}{path}")
        person.page.evaluate(AXE)
        person.page.evaluate(STYLE, LAID_OUT)
        for width, height, colours in LOOKS:
            person.page.set_viewport_size({"width": width, "height": height})
            person.page.emulate_media(color_scheme=colours)
            axe_finds_nothing(person.page, f"{path}, {colours}, {width} px:")
            assert person.page.evaluate("document.documentElement.scrollWidth") <= width
