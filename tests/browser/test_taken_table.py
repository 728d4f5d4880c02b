"""TakeN's table: the recap of a reveal, and the reveal itself."""

import pytest
from playwright.sync_api import expect

from kaboom.games.taken.regions import SWEEP, moments
from tests.browser.chromium import box
from tests.browser.moments import NAMES
from tests.browser.test_one_screen import WRONG

PHONES = [(360, 740), (360, 640)]
# The faults of the recap: what is cut off, what lies over a neighbour, a row or the hand.
RECAP = """() => {
  const wrong = [], box = it => it.getBoundingClientRect()
  const all = [...document.querySelectorAll(".story li")]
  const felt = box(document.querySelector(".ring"))
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1
  const others = [...document.querySelectorAll(".lane, .crowd, .my-cards .card")].map(box)
  if (!all.length) wrong.push("no recap")
  all.forEach((it, n) => {
    const lies = box(it), words = it.textContent
    if (it.scrollWidth > it.clientWidth || it.scrollHeight > it.clientHeight)
      wrong.push(`cut off: ${words}`)
    if (lies.left < felt.left || lies.right > felt.right) wrong.push(`off the felt: ${words}`)
    if (all.slice(n + 1).some(next => meet(lies, box(next)))) wrong.push(`over the next: ${words}`)
    if (others.some(other => meet(lies, other))) wrong.push(`over something: ${words}`)
    const parts = [...it.querySelectorAll(".card, .face")].map(box)
    if (meet(...parts)) wrong.push(`face over card: ${words}`)
  })
  return wrong
}"""


def revealed(stage, people, **options):
    """Return a table of that many after a reveal in which a row was taken."""
    match = stage.begun(*(*NAMES, "Gus", "Hal", "Ivy", "Joe")[:people], game="taken", **options)
    now = match.look()
    while now.state.stage != "choose" or not any(it.taken for it in now.state.turns):
        now = match.drift_unseen(now)
    return match


@pytest.mark.parametrize("people", range(2, 11))
def test_phone_recap_cuts_nothing_off_and_covers_nothing(stage, onlooker, people):
    match = revealed(stage, people)
    visitor = onlooker(key=match.keys[0])
    for language in ("en", "fr", "sw", "ar"):
        visitor.page.set_extra_http_headers({"Accept-Language": language})
        for width, height in PHONES:
            visitor.page.set_viewport_size({"width": width, "height": height})
            visitor.page.goto(match.path)
            found = visitor.page.evaluate(RECAP) + visitor.page.evaluate(WRONG)
            assert found == [], (language, height)


# Loads what a page otherwise loads after the first move.
LOADED = """async () => {
  for (const href of document.getElementById("news").dataset.sheets.split(" ")) {
    if (!href.includes(".css")) continue
    const link = document.createElement("link")
    const loaded = new Promise(done => link.onload = done)
    document.head.append(Object.assign(link, {rel: "stylesheet", href}))
    await loaded
  }
}"""
# Of each animation: its name, and when it begins and ends in seconds.
TIMES = """it => it.getAnimations({subtree: true}).map(one => {
  const {delay, endTime} = one.effect.getComputedTiming()
  return [one.animationName, Math.round(delay) / 1000, Math.round(endTime) / 1000]
})"""


def slow(page):
    """Slow a page's animations down a thousandfold, so that they run when they are checked."""
    session = page.context.new_cdp_session(page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": 0.001})


def at(moment):
    return round(0.2 + 0.4 * (moment - 1), 1)


@pytest.mark.parametrize(("width", "height"), [*PHONES, (1366, 650)])
def test_each_result_is_told_when_its_card_lands(stage, person, width, height):
    match = revealed(stage, 4)
    reveal = match.view(0).facts["reveal"]
    page = person(key=match.keys[0], still=False, width=width, height=height).page
    slow(page)
    page.goto(match.path)
    page.evaluate(LOADED)
    lands = [at(moment) for moment in moments(reveal)]
    assert lands[0] == (0.2 if reveal[0]["chosen"] else 1), "all are seen together first"
    for lies, turn, told in zip(lands, reveal, page.locator(".story li").all(), strict=True):
        starts = {name: begins for name, begins, _ in told.evaluate(TIMES)}
        assert starts["come"] == lies
        assert {begins for name, begins, _ in told.evaluate(TIMES) if name != "come"} <= {0}
        assert told.locator(".card").is_visible()
        card = page.locator(f"#at-{turn['card']}")
        if card.count():
            assert ["come", lies] in [it[:2] for it in card.evaluate(TIMES)]
        if turn["taken"]:
            gone = page.locator(f"#ghost-{turn['card']}").evaluate(TIMES)[0]
            assert (gone[0], gone[1] > lies) == ("fly", True)
            paid = [it[2] for it in page.locator(".crowd").evaluate(TIMES) if it[0] == "hide"]
            own = page.locator(".action-bar .plate").evaluate(TIMES)
            paid += [it[2] for it in own if it[0] == "hide"]
            assert round(lies + 0.4 * SWEEP, 1) in paid, "the points come with the row"
    came = page.locator("#status .came").evaluate(TIMES)
    assert next(begins for name, begins, _ in came if name == "come") in lands
    asked = page.locator("#status .next").evaluate(TIMES)
    assert max(begins for _, begins, _ in asked) > lands[-1]


@pytest.mark.parametrize("scripts", [True, False])
def test_without_motion_or_scripts_a_reveal_is_told_at_once(stage, guest, scripts):
    match = revealed(stage, 4)
    visitor = guest(match.path, key=match.keys[0], scripts=scripts, still=scripts)
    if scripts:
        visitor.page.evaluate(LOADED)
        assert visitor.page.evaluate("document.getAnimations().length") == 0
    expect(visitor.page.locator("#status .came")).to_have_css("opacity", "1")
    for told in visitor.page.locator(".story li > span > span").all():
        expect(told).to_have_css("opacity", "1")


def test_taken_row_flies_to_the_player_who_takes_it(stage, person):
    match = revealed(stage, 4)
    page = person(key=match.keys[0], still=False, width=360, height=740).page
    slow(page)
    page.goto(match.path)
    page.evaluate(LOADED)
    for turn in match.view(0).facts["reveal"]:
        if not turn["taken"]:
            continue
        ghost = page.locator(f"#ghost-{turn['card']}")
        row = box(page, f"#lane-{turn['row'] + 1} > .hand")
        begins, ends = ghost.evaluate(TIMES)[0][1:]
        set_time = "(it, time) => it.getAnimations()[0].currentTime = 1000 * time"
        ghost.evaluate(set_time, begins)
        start = ghost.bounding_box()
        assert abs(start["x"] - row["left"]) < 2 and abs(start["y"] - row["top"]) < 2
        ghost.evaluate(set_time, ends - 0.001)
        seat = turn["seat"]
        others = page.locator(".crowd .seat", has_text=NAMES[seat])
        plate = others if seat else page.locator(".action-bar")
        there, face = ghost.bounding_box(), plate.locator(".face").first.bounding_box()
        assert abs(there["x"] - face["x"]) < 40 and abs(there["y"] - face["y"]) < 40


@pytest.mark.parametrize(("width", "height"), [*PHONES, (1366, 650)])
def test_word_on_the_sealed_card_is_whole_and_the_others_are_dim(stage, onlooker, width, height):
    match = stage.begun(*NAMES[:4], game="taken")
    offer = match.prompt(0).offers[0]
    match.play(0, f"{offer.verb} {offer.options[0]}")
    page = onlooker(match.path, key=match.keys[0], width=width, height=height).page
    mark = page.locator(".my-cards .mark")
    corners = """it => {
      const {left, right, top, bottom} = it.getBoundingClientRect()
      return [[left, top], [right, top], [left, bottom], [right, bottom]].map(([x, y]) =>
        it.parentElement.contains(
          document.elementFromPoint((3 * x + left + right) / 5, (3 * y + top + bottom) / 5)))
    }"""
    assert mark.evaluate(corners) == [True] * 4
    cards = page.locator(".my-cards .hand > *")
    tops = [it.bounding_box()["y"] for it in cards.all()]
    assert tops[0] < tops[1], "it is lifted"
    dim = page.locator(".my-cards .hand > :not(:has(.mark))").first
    assert "brightness" in dim.evaluate("it => getComputedStyle(it).filter")


@pytest.mark.parametrize("people", [4, 10])
@pytest.mark.parametrize(("width", "height"), PHONES)
def test_points_between_two_games_are_centred_and_whole(stage, onlooker, people, width, height):
    names = (*NAMES, "Gus", "Hal", "Ivy", "Joe")[:people]
    match = stage.begun(*names, game="taken", hand_size=3)
    now = match.look()
    while now.state.stage != "ready":
        now = match.drift_unseen(now)
    page = onlooker(match.path, key=match.keys[0], width=width, height=height).page
    places = page.evaluate("""() => [...document.querySelectorAll(".order li")].map(it => {
      const [name, points, last, face] = ["b", "span", "small", ".face"].map(part =>
        it.querySelector(part).getBoundingClientRect())
      const middle = box => box.left + box.width / 2
      return [middle(name) - middle(points), Math.round(points.height), face.top, points.bottom]
    })""")
    assert max(abs(it[0]) for it in places) < 2
    assert len({it[1] for it in places}) == 1, "alike for all"
    for above, below in zip(places, places[5:], strict=False):
        crown = 0.55 * 24
        assert above[3] <= below[2] - crown + 3, "a crown covers no points"
