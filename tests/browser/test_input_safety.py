"""Another player's action never disturbs a player's input, ticks, focus or scroll position."""

import re
import time

import pytest
from playwright.sync_api import expect

from kaboom.games import GAMES, sample
from kaboom.tables.table import LOG_LINES
from tests.browser.moments import NAMES
from tests.browser.stage import matching, pass_turn, turns_until
from tests.support.effort import PATIENCE

NO_MOVE_BEFORE = "delete Element.prototype.moveBefore"
# Remembers the focused node, and counts how often any node loses the focus.
NOTE_FOCUS = """() => {
  window.focused = document.activeElement
  window.blurs = 0
  document.addEventListener("focusout", () => window.blurs++)
}"""
SAME_FOCUS = "[document.activeElement === window.focused, window.blurs]"
# Remembers each version the page has shown, and each line added to the log.
NOTE_CHANGES = """() => {
  const version = () => +document.querySelector("#ver").value
  window.versions = [version()]
  window.lines = []
  new MutationObserver(all => {
    if (window.versions.at(-1) !== version()) window.versions.push(version())
    for (const it of all) for (const node of it.addedNodes)
      if (node.tagName === "LI" && node.closest("#log")) window.lines.push(node.id)
  }).observe(document.querySelector("main"), {childList: true, subtree: true, attributes: true})
}"""


def current(page, match, seat):
    """Wait until a page shows the newest revision."""
    expect(page.locator("#ver")).to_have_value(str(match.revision(seat)))


def move_button(page, move):
    return page.locator(f'#table button[name=move][value$=" {move}"]')


# Unfinished input


@pytest.mark.parametrize("script", ["", NO_MOVE_BEFORE], ids=["", "without-moveBefore"])
def test_half_typed_name_survives_others_actions(stage, person, script):
    match = stage.opened("Ann")
    cid = person()
    if script:
        cid.context.add_init_script(script)
    cid.page.goto(match.path)
    name = cid.page.locator("#prompt").get_by_label("Your name")
    name.fill("Cid or so")
    name.evaluate("i => i.setSelectionRange(3, 6)")
    cid.page.evaluate(NOTE_FOCUS)
    for newcomer in ("Ben", "Dot"):
        match.send(f"key of {newcomer}", "sit", name=newcomer)
        expect(cid.page.locator(".chair", has_text=newcomer)).to_be_visible()
    assert name.input_value() == "Cid or so"
    assert name.evaluate("i => [i.selectionStart, i.selectionEnd]") == [3, 6]
    assert cid.page.evaluate(SAME_FOCUS) == [True, 0]


def test_refused_name_can_be_edited_and_its_reason_is_read(stage, guest):
    match = stage.opened("Ann")
    cid = guest(match.path)
    cid.expect("status of 422")
    cid.page.locator("#prompt").get_by_label("Your name").fill(" . ".replace(".", "\u200b"))
    cid.page.get_by_role("button", name="Sit down").click()
    expect(cid.page.get_by_role("alert")).to_contain_text("at least one visible character")
    cid.page.locator("#prompt").get_by_label("Your name").fill("Cid")
    cid.page.get_by_role("button", name="Sit down").click()
    expect(cid.page.locator(".chair.me")).to_contain_text("Cid")


@pytest.mark.parametrize("game", [key for key in ("koth",) if key in GAMES])
def test_ticked_cards_survive_refresh_until_the_prompt_ends(stage, guest, game):
    """Two cards are ticked in a prompt for several; then another player acts."""
    people = GAMES[game].seats(GAMES[game].options())[0]
    match = stage.begun(*NAMES[:people], game=game, **sample(game).short)
    seat = several_asked(match)
    ann = guest(match.path, key=match.keys[seat])
    boxes = ann.page.locator("#table input[type=checkbox][name=pick]")
    for number in (0, 1):
        boxes.nth(number).check()
    ann.page.evaluate(NOTE_FOCUS)
    match.post((seat + 1) % people, "leave")
    current(ann.page, match, seat)
    assert [boxes.nth(number).is_checked() for number in range(3)] == [True, True, False]
    assert ann.page.evaluate(SAME_FOCUS) == [True, 0]
    # When the prompt changes, no tick is left.
    asked = {offer.token for offer in match.prompt(seat).offers}
    while asked & {offer.token for offer in match.prompt(seat).offers}:
        match.drift()
    current(ann.page, match, seat)
    assert ann.page.locator("#table input:checked").count() == 0


def several_asked(match):
    """Play at random until a player is asked for several cards; return that player."""
    for _ in range(400):
        for seat in match.waiting:
            if any(not offer.simple and offer.most > 1 for offer in match.prompt(seat).offers):
                return seat
        match.drift()
    raise AssertionError("no player was asked for several cards")


# Moves


@pytest.mark.parametrize("scripts", [True, False])
def test_a_button_pressed_twice_makes_one_move(playing, guest, scripts):
    ann = guest(playing.path, key=playing.keys[0], scripts=scripts)
    before = playing.look().table.seq
    move_button(ann.page, "draw").first.dblclick(no_wait_after=True)
    expect(ann.page.locator("#status")).to_contain_text("You hold the")
    ann.page.wait_for_timeout(300)
    assert playing.look().table.seq == before + 1


def test_slow_double_click_does_not_press_the_replacement(playing, guest):
    ann = guest(playing.path, key=playing.keys[0])
    before = playing.look().table.seq
    box = ann.page.locator("#prompt").get_by_role("button", name="Draw").bounding_box()
    ann.page.mouse.click(box["x"] + 20, box["y"] + 10)
    expect(ann.page.locator("#status")).to_contain_text("You hold the")
    taken = ann.page.get_by_role("button", name="Discard it").bounding_box()
    ann.page.mouse.move(taken["x"] + 20, taken["y"] + 10)
    ann.page.mouse.down(click_count=2)
    ann.page.mouse.up(click_count=2)
    ann.page.wait_for_timeout(300)
    assert playing.look().table.seq == before + 1


@pytest.mark.parametrize("scripts", [True, False])
def test_late_press_plays_nothing_and_is_reported(playing, person, scripts):
    """Ben's page has not received Ann's discard; he flips a card onto the one before it."""
    ben = person(key=playing.keys[1], scripts=scripts)
    ben.expect("net::ERR_FAILED", "Failed to fetch", "status of 409")
    ben.context.route("**/events*", lambda route: route.abort())
    ben.context.route("**/view*", lambda route: route.abort())
    ben.page.goto(playing.path)
    pass_turn(playing)
    before = playing.look().version
    move_button(ben.page, "flip 1.0").click()
    if ben.page.locator("#sure-go").count():
        ben.page.locator("#sure-go").click()
    expect(ben.page.get_by_role("alert")).to_contain_text("Too late")
    assert playing.look().version == before
    current(ben.page, playing, 1)
    assert ben.page.title().startswith("Your turn")


@pytest.mark.parametrize("failure", ["500", "cut"])
def test_failed_request_changes_nothing_and_can_be_repeated(playing, person, failure):
    ann = person(playing.path, key=playing.keys[0])
    ann.expect("status of 500", "net::ERR_FAILED", "Failed to fetch")

    def fail(route):
        if failure == "cut":
            route.abort()
        else:
            route.fulfill(status=500, body="<h1>Something went wrong</h1>")

    said = ann.page.locator("#status").inner_text()
    ann.context.route("**/move", fail)
    move_button(ann.page, "draw").first.click()
    expect(ann.page.locator("#net")).not_to_be_empty()
    assert ann.page.locator("#status").inner_text() == said
    assert not ann.page.get_by_text("Something went wrong").count()
    ann.context.unroute("**/move")
    move_button(ann.page, "draw").first.click()
    expect(ann.page.locator("#status")).to_contain_text("You hold the")
    expect(ann.page.locator("#net")).to_be_empty()


# Like a restored page: its contents must be fetched again.
ASK_FOR_ALL = """shown => {
  const version = document.getElementById("ver")
  version.value = ""
  dispatchEvent(new Event("online"))
  version.value = shown
}"""


def test_stale_response_does_not_replace_a_newer_page(playing, person):
    """A stale refresh arrives after a move: the page does not show it."""
    ann = person(playing.path, key=playing.keys[0])
    held = []
    ann.context.route(re.compile(r"/view\?v=$"), lambda route: held.append(route))
    shown = str(playing.revision(0))
    until(ann.page, lambda: ann.page.evaluate(ASK_FOR_ALL, shown) or held)
    old = held[0].fetch()
    assert 'id="table"' in old.text()
    current(ann.page, playing, 0)
    ann.page.evaluate(NOTE_CHANGES)
    flip = next(place for place in matching(playing, False) if place.startswith("2."))
    playing.play(2, f"flip {flip}")
    current(ann.page, playing, 0)
    move_button(ann.page, "draw").first.click()
    ann.page.wait_for_timeout(200)
    held[0].fulfill(response=old)
    ann.page.wait_for_timeout(200)
    expect(ann.page.locator("#status")).to_contain_text("You hold the")
    current(ann.page, playing, 0)
    versions = ann.page.evaluate("window.versions")
    assert versions == sorted(versions)
    assert len(versions) >= 2


def until(page, happened, seconds=PATIENCE):
    """Wait until a condition holds."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        page.wait_for_timeout(20)


# Focus


@pytest.mark.parametrize("move", ["draw", "draw discard"])
def test_the_focus_stays_where_it_is_when_others_move(playing, guest, move):
    """The focus is on one of the player's own cards. Its button stays; after a discard it answers a
    different prompt.
    """
    ben = guest(playing.path, key=playing.keys[1])
    move_button(ben.page, "flip 1.4").focus()
    ben.page.evaluate(NOTE_FOCUS)
    for verb in move.split():
        playing.play(0, verb)
    current(ben.page, playing, 1)
    assert ben.page.evaluate(SAME_FOCUS) == [True, 0]
    assert ben.page.evaluate("document.activeElement.value").endswith(" flip 1.4")


@pytest.mark.parametrize("scripts", [True, False])
def test_focus_moves_to_the_status_after_the_players_move(playing, guest, scripts):
    ann = guest(playing.path, key=playing.keys[0], scripts=scripts)
    for verb in ("draw", "discard"):
        button = move_button(ann.page, verb).first
        button.focus()
        ann.page.keyboard.press("Enter")
        expect(move_button(ann.page, verb)).to_have_count(0)
        expect(ann.page.locator("#status")).to_be_focused()


def test_focus_rests_on_a_silent_element_until_the_response(playing, guest):
    """Orca announces the status only if the previously focused element still exists
    (screen_reader).
    """
    ann = guest(playing.path, key=playing.keys[0])
    ann.page.evaluate("""document.addEventListener("htmx:before:request", e => {
      if (e.detail.ctx.request.method === "POST") window.waited = document.activeElement.outerHTML
    })""")
    move_button(ann.page, "draw").first.focus()
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#status")).to_be_focused()
    assert (
        ann.page.evaluate("waited")
        == '<span id="here" class="visually-hidden" tabindex="-1"></span>'
    )


def test_focus_moves_to_status_if_focused_button_is_removed(playing, guest):
    """Cid flips away the very card Ben is about to press."""
    turns_until(playing, lambda: any(p.startswith("1.") for p in matching(playing)))
    place = next(p for p in matching(playing) if p.startswith("1."))
    ben = guest(playing.path, key=playing.keys[1])
    move_button(ben.page, f"flip {place}").focus()
    flipper = next(seat for seat in (2, 3) if playing.prompt(seat).offer("flip"))
    playing.play(flipper, f"flip {place}")
    current(ben.page, playing, 1)
    expect(ben.page.locator("#status")).to_be_focused()


def test_focus_outside_the_table_does_not_move(playing, guest):
    ben = guest(playing.path, key=playing.keys[1])
    for selector in (".brand", ".below summary", "#log", ".set"):
        ben.page.locator(selector).first.focus()
        ben.page.evaluate(NOTE_FOCUS)
        pass_turn(playing)
        current(ben.page, playing, 1)
        assert ben.page.evaluate(SAME_FOCUS) == [True, 0], selector


def test_unfolded_sections_stay_unfolded(playing, guest):
    ben = guest(playing.path, key=playing.keys[1])
    ben.page.locator("#room .say").wait_for(state="attached")  # the chat loads after the cards
    details = ben.page.locator("details:not(.tip *)")  # tips have varying sentences
    details.evaluate_all("all => all.forEach(d => d.open = true)")
    pass_turn(playing)
    current(ben.page, playing, 1)
    opened = details.evaluate_all("all => all.map(d => d.open)")
    assert all(opened)


def test_update_does_not_scroll_the_page(playing, guest):
    for _ in range(4):
        pass_turn(playing)
    ben = guest(playing.path, key=playing.keys[1], width=360, height=740)
    ben.page.locator("#log").evaluate("log => log.scrollTop = -60")
    ben.page.evaluate("scrollTo(0, 150)")
    seen = ben.page.evaluate("scrollY"), topmost(ben.page)
    pass_turn(playing)
    current(ben.page, playing, 1)
    assert (ben.page.evaluate("scrollY"), topmost(ben.page)) == seen


def topmost(page):
    """Return the newest line of the log and its position."""
    return page.evaluate("""() => {
      const log = document.querySelector("#log").getBoundingClientRect()
      const seen = [...document.querySelectorAll("#log li")]
        .map(li => [li.id, Math.round(li.getBoundingClientRect().top - log.top)])
      return seen.find(it => it[1] >= 0)
    }""")


@pytest.mark.parametrize("move", ["draw", "flip 1.0"])
def test_tab_goes_from_status_to_own_cards_to_opponents(playing, guest, move):
    """Skip link, status and its buttons, own cards, the middle, then the others in turn order."""
    seat = 0 if move == "draw" else 1
    one = guest(playing.path, key=playing.keys[seat])
    one.page.keyboard.press("Tab")
    assert one.page.evaluate("document.activeElement.className") == "skip"
    one.page.keyboard.press("Enter")
    assert one.page.evaluate("document.activeElement.id") == "status"
    order = []
    for _ in range(60):
        one.page.keyboard.press("Tab")
        found = one.page.evaluate(
            "[document.activeElement.closest('.action-bar, .seat, .middle')?.className || '',"
            " document.activeElement.value || '']"
        )
        if not found[0]:
            break
        order.append((found[0].split()[0], found[1].split(" ")[-1]))
    areas = [area for n, (area, _) in enumerate(order) if n == 0 or order[n - 1][0] != area]
    want = ["action-bar", "seat", "middle", "seat"] if seat == 0 else ["action-bar", "seat"]
    assert areas == want
    owners = [int(place[0]) for area, place in order if area == "seat"]
    assert list(dict.fromkeys(owners)) == [(seat + n) % 4 for n in range(4)]


# The log and the title


def test_twenty_quick_events_add_twenty_lines(playing, guest):
    for _ in range(LOG_LINES // 2 - 10):  # then the log has its maximum length
        pass_turn(playing)
    ben = guest(playing.path, key=playing.keys[1])
    ben.page.evaluate(NOTE_CHANGES)
    first = int(ben.page.locator("#log li").last.get_attribute("id").removeprefix("ev-"))
    for _ in range(10):
        pass_turn(playing)
    current(ben.page, playing, 1)
    last = int(ben.page.locator("#log li").last.get_attribute("id").removeprefix("ev-"))
    added = [int(line.removeprefix("ev-")) for line in ben.page.evaluate("window.lines")]
    assert last - first >= 20
    assert added == list(range(first + 1, last + 1))
    expect(ben.page.locator("#log li")).to_have_count(LOG_LINES)


def test_title_shows_your_turn_exactly_on_your_turn(playing, guest):
    pages = [guest(playing.path, key=key).page for key in playing.keys[:2]]
    for _ in range(3):
        for seat, page in enumerate(pages):
            current(page, playing, seat)
            assert page.title().startswith("Your turn") == (seat in playing.waiting)
        pass_turn(playing)


def test_spectator_sees_events_and_has_no_buttons(playing, guest):
    someone = guest(playing.path)
    pass_turn(playing)
    expect(someone.page.locator("#log")).to_contain_text("Ann discards")
    assert not someone.page.title().startswith("Your turn")
    assert someone.page.locator("#table button[name=move]").count() == 0
