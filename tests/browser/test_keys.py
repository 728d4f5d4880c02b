"""All controls work by keyboard in a sensible order; number keys press moves if switched on."""

import re

import pytest
from playwright.sync_api import expect

from kaboom.engine.rng import Rng
from tests.browser.moments import moments, my_turn
from tests.browser.stage import all_ready
from tests.support.effort import some

WHERE = """() => {
  const it = document.activeElement
  const at = it.closest("#prompt, .seat, .my-cards, .middle, .lanes, #log")
  if (it === document.body || it.closest(".foot, .below")) return null
  return it.className === "skip" ? "skip" : at ? at.id || at.className : ""
}"""


@pytest.fixture
def playing(stage):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    my_turn(match)
    return match


@pytest.fixture
def with_keys(guest):
    """A function that opens a table for a player who has turned number keys on."""

    def opened(match, seat):
        visitor = guest(key=match.keys[seat])
        cookie = {"name": "kb-settings", "value": "keys=1", "url": visitor.url}
        visitor.context.add_cookies([cookie])
        visitor.page.goto(match.path)
        return visitor.page

    return opened


def stops(page):
    """Return the elements that Tab visits; repeated visits count once."""
    found = []
    for _ in range(150):
        page.keyboard.press("Tab")
        here = page.evaluate(WHERE)
        if here is None:
            return found
        if here and (not found or found[-1] != here):
            found.append(here)
    raise AssertionError("Tab never reaches the end of the table")


def test_tab_order_is_prompt_own_cards_then_turn_order(playing, guest):
    found = stops(guest(playing.path, key=playing.keys[0]).page)
    wanted = ["skip", "prompt", "seat-0", "middle", "seat-1", "seat-2", "seat-3", "log"]
    assert found == wanted


def test_unstyled_page_orders_prompt_hand_table_and_log(stage, chromium):
    """The order of the page is the reading order without style sheets."""
    names = [("koth", "lead"), ("karata", "turn"), ("taken", "choose"), ("gops", "bid")]
    for moment in [it for it in moments() if (it.game, it.name) in names]:
        scene = moment.scene(stage)
        html = stage.get(scene.path, scene.key)
        html = html[html.index("<main") :]
        marks = ['id="prompt"', r'class="[^"]*\bmy-cards\b', 'class="table-area', 'id="log"']
        places = [re.search(mark, html).start() for mark in marks]
        assert places == sorted(places), (moment.game, dict(zip(marks, places, strict=True)))


def test_number_keys_press_the_offers_in_order(playing, with_keys):
    page = with_keys(playing, 0)
    offered = page.locator("#table [name=move]")
    badges = page.locator("#table kbd").all_inner_texts()
    assert badges == [str(n) for n in range(1, 10)]
    assert offered.nth(1).get_attribute("aria-keyshortcuts") == "2"
    assert "Draw a card" in offered.nth(1).text_content()
    page.keyboard.press("2")
    expect(page.locator("#ver")).not_to_have_value("0")
    expect(page.locator("#status")).to_contain_text("You hold the")
    expect(page.locator("#table kbd").first).to_have_text("1")


def test_number_keys_type_digits_in_text_fields(playing, with_keys):
    page = with_keys(playing, 0)
    version = page.locator("#ver").input_value()
    page.locator("#chat-link").click()
    line = page.get_by_label("Say something")
    line.focus()
    page.keyboard.press("2")
    assert line.input_value() == "2"
    page.locator("#status").focus()
    page.keyboard.press("Control+2")
    page.keyboard.press("x")
    page.wait_for_timeout(300)
    assert page.locator("#ver").input_value() == version == str(playing.revision(0))


def test_number_keys_are_off_by_default(stage, guest):
    match = stage.begun("Ann", "Ben", rounds=1)
    all_ready(match)
    page = guest(match.path, key=match.keys[0]).page
    page.locator("#status").focus()
    for key in "123456789dk":
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert page.locator("#ver").input_value() == str(match.revision(0))
    assert page.locator("#table kbd").count() == 0


# The controls of the awaited move; an open confirmation comes first.
PRESSED = "#sure-go", "#prompt [name=move], .card.must, .cost", ".one [name=pick]"
HERE = "it => document.activeElement === it"


def tab_to(page, target, most=120):
    """Press Tab until the element has the focus."""
    for _ in range(most):
        if target.evaluate(HERE):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not reach it")


def press_something(page, rng):
    """Make one of the awaited moves with Tab and Enter."""
    sure, usual, lifted = (page.locator(it) for it in PRESSED)
    count = usual.count() + lifted.count()
    which = rng.randrange(count)
    if sure.count():
        target = sure
    elif which < usual.count():
        target = usual.nth(which)
    else:
        target = lifted.first
        tab_to(page, target)
        for _ in range(which - usual.count()):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        target = page.locator(".one [name=pick]:checked")
    tab_to(page, target)
    page.keyboard.press("Enter")


@pytest.mark.parametrize(
    ("game", "names", "options", "turns"),
    some(
        [
            ("kaboom", ("Ann", "Ben"), {"rounds": 1}, 60),
            ("gops", ("Ann", "Ben"), {}, 60),
            ("karata", ("Ann", "Ben"), {"deal": 3}, 25),
            ("taken", ("Ann", "Ben", "Cid"), {"max_games": 1}, 60),
        ],
        every=4,
    ),
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_match_is_played_with_tab_and_enter_only(stage, guest, game, names, options, turns):
    match = stage.begun(*names, game=game, **options)
    page = guest(match.path, key=match.keys[0]).page
    rng = Rng(bytes(32), 1, game)
    pressed = 0
    while match.look().table.playing and pressed < turns:
        if 0 not in match.waiting:
            match.drift()
            continue
        version = page.locator("#ver")
        expect(version).to_have_value(str(match.revision(0)))
        asked = page.locator("#sure-go").count()
        before = match.revision(0)
        press_something(page, rng)
        # Either the move is made or the page asks for confirmation.
        page.wait_for_function(
            "([v, asked]) => document.getElementById('ver').value !== v"
            " || !!document.getElementById('sure-go') !== asked",
            arg=[str(before), bool(asked)],
        )
        pressed += 1
    assert pressed > 2
    assert game == "karata" or not match.look().table.playing


def test_cards_are_ticked_with_the_space_bar(stage, guest):
    moment = next(it for it in moments() if (it.game, it.name) == ("koth", "lead"))
    scene = moment.scene(stage)
    page = guest(scene.path, key=scene.key).page
    box = page.locator(".my-cards [type=checkbox]").first
    tab_to(page, box)
    page.keyboard.press("Space")
    assert box.is_checked()
    tab_to(page, page.get_by_role("button", name="Lead", exact=True))
    page.keyboard.press("Enter")
    expect(page.locator("#status")).not_to_contain_text("Your turn: lead")
    expect(page.locator("#notice")).to_have_count(0)
