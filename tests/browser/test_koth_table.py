"""King of the Hill in a browser: the deal does not flood the network, time left is announced."""

import re
import time
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import boxes, pass_time
from tests.browser.moments import advised, moments
from tests.support.effort import LONG

NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve")
NOW = {"deal_interval": 0, "end": "rounds", "rounds": 1}


@pytest.fixture
def burying(stage):
    """Return a table whose king is burying under the default sixty seconds, and the king."""
    match = stage.begun(*NAMES, game="koth", pace="seed", **NOW)
    for seat in list(match.waiting):
        match.play(seat, "ready")
    for seat in list(match.waiting):
        match.play(seat, "pass")
    assert match.state.stage == "dead_hand"
    return match, match.state.king


def announced(page):
    """Record all announcements about time."""
    page.evaluate(
        """window.heard = []
        const region = document.getElementById("time")
        const hear = () => {
          if (region.textContent && region.textContent !== heard.at(-1))
            heard.push(region.textContent)
        }
        hear()
        new MutationObserver(hear).observe(region, {childList: true})"""
    )


def heard(page):
    return [int(re.search(r"\d+", text)[0]) for text in page.evaluate("heard")]


def test_new_match_table_is_as_wide_as_the_window(stage, guest):
    match = stage.begun(*NAMES, game="koth", **NOW)
    page = guest(match.path, key=match.keys[0], width=1366, height=650).page
    assert page.locator("#table.dealt").bounding_box()["width"] > 1300


# How far each card lies from its player's name, and from the middle of all cards, in widths.
GATHERED = """() => {
  const middle = it => it.x + it.width / 2
  const seats = [...document.querySelectorAll(".table-area .seat")].map(seat =>
    [".plate", ".card"].map(it => seat.querySelector(it).getBoundingClientRect()))
  const centre = seats.reduce((sum, [, card]) => sum + middle(card), 0) / seats.length
  return seats.map(([name, card]) => [
    Math.max(name.left - card.right, card.left - name.right, 0) / card.width,
    Math.max(card.top - name.bottom, name.top - card.bottom, 0) / card.width,
    Math.abs(middle(card) - centre) / card.width,
  ])
}"""


def moment(name):
    return next(it for it in moments() if (it.game, it.name) == ("koth", name))


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (1920, 1080)])
def test_desktop_gathers_the_cards_beside_their_names(stage, guest, width, height):
    scene = moment("last-call").scene(stage)
    page = guest(scene.path, key=scene.key, width=width, height=height).page
    places = page.evaluate(GATHERED)
    assert len(places) == 4
    for aside, below, from_centre in places:
        assert aside <= 0.6
        assert below <= 0.6
        assert from_centre <= 3.2  # a fanned pair has room in each column


# Where the four players, the band of trumps and the words of the rail are.
PLACES = """() => {
  const felt = document.querySelector(".table-area").getBoundingClientRect()
  const middle = it => it.x + it.width / 2 - (felt.x + felt.width / 2)
  const faces = [...document.querySelectorAll(".table-area .face")].map(it => {
    const place = it.getBoundingClientRect()
    return [Math.round(middle(place)), Math.round(place.y)]
  })
  const band = document.querySelector(".role").getBoundingClientRect()
  const words = document.querySelector("#status").getBoundingClientRect()
  return [faces, Math.round(band.y), Math.round(words.x)]
}"""


def test_laptop_players_keep_symmetric_places_in_every_stage(stage, guest):
    found = []
    for name in ("last-call", "bury", "call", "lead", "follow"):
        scene = moment(name).scene(stage)
        page = guest(scene.path, key=scene.key, width=1366, height=650).page
        found.append(page.evaluate(PLACES))
        faces = sorted(found[-1][0])
        for (left, one), (right, other) in ((faces[0], faces[3]), (faces[1], faces[2])):
            assert abs(left + right) <= 1, name
            assert one == other, name
    places, bands, words = zip(*found, strict=True)
    assert places == places[:1] * len(places)
    assert words == words[:1] * len(words)
    _, burying, *others = bands
    assert {bands[0]} == set(others)
    assert burying < bands[0]  # the hand has two rows then


# Where each opponent's tag is from the middle of the face: to the right, and below; and its size.
TAGS = """() => [...document.querySelectorAll(".table-area .plate .tag")].map(it => {
  const [tag, face] = [it, it.closest(".plate").querySelector(".face")].map(it =>
    it.getBoundingClientRect())
  const right = tag.x + tag.width / 2 - face.x - face.width / 2
  return [right, tag.y - face.y, tag.width, tag.height].map(Math.round)
})"""


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1366, 650)])
def test_sides_have_one_place_on_all_plates(stage, guest, width, height):
    scene = moment("follow").scene(stage)
    page = guest(scene.path, key=scene.key, width=width, height=height).page
    page.evaluate(PAIRS, 0)
    tags = page.evaluate(TAGS)
    assert len(tags) == 4
    for places in list(zip(*tags, strict=True))[:2]:
        assert max(places) - min(places) <= 4, tags
    assert width > 500 or all(wide == high for *_, wide, high in tags), tags


def test_phone_moves_nothing_while_the_hand_shrinks(stage, guest):
    match = stage.begun(*NAMES, game="koth", pace="untimed", **NOW)
    places, sizes = set(), []
    for held in (20, 14, 7, 2):
        while match.state.stage != "trick" or len(match.state.hands[0]) > held:
            match.drift()
        page = guest(match.path, key=match.keys[0], width=360, height=740).page
        card = page.locator(".fan .card").first
        sizes.append(card.evaluate("it => Math.round(it.offsetWidth)"))
        lowest = max(it["y"] + it["height"] for it in boxes(page, ".fan .card"))
        own = page.locator(".p0 .down").bounding_box()["y"]
        duty = page.locator(".duty").bounding_box()
        places.add(tuple(map(round, (lowest, own, duty["y"], duty["height"]))))
    assert len(places) == 1, places
    assert sizes[0] == sizes[1] < sizes[2] == sizes[3]  # seven cards are larger in the same room


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1366, 650)])
def test_what_a_trick_is_worth_covers_no_card(stage, guest, width, height):
    scene = moment("follow").scene(stage)
    page = guest(scene.path, key=scene.key, width=width, height=height).page
    mark = page.locator(".down .mark").bounding_box()
    card = page.locator(".seat .down .card").first.bounding_box()
    duty = page.locator(".duty").bounding_box()
    assert mark["y"] >= card["y"] + card["height"]
    assert mark["y"] + mark["height"] <= duty["y"]


def test_lifted_card_that_would_win_lights_its_place(stage, guest):
    scene = moment("follow").scene(stage)
    page = guest(scene.path, key=scene.key, width=1366, height=650).page
    place = page.locator(".p0 .down")
    style = "it => getComputedStyle(it).borderTopStyle"
    assert place.evaluate(style) == "dashed"
    page.locator(".wins input").first.evaluate("it => it.click()")
    assert place.evaluate(style) == "solid"


def test_a_card_that_makes_no_pair_takes_the_place_of_those_chosen(stage, guest):
    scene = moment("lead").scene(stage)
    page = guest(scene.path, key=scene.key, width=360, height=780).page
    twin = page.locator(".my-cards .pair input").first
    ticks = page.locator(f'.my-cards input[value="{twin.get_attribute("value")}"]')
    other = page.locator(".my-cards input[name=pick]").first
    for tick in (other, *ticks.all()):
        tick.evaluate("it => it.click()")
    assert [it.is_checked() for it in (other, *ticks.all())] == [False, True, True]
    expect(page.locator(".go button")).to_be_enabled()
    other.evaluate("it => it.click()")
    assert [it.is_checked() for it in (other, *ticks.all())] == [True, False, False]


def following(stage, lead, hand, joined=False):
    """Return a table at which cards were led, and the seat that follows with this hand; the called
    card is among them if `joined`.
    """
    match = stage.begun(*NAMES, game="koth", pace="untimed", **NOW)
    while match.state.stage != "trick" or not match.state.trick:
        match.drift()

    def arrange(transaction):
        state = transaction.state
        state.trump_suit, state.trick = "S", [list(lead)]
        state.hands[state.turn] = list(hand)
        if joined:
            state.called, state.joined = None, True
            state.defenders = [state.turn, state.leader]
            state.koth = state.turn
        transaction.take(state, [])

    stage.tables.change(match.code, arrange)
    return match, match.state.turn


RAISED = """() => [...document.querySelectorAll(".fan .card")].map((it, n) =>
  getComputedStyle(it).translate === "none" ? -1 : n).filter(n => n >= 0)"""


def test_third_card_takes_the_place_of_the_first_of_two(stage, guest):
    match, seat = following(stage, ("8H", "8H"), ["9H", "7H", "6H", "KC"])
    page = guest(match.path, key=match.keys[seat], width=360, height=780).page
    ticks = page.locator(".my-cards input[name=pick]")
    for tick in ticks.all():
        tick.evaluate("it => it.click()")
    assert [it.is_checked() for it in ticks.all()] == [False, True, True]


@pytest.mark.parametrize("scripts", [True, False])
def test_compulsory_card_is_raised_and_played_with_the_chosen_one(stage, guest, scripts):
    match, seat = following(stage, ("8H", "8H"), ["9H", "KC", "KC", "4C"])
    visitor = guest(match.path, key=match.keys[seat], width=360, height=780, scripts=scripts)
    page = visitor.page
    assert page.evaluate(RAISED) == [0]
    page.locator(".fan input").first.check(force=True)
    assert page.evaluate(RAISED) == [0, 1]
    page.locator(".fan input").nth(2).check(force=True)
    assert page.evaluate(RAISED) == [0, 3]
    page.locator(".go button").click()
    expect(page.locator(".p0 .down .card")).to_have_count(2)
    assert match.state.trick[1] == ["9H", "4C"]


def test_pair_that_must_be_played_is_lifted_as_one(stage, guest):
    match, seat = following(stage, ("8H", "8H"), ["9H", "9H", "7H", "7H", "6H", "KC", "KC"])
    page = guest(match.path, key=match.keys[seat], width=360, height=780).page
    for place, raised in ((0, [0, 1]), (3, [2, 3]), (2, [2, 3])):
        page.locator(".fan input").nth(place).check(force=True)
        assert page.evaluate(RAISED) == raised
    page.locator(".go button").click()
    expect(page.locator(".p0 .down .card")).to_have_count(2)
    assert match.state.trick[1] == ["7H", "7H"]


@pytest.mark.parametrize("language", ["en", "fr", "sw", "ar"])
@pytest.mark.parametrize("hand", ["9H", "KC"])
def test_called_card_is_said_before_ones_turn_within_two_lines(stage, guest, language, hand):
    match, seat = following(stage, ("8H",), [hand, "4C"], joined=True)
    visitor = guest(key=match.keys[seat], width=360, height=740)
    setting = {"name": "kb-settings", "value": f"language={language}", "url": visitor.url}
    visitor.context.add_cookies([setting])
    visitor.page.goto(match.path)
    status = visitor.page.locator("#status")
    expect(status).to_contain_text(re.compile("Called card|carte appelée|iliyoitwa|المستدعاة"))
    lines = "it => it.offsetHeight / parseFloat(getComputedStyle(it).lineHeight)"
    assert status.evaluate(lines) < 2.1


@pytest.mark.parametrize("name", ["follow", "round-over"])
def test_desktop_shows_a_round_and_its_end_on_one_screen(stage, guest, name):
    scene = moment(name).scene(stage)
    page = guest(scene.path, key=scene.key, width=1366, height=650).page
    ring = page.locator(".ring").bounding_box()
    assert ring["y"] + ring["height"] <= 650


def test_cards_that_may_be_played_stand_out(stage, guest):
    scene = moment("follow").scene(stage)
    page = guest(scene.path, key=scene.key, width=360, height=740).page
    look = "it => [getComputedStyle(it).filter, getComputedStyle(it).boxShadow]"
    unfit = page.locator(".fan span.card").first.evaluate(look)
    fit = page.locator(".fan label.card").first.evaluate(look)
    assert "brightness" in unfit[0]
    assert fit[0] == "none"
    assert fit[1] != unfit[1]


def test_vote_on_a_phone_hides_no_line_of_the_rail(stage, guest):
    scene = moment("follow-vote").scene(stage)
    page = guest(scene.path, key=scene.key, width=360, height=640).page
    top = page.locator(".go button").bounding_box()["y"]
    for it in ("#status", ".action-bar .face", ".action-bar .plate small"):
        place = page.locator(it).first.bounding_box()
        assert place["height"] > 10
        assert place["y"] + place["height"] <= top + 1, it


def test_log_keeps_five_lines_once_there_are_earlier_rounds(stage, guest):
    scene = moment("round-over").scene(stage)
    page = guest(scene.path, key=scene.key, width=1366, height=650).page
    expect(page.get_by_text("Rounds so far")).to_be_visible()
    assert page.locator("#log").bounding_box()["height"] >= 5 * 24
    folded = page.locator(".side > :last-child").bounding_box()
    assert folded["y"] + folded["height"] <= 650


def test_round_end_fits_a_short_phone(stage, guest):
    scene = moment("round-over").scene(stage)
    page = guest(scene.path, key=scene.key, width=360, height=640).page
    ring = page.locator(".ring").bounding_box()
    assert ring["y"] + ring["height"] <= 640


@pytest.mark.parametrize("height", [640, 740])
def test_phone_shows_the_rounds_of_a_match_rather_than_its_last_trick(stage, guest, height):
    match = stage.begun(*NAMES, game="koth", pace="untimed", **NOW)
    now = match.look()
    while now.state.stage != "over":
        now = match.drift_unseen(now)
    page = guest(match.path, key=match.keys[0], width=360, height=height).page
    expect(page.locator(".hill thead")).to_be_visible()
    expect(page.locator(".hill tbody tr")).to_have_text([re.compile("Round 1")])
    expect(page.locator(".final .card").first).not_to_be_visible()
    ring = page.locator(".ring.over").bounding_box()
    assert ring["y"] + ring["height"] <= height


def test_played_cards_overlap_alike_in_arabic(stage, guest):
    scene = moment("follow").scene(stage)
    visitor = guest(key=scene.key, width=360, height=740)
    setting = {"name": "kb-settings", "value": "language=ar", "url": visitor.url}
    visitor.context.add_cookies([setting])
    visitor.page.goto(scene.path)
    played = visitor.page.locator(".seat .down:has(.card)").first
    assert played.evaluate("it => getComputedStyle(it).direction") == "ltr"


OUTSIDE_THE_PLATE = """() => {
  const rail = document.querySelector(".action-bar").getBoundingClientRect()
  const line = document.querySelector(".action-bar .plate small")
  const range = document.createRange()
  range.selectNodeContents(line)
  const says = document.querySelector("#status").getBoundingClientRect()
  return [...range.getClientRects()].filter(it => it.width > 1 && (
    it.left < rail.left || it.right > says.left || it.bottom > rail.bottom)).length
}"""


MANY = """it => {
  const words = document.createTreeWalker(it, NodeFilter.SHOW_TEXT)
  while (words.nextNode()) words.currentNode.data = words.currentNode.data.replace(/^0/, "115")
}"""


@pytest.mark.parametrize("language", ["en", "fr", "sw"])
def test_phone_king_sees_rank_and_points_below_the_avatar(burying, guest, language):
    match, king = burying
    visitor = guest(key=match.keys[king], width=360, height=740)
    setting = {"name": "kb-settings", "value": f"language={language}", "url": visitor.url}
    visitor.context.add_cookies([setting])
    page = visitor.page
    page.goto(match.path)
    expect(page.locator(f'html[lang="{language}"]')).to_be_attached()
    plate = page.locator(".action-bar .plate")
    expect(page.locator(".duty.boom")).to_be_visible()
    lines = plate.locator("small").evaluate("it => it.getBoundingClientRect().height")
    assert 12 < lines < 30  # two lines each
    plate.locator("small").evaluate(MANY)
    assert page.evaluate(OUTSIDE_THE_PLATE) == 0


def test_phone_rail_stays_put_when_suits_and_clock_appear(stage, person):
    match = stage.begun(*NAMES, game="koth", **NOW)
    page = person(match.path, key=match.keys[0], width=360, height=740).page
    before = page.locator(".action-bar").bounding_box()
    for seat in list(match.waiting):
        match.play(seat, "ready")
    expect(page.locator(".action-bar .acts button")).to_have_count(3)  # two suits, pass
    expect(page.locator(".action-bar .clock")).to_be_visible()
    expect(page.get_by_role("button", name="More time")).to_be_visible()
    assert page.locator(".action-bar").bounding_box() == before


@pytest.mark.parametrize("seconds", [0.3, 0.1])
def test_deal_updates_a_page_at_most_three_times_a_second(stage, guest, seconds):
    match = stage.begun(*NAMES, game="koth", deal_interval=seconds)
    ann = guest(match.path, key=match.keys[0])
    expect(ann.page.locator("#status")).to_contain_text("Round 1")
    for seat in list(match.waiting):
        match.play(seat, "ready")
    expect(ann.page.locator("#status")).to_contain_text("Dealing")
    ann.page.evaluate(
        """() => {
          window.shown = 0
          const count = () => shown++
          new MutationObserver(count).observe(document.getElementById("ver"), {attributes: true})
        }"""
    )
    began = time.monotonic()
    shown = 0
    while shown < 12 and match.state.stage == "deal":
        ann.page.wait_for_timeout(200)
        shown = ann.page.evaluate("shown")
    took = time.monotonic() - began
    dealt = ann.page.locator(".dealt")
    expect(dealt).to_contain_text("cards dealt")
    assert 8 <= shown <= 3 * took + 1
    behind = sum(map(len, match.state.hands)) - int(dealt.inner_text().split()[0])
    if LONG:  # a busy machine draws later
        assert behind <= 1 + 1 / seconds, "the shown time is less than a second old"


def test_players_time_limit_is_announced_first_and_near_its_end(burying, person):
    match, king = burying
    page = person(key=match.keys[king]).page
    page.clock.install()
    page.goto(match.path)
    announced(page)
    page.locator(".my-cards input[name=pick]").first.focus()
    held = page.evaluate_handle("document.activeElement")
    page.clock.run_for(2000)
    (first,) = heard(page)
    assert 50 <= first <= 60
    pass_time(page, first - 4, step=1)
    told = heard(page)
    assert len(told) == 4, "announced only at half the time, 20 and 10"
    for seconds, moment in zip(told[1:], (first / 2, 20, 10), strict=True):
        assert moment - 2 <= seconds <= moment + 0.5  # both are rounded
    assert page.evaluate("held => document.activeElement === held", held), "the focus stays"
    assert int(page.locator(".clock").inner_text().split()[0]) <= 5, "it continues automatically"


def test_others_time_is_shown_but_not_announced(burying, person):
    match, king = burying
    page = person(key=match.keys[(king + 1) % 5]).page
    page.clock.install()
    page.goto(match.path)
    announced(page)
    shown = int(page.locator(".clock").inner_text().split()[0])
    assert 50 <= shown <= 60
    pass_time(page, shown - 25, step=1)
    left, *words = page.locator(".clock").inner_text().split()
    assert 20 <= int(left) <= 27
    assert words == ["seconds", "left"]
    assert heard(page) == []


def test_refresh_is_silent_and_more_time_is_announced(burying, person):
    match, king = burying
    ann = person(match.path, key=match.keys[king])
    announced(ann.page)
    expect(ann.page.locator("#time")).to_contain_text("You have", timeout=3000)
    shown = ann.page.locator("#ver").input_value()
    match.play(king, f"draft {match.state.hands[king][0]}")  # from another device
    expect(ann.page.locator("#ver")).not_to_have_value(shown)
    ann.page.wait_for_timeout(2200)
    assert len(heard(ann.page)) == 1
    match.post((king + 1) % 5, "more")
    expect(ann.page.locator("#time")).to_contain_text("You have 1", timeout=3000)  # a hundred odd
    assert len(heard(ann.page)) == 2
    # After reconnecting, the page continues with the current state.
    ann.expect("ERR_INTERNET_DISCONNECTED", "Failed to fetch", "network error")
    ann.context.set_offline(True)
    ann.page.wait_for_timeout(1500)
    ann.context.set_offline(False)
    ann.page.wait_for_timeout(2500)
    assert len(heard(ann.page)) == 2
    ann.page.reload()
    expect(ann.page.locator("#time")).to_contain_text("You have", timeout=3000)


def test_without_scripts_the_time_left_is_right_at_each_load(burying, person):
    match, king = burying
    ann = person(match.path, key=match.keys[king], scripts=False)
    first = int(ann.page.locator(".clock").inner_text().split()[0])
    ann.page.wait_for_timeout(2000)
    ann.page.reload()
    second = int(ann.page.locator(".clock").inner_text().split()[0])
    assert 1 <= first - second <= 4


ROWS = """() => {
  const rows = {}
  for (const it of document.querySelectorAll(".fan p > span")) {
    const place = it.querySelector(".card").getBoundingClientRect()
    const row = rows[Math.round(it.getBoundingClientRect().top)] ??= []
    row.push(place.left, place.right)
  }
  return Object.values(rows).map(it => [it.length / 2, Math.min(...it), Math.max(...it)])
}"""


@pytest.mark.parametrize(("held", "rows"), [(20, [7, 7, 6]), (15, [5, 5, 5]), (8, [4, 4])])
@pytest.mark.parametrize("width", [360, 430])
def test_phone_hand_is_in_balanced_centred_rows(stage, guest, held, rows, width):
    match = stage.begun(*NAMES, game="koth", pace="untimed", **NOW)
    while match.state.stage != "trick" or len(match.state.hands[0]) > held:
        match.drift()
    page = guest(match.path, key=match.keys[0], width=width, height=780).page
    shown = page.evaluate(ROWS)
    assert [it[0] for it in shown] == rows
    for _, left, right in shown:
        assert abs(left + right - width) <= 6
        assert left >= 0
        assert right <= width


def test_first_trick_is_called_the_first(stage, guest):
    scene = moment("lead").scene(stage)
    match = stage.begun(*NAMES, game="koth", pace="untimed", **NOW)
    while match.state.stage != "trick":
        match.drift()
    page = guest(match.path, key=match.keys[0], width=360, height=780).page
    expect(page.locator("#status")).to_contain_text("first trick")
    page = guest(scene.path, key=scene.key, width=360, height=780).page
    expect(page.locator("#status")).to_contain_text("next")


def watching_the_last_trick(stage, person, width, height):
    """Return a match two cards before a round's end, and someone who has played their last card."""
    match = stage.begun(*NAMES, game="koth", deal_interval=0, pace="untimed")
    now = match.look()
    while sum(map(bool, now.state.hands)) != 2 or now.state.stage != "trick":
        now = match.drift_unseen(now)
    watching = (now.state.turn + 2) % len(NAMES)
    ann = person(match.path, key=match.keys[watching], still=False, width=width, height=height)
    return match, ann


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (360, 740)])
def test_rounds_last_trick_shows_every_card_at_first(stage, person, width, height):
    match, ann = watching_the_last_trick(stage, person, width, height)
    match.drift()
    ann.page.wait_for_timeout(600)  # the sheet of the end is fetched in advance
    match.drift()
    ann.page.locator(".final").wait_for()
    ann.page.wait_for_timeout(400)  # the last cards have fallen on the table
    sizes = ann.page.evaluate(
        "[...document.querySelectorAll('.final .card')].map(it => it.getBoundingClientRect().width)"
    )
    assert len(sizes) == len(NAMES)
    assert max(sizes) < 110
    assert min(sizes) > 0.8 * max(sizes), sizes


# In the first frame of a result: how far each last card is from the same card of the held table.
APART = """() => new MutationObserver(() => requestAnimationFrame(() => {
  const held = document.querySelector(".held")
  if (!held || window.apart) return
  const place = it => it.getBoundingClientRect()
  window.apart = [...document.querySelectorAll(".final [data-stays]")].map(it => {
    const lay = held.querySelector(`[id="${it.dataset.from.split(" ")[0]}"] .card`)
    return lay && Math.abs(place(lay).x - place(it.querySelector(".card")).x)
  })
})).observe(document.body, {childList: true, subtree: true})"""


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (360, 740)])
def test_rounds_last_cards_are_drawn_once(stage, person, width, height):
    match, ann = watching_the_last_trick(stage, person, width, height)
    match.drift()
    ann.page.wait_for_timeout(800)  # the sheet of the end is fetched, and the card lies there
    ann.page.evaluate(APART)
    match.drift()
    ann.page.wait_for_function("() => window.apart", timeout=20_000)
    found = ann.page.evaluate("window.apart")
    assert len(found) == len(NAMES)
    assert found.count(None) == 1  # the card that is played last
    assert all(far < 3 for far in found if far is not None), found


# While cards of the last trick leave, how visible the card led to the next one is.
SEEN_MEANWHILE = """() => {
  window.seen = []
  const look = () => {
    if (document.querySelector(".leaving"))
      document.querySelectorAll(".down:not(.past, .leaving):has(.card)")
        .forEach(it => seen.push(+getComputedStyle(it).opacity))
    requestAnimationFrame(look)
  }
  look()
}"""


def test_next_lead_is_seen_once_the_last_trick_has_left(stage, person):
    match = stage.begun(*NAMES, game="koth", pace="untimed", **NOW)
    while match.state.stage != "trick" or len(match.state.trick) != 4:
        match.drift()
    watching = (match.state.turn + 2) % len(NAMES)
    page = person(match.path, key=match.keys[watching], still=False).page
    match.drift()
    expect(page.locator(".past").first).to_be_visible()
    page.wait_for_timeout(900)
    page.evaluate(SEEN_MEANWHILE)
    match.drift()
    expect(page.locator(".past")).to_have_count(0)
    page.wait_for_timeout(800)
    seen = page.evaluate("seen")
    assert seen
    assert max(seen) < 0.2, seen
    lead = page.locator(".down:has(.card)")
    expect(lead).to_have_count(1)
    assert lead.evaluate("it => getComputedStyle(it).opacity") == "1"


# Every player has laid a pair, the one at that place is ahead, and all are on the king's side.
PAIRS = """ahead => {
  const pair = '<span class="card H" data-i="K"></span> <span class="card H" data-i="5"></span>'
  const mark = '<small class="mark">winning: <b>40 points</b></small>'
  const tag = ' <span class="tag boom">king’s side</span>'
  document.querySelectorAll(".table-area .tag").forEach(it => it.remove())
  document.querySelectorAll(".down").forEach(it => {
    const best = it.matches(`.p${ahead} *`)
    it.classList.toggle("best", best)
    it.innerHTML = pair + (best ? mark : "")
  })
  document.querySelectorAll(".table-area .plate").forEach(it => it.innerHTML += tag)
}"""
# What lies over something else on the table: cards, names, points, tags and marks.
OVERLAPS = """() => {
  const place = it => it.getBoundingClientRect()
  const held = [...document.querySelectorAll(".down:has(.card)")].map(it => {
    const cards = [...it.querySelectorAll(".card")].map(place)
    return {
      left: Math.min(...cards.map(it => it.left)), right: Math.max(...cards.map(it => it.right)),
      top: Math.min(...cards.map(it => it.top)), bottom: Math.max(...cards.map(it => it.bottom)),
    }
  })
  const words = ".table-area .plate > :is(.face, b, small, .tag), .duty"
  const others = [...document.querySelectorAll(words)].map(place)
  const both = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
  return held.flatMap((one, n) =>
    [...held.slice(n + 1), ...others].filter(it => both(one, it)).map(it => [one, it]))
}"""
# The middle of each player's column on a phone, and of the cards in it.
MIDDLES = """() => [...document.querySelectorAll(".table-area .seat")].map(it => {
  const middle = it => { const {x, width} = it.getBoundingClientRect(); return x + width / 2 }
  return [middle(it.querySelector(".plate")), middle(it.querySelector(".down"))]
})"""
# The least gap between the cards of two players who sit side by side.
APART_PAIRS = """() => {
  const all = [...document.querySelectorAll(".seat .down")].map(it => it.getBoundingClientRect())
  const [first, ...others] = all.sort((a, b) => a.x - b.x)
  return Math.min(...others.map((it, n) => it.x - [first, ...others][n].right))
}"""
SCREENS = [(360, 640), (360, 740), (430, 930), (1280, 800), (1366, 650), (1920, 1080)]


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_played_pairs_cover_no_other_card_and_no_name(stage, guest, width, height):
    scene = moment("follow").scene(stage)
    page = guest(scene.path, key=scene.key, width=width, height=height).page
    for ahead in range(5):
        page.evaluate(PAIRS, ahead)
        first, second = (page.locator(".p1 .down .card").nth(place) for place in range(2))
        seen = second.bounding_box()["x"] - first.bounding_box()["x"]
        assert seen >= (0.37 if width < 500 else 0.48) * first.bounding_box()["width"]
        apart = page.evaluate(APART_PAIRS)
        assert width > 500 or apart >= 8, apart
        middles = page.evaluate(MIDDLES)
        assert width > 500 or all(abs(name - card) <= 2 for name, card in middles), middles
        assert page.evaluate(OVERLAPS) == [], f"place {ahead} is ahead"


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1366, 650)])
def test_shown_card_covers_no_other_players_cards(stage, guest, width, height):
    scene = moment("follow").scene(stage)
    page = guest(scene.path, key=scene.key, width=width, height=height).page
    page.evaluate(
        """() => document.querySelectorAll(".down").forEach(it => {
          it.innerHTML = '<span class="card back" data-i="20"></span>'
        })"""
    )
    assert page.evaluate(OVERLAPS) == []


# The cards whose middle, or whose mark, is covered by something else; and the rows.
COVERED = """() => {
  const cards = [...document.querySelectorAll(".fan label.card")]
  const hit = (it, own) => {
    const place = it.getBoundingClientRect()
    const found = document.elementsFromPoint(place.x + place.width / 2, place.y + place.height / 2)
    return own.contains(found.find(it => it.matches(".card, .card *")))
  }
  const marks = [...document.querySelectorAll(".fan .mark")].filter(it => {
    const mark = it.getBoundingClientRect()
    const next = it.closest("span:not(.mark)").getBoundingClientRect()
    return mark.right > next.right + 1 || mark.bottom > next.bottom + 1
  })
  return [
    cards.filter(it => !hit(it, it)).length,
    marks.length,
    new Set(cards.map(it => Math.round(it.getBoundingClientRect().top))).size,
  ]
}"""


@pytest.mark.parametrize(
    ("width", "height"), [(1280, 650), (1280, 800), (1366, 650), (1920, 1080), (2560, 1440)]
)
def test_desktop_king_buries_from_two_open_rows(stage, guest, width, height):
    scene = moment("bury").scene(stage)
    page = guest(scene.path, key=scene.key, width=width, height=height).page
    assert page.evaluate(COVERED) == [0, 0, 2]
    fan = page.locator(".fan").bounding_box()
    rail = page.locator(".action-bar").bounding_box()
    assert fan["y"] >= rail["y"] + rail["height"] - 1
    assert fan["y"] + fan["height"] <= height
    chosen, duty = page.locator(".chosen").bounding_box(), page.locator(".duty").bounding_box()
    assert chosen["y"] + chosen["height"] <= duty["y"]
    expect(page.locator(".go .tally")).to_have_count(1)


# The marks on cards that are wider than what is seen of their card.
WIDE_MARKS = """() => [...document.querySelectorAll(".fan .mark")].filter(it => {
  const words = document.createRange(), seen = it.closest("p > span").getBoundingClientRect()
  words.selectNodeContents(it)
  return [words, it].some(it => it.getBoundingClientRect().width > seen.width)
}).map(it => it.textContent)"""


@pytest.mark.parametrize(("name", "marks"), [("call", 1), ("lead", 1), ("bury", 8)])
@pytest.mark.parametrize("language", ["en", "fr", "sw", "ar"])
def test_phone_marks_are_no_wider_than_their_cards(stage, guest, name, marks, language):
    scene = moment(name).scene(stage)
    visitor = guest(key=scene.key, width=360, height=740)
    setting = {"name": "kb-settings", "value": f"language={language}", "url": visitor.url}
    visitor.context.add_cookies([setting])
    page = visitor.page
    page.goto(scene.path)
    assert page.locator(".fan .mark").count() >= marks
    assert page.evaluate(WIDE_MARKS) == []


@pytest.mark.parametrize("height", [640, 740])
def test_phone_players_stay_in_view_during_the_call(stage, guest, height):
    scene = moment("call").scene(stage)
    page = guest(scene.path, key=scene.key, width=360, height=height).page
    cards = page.locator(".all .card")
    for name in page.locator(".table-area .plate b").all():
        box = name.bounding_box()
        assert box["y"] + box["height"] <= cards.first.bounding_box()["y"]
    assert len({round(it.bounding_box()["y"]) for it in cards.all()[:16]}) == 2
    hand = page.locator("#own .card").first.bounding_box()
    assert cards.first.bounding_box()["width"] > hand["width"]


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1366, 650)])
@pytest.mark.parametrize("name", ["last-call", "bury", "call"])
def test_larger_cards_leave_the_buttons_in_view(stage, guest, name, width, height):
    scene = moment(name).scene(stage)
    visitor = guest(key=scene.key, width=width, height=height)
    larger = {"name": "kb-settings", "value": "cards=larger&index=large", "url": visitor.url}
    visitor.context.add_cookies([larger])
    page = visitor.page
    page.goto(scene.path)
    for it in page.locator(".ring :is(.acts, .go) button, .fan:not(.all) .card").all():
        box = it.bounding_box()
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height


@pytest.mark.parametrize("language", ["en", "fr", "sw", "ar"])
def test_call_with_larger_cards_and_a_clock_fits_a_short_phone(stage, guest, language):
    match = stage.begun(*NAMES, game="koth", pace="seed", **NOW)
    while match.state.stage != "call":
        match.drift()
    visitor = guest(key=match.keys[match.state.king], width=360, height=640)
    settings = f"language={language}&cards=larger&index=large"
    visitor.context.add_cookies([{"name": "kb-settings", "value": settings, "url": visitor.url}])
    page = visitor.page
    page.goto(match.path)
    expect(page.locator(".clock")).to_be_visible()
    expect(page.locator(".says p")).to_have_count(1)
    ring = page.locator(".ring").bounding_box()
    assert ring["y"] + ring["height"] <= 640


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1366, 650)])
def test_hint_to_bury_points_to_marks_and_moves_nothing(stage, guest, width, height):
    scene = moment("bury").scene(stage)
    page = guest(scene.path, key=scene.key, width=width, height=height).page
    before = page.locator(".action-bar").bounding_box()
    scene = replace(moment("bury"), name="bury-advice", reach=advised(moment("bury").reach))
    scene = scene.scene(stage)
    page.goto("about:blank")
    page = guest(scene.path, key=scene.key, width=width, height=height).page
    assert page.locator(".action-bar").bounding_box() == before
    expect(page.locator(".advice")).to_contain_text("Bury the marked cards")
    expect(page.locator(".advice .visually-hidden")).to_contain_text(" of ")
    framed = page.locator(".fan span:has([data-best])").all()
    assert len(framed) == 8
    for slot in framed:
        frame = slot.evaluate("""it => {
          const {borderRightStyle, width} = getComputedStyle(it, "::after")
          return [borderRightStyle, parseFloat(width)]
        }""")
        card = slot.locator(".card").bounding_box()
        assert frame[0] == "dotted"
        assert abs(frame[1] - card["width"]) <= 2


@pytest.mark.parametrize("language", ["fr", "sw", "ar"])
def test_hint_to_bury_fits_a_laptops_rail(stage, guest, language):
    heights = []
    for reach in (moment("bury").reach, advised(moment("bury").reach)):
        scene = replace(moment("bury"), name=f"bury-{len(heights)}", reach=reach).scene(stage)
        visitor = guest(key=scene.key, width=1366, height=650)
        setting = {"name": "kb-settings", "value": f"language={language}", "url": visitor.url}
        visitor.context.add_cookies([setting])
        visitor.page.goto(scene.path)
        heights.append(visitor.page.locator(".action-bar").bounding_box()["height"])
    assert heights[0] == heights[1]


# The cards with a tick, those with a frame, and what is seen of the points among the chosen ones.
TICKED = """() => {
  const cards = [...document.querySelectorAll(".fan label.card")]
  const tick = it => getComputedStyle(it.parentNode, "::before").content.includes("✓")
  const framed = it => getComputedStyle(it).boxShadow.includes("255, 181, 46")
  const cost = getComputedStyle(document.querySelector(".cost"))
  return [tick, framed].map(it => cards.flatMap((card, n) => it(card) ? [n] : []))
    .concat(cost.visibility)
}"""


@pytest.mark.parametrize(("width", "height"), [(360, 740), (820, 1180), (1366, 650)])
def test_cards_to_bury_stand_out_and_their_points_are_said(stage, guest, width, height):
    scene = moment("bury").scene(stage)
    page = guest(scene.path, key=scene.key, width=width, height=height).page
    assert page.evaluate(TICKED) == [[], [], "hidden"]
    values = page.locator(".fan input").evaluate_all("all => all.map(it => it.value[0])")
    worthless = next(n for n, it in enumerate(values) if it not in "5TK")
    costly = [n for n, it in enumerate(values) if it in "5TK"][-1]
    page.locator(".fan input").nth(worthless).evaluate("it => it.click()")
    assert page.evaluate(TICKED) == [[worthless], [worthless], "hidden"]
    page.locator(".fan input").nth(costly).evaluate("it => it.click()")
    both = sorted([worthless, costly])
    assert page.evaluate(TICKED) == [both, both, "visible"]


def test_button_says_that_a_card_held_twice_means_to_play_alone(stage, guest):
    scene = moment("call").scene(stage)
    page = guest(scene.path, key=scene.key, width=1366, height=650).page
    button, status = page.locator(".go button"), page.locator("#status")
    whole = "it => getComputedStyle(it).clipPath"
    once = page.locator(".all span:not(.twice) > label > input")
    once.first.evaluate("it => it.click()")
    expect(button).to_have_accessible_name("Call")
    assert status.evaluate(whole) == "none"
    page.locator(".all").first.evaluate("it => it.querySelector('span').classList.add('twice')")
    page.locator(".twice input").first.evaluate("it => it.click()")
    expect(button).to_have_accessible_name("Call: play alone")
    assert status.evaluate(whole) != "none"  # it speaks of a teammate
    expect(page.locator(".says p").first).to_contain_text("you play alone")
    raised = page.locator(".all label:has(:checked)").bounding_box()
    for rank in page.locator(":is(.p2, .p3) .plate small").all():
        box = rank.bounding_box()
        assert box["y"] + box["height"] <= raised["y"] + 1


def test_button_looks_usable_only_if_it_is(stage, guest):
    scene = moment("lead").scene(stage)
    visitor = guest(scene.path, key=scene.key, width=360, height=740)
    visitor.expect("422")  # nothing is chosen
    page = visitor.page
    button = page.locator(".go button")
    expect(button).to_be_enabled()
    edge = "it => getComputedStyle(it).borderStyle"
    assert button.evaluate(edge) == "dashed"
    button.click()
    expect(page.locator("#notice")).to_be_visible()
