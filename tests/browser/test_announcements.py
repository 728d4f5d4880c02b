"""Announcements for screen readers: each event once, politely; the player's turn first, as it
begins.

The tests watch what is added to live regions, since browsers pass on exactly that.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.stage import all_ready, pass_turn

LISTEN = """() => {
  const live = "[role=log], [role=status], [role=alert], [aria-live]"
  const silent = "[aria-live=off]"
  window.heard = []
  new MutationObserver(changes => changes.forEach(change => {
    const element = change.target.nodeType === 1 ? change.target : change.target.parentElement
    const found = element && element.closest(live)
    const region = found && !found.matches(silent) && found
    const say = (where, node) => {
      const text = node.textContent.trim()
      const place = where.id || where.parentElement.id || where.role
      if (text) window.heard.push([place, node.id || "", text])
    }
    if (change.type === "characterData") return region && say(region, change.target)
    change.addedNodes.forEach(node => {
      if (region) return say(region, node)
      if (node.nodeType !== 1) return
      if (node.matches("[role=alert], [aria-live=assertive]")) say(node, node)
      node.querySelectorAll("[role=alert], [aria-live=assertive]").forEach(it => say(it, it))
    })
  })).observe(document.body, {subtree: true, childList: true, characterData: true})
}"""
LOG = (
    """() => [...document.querySelectorAll("#log li")].map(it => [it.id, it.textContent.trim()])"""
)
GAMES = [
    ("kaboom", ("Ann", "Ben", "Cid"), {"rounds": 1}),
    ("gops", ("Ann", "Ben"), {}),
    ("taken", ("Ann", "Ben", "Cid"), {"max_games": 1, "hand_size": 5}),
]


def caught_up(person, match, seat):
    expect(person.page.locator("#ver")).to_have_value(str(match.revision(seat)))


@pytest.mark.parametrize(("game", "names", "options"), GAMES, ids=[it[0] for it in GAMES])
def test_match_announces_each_event_and_turn_once(stage, guest, game, names, options):
    match = stage.begun(*names, game=game, **options)
    ann = guest(match.path, key=match.keys[0])
    ann.page.wait_for_timeout(300)
    before = {number for number, _ in ann.page.evaluate(LOG)}
    ann.page.evaluate(LISTEN)
    mine, turns, lines = 0 in match.waiting, 0, {}
    expected = []
    for _ in range(400):
        if not match.look().table.playing:
            break
        match.drift()
        caught_up(ann, match, 0)
        begins = (0 in match.waiting) and not mine
        turns, mine = turns + begins, 0 in match.waiting
        found = dict(ann.page.evaluate(LOG))
        new = [text for number, text in found.items() if number not in lines.keys() | before]
        lines |= found
        said = ["It is your turn."] * begins + new
        expected += [" ".join(said)] if said else []
    assert not match.look().table.playing
    heard = ann.page.evaluate("window.heard")
    assert [text for where, _, text in heard if where == "news"] == expected
    assert len(expected) > 5
    assert turns > 0
    others = [it for it in heard if it[0] not in ("news", "lines")]
    assert not others, "something else was announced to a player who pressed nothing"


def test_refresh_without_news_announces_nothing(stage, guest):
    match = stage.begun("Ann", "Ben", rounds=1)
    all_ready(match)
    ann = guest(match.path, key=match.keys[0])
    ann.page.wait_for_timeout(300)
    ann.page.evaluate(LISTEN)
    for event in ("pageshow", "online"):
        # The page is made to believe that it missed an update, so it receives the whole table
        # again.
        ann.page.evaluate("document.getElementById('ver').value = '0'")
        with ann.page.expect_response(lambda it: "/view" in it.url and it.status == 200):
            ann.page.evaluate(f"dispatchEvent(new Event('{event}'))")
        caught_up(ann, match, 0)
    assert ann.page.evaluate("window.heard") == []


def test_status_request_keeps_the_readers_place(stage, guest):
    match = stage.begun("Ann", "Ben", rounds=1)
    all_ready(match)
    pass_turn(match)
    ben = guest(match.path, key=match.keys[1])
    ben.page.wait_for_timeout(300)
    ben.page.evaluate(LISTEN)
    link = ben.page.get_by_role("link", name="What is going on?")
    at = ben.page.locator("#prompt").bounding_box()
    link.focus()
    ben.page.keyboard.press("Enter")
    said = ben.page.locator("#said")
    expect(said).to_have_text(
        re.compile(r"Your turn: .+ On the discard pile: .+\. You have \d+ moves: .+\.")
    )
    assert said.is_visible()
    assert ben.page.locator("#prompt").bounding_box() == at, "it covers the table"
    assert link.evaluate("it => it === document.activeElement")
    ((where, _, heard),) = ben.page.evaluate("window.heard")
    assert where == "news" and "You have" in heard and "All rules" not in heard
    # What was heard stays until the next event; what is seen, until it is closed.
    pass_turn(match)
    caught_up(ben, match, 1)
    expect(said.locator("> .visually-hidden")).to_have_count(0)
    # Or until the next press.
    link.click()
    expect(said).not_to_have_text("")
    ben.page.locator("#status").click()
    expect(said).to_have_text("")


def test_status_link_without_scripts_opens_a_page(stage, guest):
    match = stage.begun("Ann", "Ben", rounds=1)
    all_ready(match)
    ben = guest(match.path, key=match.keys[1], scripts=False)
    ben.page.get_by_role("link", name="What is going on?").click()
    expect(ben.page.get_by_role("main")).to_contain_text("Ann’s turn")
    ben.page.get_by_role("link", name="Back to the table").click()
    expect(ben.page.locator("#status")).to_be_visible()


def test_live_regions_filled_by_script_are_divs(stage, guest):
    """Orca 46 and later drop bursts of changes unless a live section itself changes."""
    match = stage.begun("Ann", "Ben", game="gops")
    page = guest(match.path, key=match.keys[0]).page
    names = page.evaluate(
        "[...document.querySelectorAll('#news > *, #net, #time, #said')].map(it => it.localName)"
    )
    assert len(names) >= 5 and set(names) == {"div"}
