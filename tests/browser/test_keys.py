"""Everything goes by keyboard, in a sensible order; number keys press moves for who wants it."""

import pytest
from playwright.sync_api import expect

from tests.browser.moments import moments, my_turn
from tests.browser.stage import all_ready

WHERE = """() => {
  const it = document.activeElement, at = it.closest("#prompt, .seat, .own, .middle, .lanes, #log")
  if (it === document.body || it.closest(".foot, .below")) return null
  return it.className === "skip" ? "skip" : at ? at.id || at.className : ""
}"""


@pytest.fixture
def playing(stage):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    my_turn(match)
    return match


@pytest.fixture
def with_keys(person):
    """A function that opens a table for somebody who has chosen the number keys."""

    def opened(match, seat):
        somebody = person(key=match.keys[seat])
        cookie = {"name": "kb-settings", "value": "keys=1", "url": somebody.url}
        somebody.context.add_cookies([cookie])
        somebody.page.goto(match.path)
        return somebody.page

    return opened


def stops(page):
    """Return the parts of the page that Tab comes by, each once in a row."""
    found = []
    for _ in range(150):
        page.keyboard.press("Tab")
        here = page.evaluate(WHERE)
        if here is None:
            return found
        if here and (not found or found[-1] != here):
            found.append(here)
    raise AssertionError("Tab never comes to the end of the table")


def test_tab_comes_by_the_prompt_then_ones_own_cards_then_the_others_in_turn_order(playing, person):
    found = stops(person(playing.path, key=playing.keys[0]).page)
    wanted = ["skip", "prompt", "seat-0", "middle", "seat-1", "seat-2", "seat-3", "log"]
    assert found == wanted


def test_without_styles_prompt_hand_table_and_log_stand_in_this_order(stage, chromium):
    """The order of the page is the order it is read in where no style sheet is."""
    names = [("koth", "lead"), ("karata", "turn"), ("taken", "choose"), ("gops", "bid")]
    for moment in [it for it in moments() if (it.game, it.name) in names]:
        scene = moment.scene(stage)
        html = stage.get(scene.path, scene.key)
        own = 'class="own' if moment.game == "koth" else " me"
        marks = ['id="prompt"', own, 'class="middle"', 'id="log"']
        marks = [
            it if it != marks[2] or moment.game != "taken" else 'class="lanes"' for it in marks
        ]
        places = [html.index(mark, html.index("<main")) for mark in marks]
        assert places == sorted(places), (moment.game, dict(zip(marks, places, strict=True)))


def test_numbers_press_what_is_offered_in_its_order(playing, with_keys):
    page = with_keys(playing, 0)
    offered = page.locator("#table [name=move]")
    badges = page.locator("#table kbd").all_inner_texts()
    assert badges == [str(n) for n in range(1, 10)]
    assert offered.nth(1).get_attribute("aria-keyshortcuts") == "2"
    assert "Draw a card" in offered.nth(1).inner_text()
    page.keyboard.press("2")
    expect(page.locator("#ver")).not_to_have_value("0")
    expect(page.locator("#status")).to_contain_text("You have drawn")
    expect(page.locator("#table kbd").first).to_have_text("1")


def test_numbers_stay_numbers_where_one_types(playing, with_keys):
    page = with_keys(playing, 0)
    version = page.locator("#ver").input_value()
    line = page.get_by_label("Say something")
    line.focus()
    page.keyboard.press("2")
    assert line.input_value() == "2"
    page.locator("#status").focus()
    page.keyboard.press("Control+2")
    page.keyboard.press("x")
    page.wait_for_timeout(300)
    assert page.locator("#ver").input_value() == version == str(playing.revision(0))


def test_nobody_who_has_not_asked_for_it_moves_by_a_number(stage, person):
    match = stage.begun("Ann", "Ben", rounds=1)
    all_ready(match)
    page = person(match.path, key=match.keys[0]).page
    page.locator("#status").focus()
    for key in "123456789dk":
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert page.locator("#ver").input_value() == str(match.revision(0))
    assert page.locator("#table kbd").count() == 0
