"""A deal is seen to be dealt: once, quickly, and not where motion is unwanted."""

import pytest
from playwright.sync_api import expect

from kaboom.engine.toolkit.cards import spoken
from kaboom.games import GAMES
from tests.browser.moments import NAMES
from tests.browser.stage import all_ready
from tests.browser.test_looks import slowly
from tests.support.effort import often, some

DEALING = """() => document.getAnimations().filter(it => it.animationName === "arrive"
    && it.effect.target.closest(".my-cards")).map(it => [
  getComputedStyle(it.effect.target).getPropertyValue("--dealt-from"),
  it.effect.getComputedTiming().endTime])"""
# What travels: from which place of the page, how far from that place's middle its own middle is
# when it starts, and how long it is under way. A swap: how long it takes.
TRAVELS = """() => {
  window.travels = [], window.swaps = []
  let was = {}, began
  const middle = it => {
    const box = it.getBoundingClientRect()
    return [box.x + box.width / 2, box.y + box.height / 2]
  }
  document.addEventListener("htmx:before:swap", () => {
    was = {}, began = performance.now()
    document.querySelectorAll("#table [id]").forEach(it => was[it.id] = middle(it))
  }, true)
  document.addEventListener("htmx:after:swap", () => window.swaps.push(performance.now() - began))
  const animate = Element.prototype.animate
  Element.prototype.animate = function (frames, timing) {
    const moving = animate.call(this, frames, timing)
    if (!this.dataset.from) return moving
    const place = this.dataset.from.split(" ").find(it => was[it])
    moving.pause(), moving.currentTime = 0
    const [x, y] = middle(this), [fromX, fromY] = was[place] || [NaN, NaN]
    window.travels.push([place, Math.hypot(x - fromX, y - fromY), timing.duration])
    moving.play()
    return moving
  }
}"""
PRESSED_IN_VAIN = """() => [...document.querySelectorAll(".action-bar button")].filter(it => {
  const {x, y, width, height} = it.getBoundingClientRect()
  const there = document.elementFromPoint(x + width / 2, y + height / 2)
  return width && !it.contains(there)
}).map(it => it.textContent)"""
AT_ONCE = 50  # ms from an answer to a page that shows it: nothing waits for what moves
DEALT = [game for game in GAMES if game != "koth"]  # there cards come one by one


@pytest.mark.parametrize("game", some(GAMES))
def test_what_moves_starts_where_it_lay_and_no_press_waits_for_it(stage, guest, game):
    options = {"deal_interval": 0, "pace": "untimed"} if game == "koth" else {}
    usual = GAMES[game].seats(GAMES[game].options(**options))
    names = NAMES[: min(max(4, usual[0]), usual[-1])]
    match = stage.begun(*names, game=game, **options)
    for _ in range(6):
        match.drift()
    ann = guest(match.path, key=match.keys[0], still=False).page
    ann.evaluate(TRAVELS)
    for _ in range(often(6, soak=40)):
        match.drift()
        expect(ann.locator("#ver")).to_have_value(str(match.revision(0)))
        assert ann.evaluate(PRESSED_IN_VAIN) == []
    travels, swaps = ann.evaluate("[window.travels, window.swaps]")
    assert [it for it in travels if not it[1] <= 4 or it[2] > 300] == []
    # If one waited for what moves, all would. How soon most are there hangs on the machine, too.
    assert sorted(swaps)[often(0, soak=len(swaps) // 4)] <= AT_ONCE, swaps


# How what moves begins: what it is, for how long it stays there first, and how far away that is.
BEGINS = """() => document.getAnimations().filter(it => it.id === "" && !it.animationName)
  .map(it => {
    const {delay, duration} = it.effect.getTiming(), [first] = it.effect.getKeyframes()
    return [it.effect.target.textContent.trim(), delay, duration, first.translate]
  })"""


@pytest.mark.parametrize("still", [False, True])
def test_bids_are_turned_up_where_they_lay_and_the_hand_closes_its_gap(stage, person, still):
    match = stage.begun("Ann", "Ben", game="gops")
    match.play(0, "bid 5S")
    page = person(match.path, key=match.keys[0], still=still).page
    page.wait_for_timeout(400)
    slowly(page)
    (prize,) = match.view(0).zone("offer").cards
    match.play(1, "bid 8C")
    expect(page.locator("#ver")).to_have_value(str(match.revision(0)))
    found = page.evaluate(BEGINS)
    if still:
        assert found == []
        return
    assert all(duration <= 300 for _, _, duration, _ in found)
    stays = {name for name, delay, *_ in found if delay}
    assert stays == {spoken(card) for card in ("5S", "8C", prize)}
    glides = {name: by for name, delay, _, by in found if not delay}
    assert float(glides["6 of Spades"].split("px")[0]) > 0  # it comes from the right
    assert page.evaluate(PRESSED_IN_VAIN) == []


@pytest.mark.parametrize("game", some(DEALT, first=1))
def test_the_cards_of_a_deal_come_from_the_middle_once(stage, person, game):
    match = stage.begun(*NAMES[: min(4, GAMES[game].seats(GAMES[game].options())[-1])], game=game)
    ann = person(key=match.keys[0], still=False).page
    slowly(ann)  # so that it still goes on when it is looked at
    ann.goto(match.path)
    found = ann.evaluate(DEALING)
    assert len(found) >= 4
    assert all(start.strip() == "0 -30vh" and end <= 300 for start, end in found)
    ann.reload()
    assert ann.evaluate(DEALING) == []
    assert ann.locator("#table.dealt").count() == 0


def test_nothing_is_dealt_for_who_wants_no_motion(stage, guest):
    match = stage.begun("Ann", "Ben", game="gops")
    ann = guest(match.path, key=match.keys[0]).page
    assert ann.locator("#table.dealt").count() == 1
    assert ann.evaluate(DEALING) == []


def test_a_deal_that_comes_while_one_looks_is_dealt_and_none_in_the_middle(stage, guest):
    match = stage.opened("Ann", "Ben", "Cid")
    ann = guest(match.path, key=match.keys[0], still=False).page
    expect(ann.locator("#room-n")).to_have_count(1)
    ann.wait_for_timeout(300)
    match.post(0, "start")
    expect(ann.locator("#table.dealt")).to_have_count(1)
    all_ready(match)
    expect(ann.locator("#ver")).to_have_value(str(match.revision(0)))
    assert ann.locator("#table.dealt").count() == 0
    late = guest(match.path, key=match.keys[1], still=False).page
    assert late.evaluate(DEALING) == []


def test_who_only_watches_is_left_no_trace_of_it(stage, guest):
    match = stage.begun("Ann", "Ben", game="gops")
    eve = guest(match.path)
    assert not [it for it in eve.context.cookies() if "dealt" in it["name"]]
