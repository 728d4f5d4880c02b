"""A deal is animated once, quickly, and not with reduced motion."""

import pytest
from playwright.sync_api import expect

from kaboom.engine.toolkit.cards import spoken
from kaboom.games import GAMES
from tests.browser.chromium import box
from tests.browser.moments import NAMES
from tests.browser.stage import all_ready
from tests.browser.test_looks import slowly
from tests.support.effort import often, some

DEALING = """() => document.getAnimations().filter(it => it.animationName === "arrive"
    && it.effect.target.closest(".my-cards")).map(it => [
  getComputedStyle(it.effect.target).getPropertyValue("--dealt-from"),
  it.effect.getComputedTiming().endTime])"""
# Animated cards: the element they start from, the initial distance between the centres, and the
# duration. For a swap: its duration.
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
    if (!this.dataset.from || this.matches(".leaving")) return moving
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
AT_ONCE = 50  # ms from an answer to a page that shows it: animations delay nothing
DEALT = [game for game in GAMES if game != "koth"]  # koth deals cards one by one


@pytest.mark.parametrize("game", some(GAMES))
def test_moving_card_starts_at_its_old_place_and_blocks_no_press(stage, guest, game):
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
    # If one waited for animations, all would. The median also depends on the machine.
    assert sorted(swaps)[often(0, soak=len(swaps) // 4)] <= AT_ONCE, swaps


# The start of each animation: the element, its delay, and its initial distance.
BEGINS = """() => document.getAnimations().filter(it => it.id === "" && !it.animationName)
  .map(it => {
    const {delay, duration} = it.effect.getTiming(), [first] = it.effect.getKeyframes()
    return [it.effect.target.textContent.trim(), delay, duration, first.translate]
  })"""


@pytest.mark.parametrize("still", [False, True])
def test_bids_flip_in_place_and_the_hand_closes_its_gap(stage, person, still):
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


# Swept and drawn cards: each card, where it begins and ends, and its delay.
MOVES = """() => {
  window.moves = []
  const animate = Element.prototype.animate
  Element.prototype.animate = function (frames, timing) {
    const swept = this.classList.contains("leaving"), box = this.getBoundingClientRect()
    const by = (swept ? frames : frames[0]).translate || "0px 0px"
    const [x, y] = by.split(" ").map(parseFloat)
    const [middle, level] = [box.x + box.width / 2 + x, box.y + box.height / 2 + y]
    window.moves.push([swept, this.textContent.trim(), middle, level, timing.delay || 0])
    return animate.call(this, frames, timing)
  }
}"""


@pytest.mark.parametrize("still", [False, True])
def test_trick_is_swept_to_its_winner(stage, guest, still):
    match = stage.begun(*NAMES[:5], game="koth", deal_interval=0, pace="untimed")
    while not match.state.between_tricks:
        match.drift()
    winner = match.state.leader
    viewer = (winner + 1) % 5
    page = guest(match.path, key=match.keys[viewer], still=still).page
    page.evaluate(MOVES)
    plate = box(page, f"#seat-{winner}")
    match.drift()
    expect(page.locator("#ver")).to_have_value(str(match.revision(viewer)))
    swept = [it for it in page.evaluate("window.moves") if it[0]]
    if still:
        assert swept == []
        return
    assert len(swept) >= 4
    for _, _, x, y, _ in swept:
        assert plate["left"] - 9 <= x <= plate["right"] + 9
        assert plate["top"] - 9 <= y <= plate["bottom"] + 9
    expect(page.locator(".leaving")).to_have_count(0)


def test_picked_cards_come_from_the_deck_one_after_another(stage, guest):
    match = stage.begun(*NAMES[:3], game="karata")
    picker = 0
    while not (match.state.pick and "draw" in [it.verb for it in match.prompt(picker).offers]):
        match.drift()
        picker = match.waiting[0]
    page = guest(match.path, key=match.keys[picker], still=False).page
    page.evaluate(MOVES)
    deck = box(page, "#deck")
    cards = [*match.state.hands[picker]]
    match.play(picker, "draw")
    expect(page.locator("#ver")).to_have_value(str(match.revision(picker)))
    new = {spoken(it) for it in match.state.hands[picker]} - {spoken(it) for it in cards}
    came = [it for it in page.evaluate("window.moves") if it[1].split(",")[0] in new]
    assert len(came) >= 2
    delays = sorted(it[4] for it in came)
    assert len(set(delays)) == len(came)
    for _, _, x, y, _ in came:
        assert deck["left"] - 9 <= x <= deck["right"] + 9
        assert deck["top"] - 9 <= y <= deck["bottom"] + 9


# The cards on the pile during an animation, and the animated ones, with the size of each.
ON_THE_PILE = """() => {
  window.piles = []
  const size = it => [it.textContent.trim(), it.offsetWidth]
  const within = it => [...it.querySelectorAll(".card")].map(size)
  const animate = Element.prototype.animate
  Element.prototype.animate = function (frames, timing) {
    const moving = animate.call(this, frames, timing), top = this.closest("[id^=top-]")
    if (top) Promise.resolve().then(() => {
      const old = [...document.querySelectorAll(".leaving")]
      window.piles.push([old.map(within), within(this)])
    })
    return moving
  }
}"""


@pytest.mark.parametrize("game", ["kaboom", "karata"])
def test_top_of_the_pile_stays_until_the_next_card_lies_on_it(stage, guest, game):
    match = stage.begun(*NAMES[:3], game=game)
    zone = "discard" if game == "kaboom" else "pile"
    page = guest(match.path, key=match.keys[0], still=False).page
    page.evaluate(ON_THE_PILE)
    known = spoken(match.view(0).zone(zone).cards[-1]) if match.view(0).zone(zone).cards else ""
    seen = 0
    for _ in range(40):
        match.drift()
        expect(page.locator("#ver")).to_have_value(str(match.revision(0)))
        piles = page.evaluate("window.piles.splice(0)")
        if known and piles:
            (old,), ((_, width), *more) = piles[0]
            assert known in old[-1][0]
            assert old[-1][1] == width
            assert not more
            seen += 1
        cards = match.view(0).zone(zone).cards
        known = spoken(cards[0 if game == "kaboom" else -1]) if cards else ""
        if seen == 3:
            break
    assert seen == 3
    expect(page.locator(".leaving")).to_have_count(0)


def test_card_of_a_row_is_lifted_from_its_own_place(stage, guest):
    match = stage.begun(*NAMES[:3], game="karata")
    while not match.waiting or match.view(match.waiting[0]).facts["fits"] == []:
        match.drift()
    page = guest(match.path, key=match.keys[match.waiting[0]], still=False).page
    page.evaluate(MOVES)
    page.locator(".my-cards .must").first.click()
    expect(page.locator(".my-cards .up")).to_have_count(1)
    own = box(page, ".my-cards .hand")
    assert all(y >= own["top"] - 30 for _, _, _, y, _ in page.evaluate("window.moves"))


@pytest.mark.parametrize("game", some(DEALT, first=1))
def test_deal_animates_cards_from_the_middle_once(stage, person, game):
    match = stage.begun(*NAMES[: min(4, GAMES[game].seats(GAMES[game].options())[-1])], game=game)
    ann = person(key=match.keys[0], still=False).page
    slowly(ann)  # so that it is still running when checked
    ann.goto(match.path)
    found = ann.evaluate(DEALING)
    assert len(found) >= 4
    assert all(start.strip() == "0 -30vh" and end <= 300 for start, end in found)
    ann.reload()
    assert ann.evaluate(DEALING) == []
    assert ann.locator("#table.dealt").count() == 0


def test_reduced_motion_disables_the_deal_animation(stage, guest):
    match = stage.begun("Ann", "Ben", game="gops")
    ann = guest(match.path, key=match.keys[0]).page
    assert ann.locator("#table.dealt").count() == 1
    assert ann.evaluate(DEALING) == []


def test_deal_is_animated_while_watched_and_not_mid_match(stage, guest):
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


def test_spectator_of_a_deal_gets_no_cookie(stage, guest):
    match = stage.begun("Ann", "Ben", game="gops")
    eve = guest(match.path)
    assert not [it for it in eve.context.cookies() if "dealt" in it["name"]]


def test_played_card_starts_small_so_that_its_players_name_is_seen(stage, guest):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", game="hearts")
    while match.state.stage != "play":
        match.drift()
    viewer = (match.state.leader + 2) % 4
    page = guest(match.path, key=match.keys[viewer], still=False).page
    page.evaluate("""() => {
      window.scales = []
      const animate = Element.prototype.animate
      Element.prototype.animate = function (frames, timing) {
        if (this.dataset.from) scales.push(frames[0].scale)
        return animate.call(this, frames, timing)
      }
    }""")
    match.drift()
    page.wait_for_function("scales.length")
    assert page.evaluate("scales") == [0.4]
