"""A table fits one screen: it is fully in view, nothing overlaps, and nothing jumps."""

import re
import time
from collections import defaultdict
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from kaboom.engine.fairness.commitment import new_seed
from kaboom.games import GAMES, sample
from kaboom.lobby import service as lobby
from kaboom.tables import start_match
from kaboom.tables.table import Hints
from tests.browser.chromium import box, boxes
from tests.browser.moments import drifted, moments, the_table
from tests.browser.stage import SEED, all_ready, pass_turn
from tests.support.effort import LONG, PATIENCE, often, some

SIZES = ((1366, 650), (360, 640), (360, 740), (820, 1180), (1280, 800))
# For Kaboom the moments of a round among four; for the others those of their samples.
KABOOM = ("peek", "own-turn", "drawn", "ability", "looked", "waiting", "give", "match-over")
WAITING = ("collecting", "flip-sealed", "flip-question", "round-over", "crowded")
AT_THE_GATE = ("kaboom-own-turn-advice", "koth-follow-vote")
ALL = {f"{it.game}-{it.name}": it for it in moments()}
NOTES = {name: it for name, it in ALL.items() if name.endswith(("-vote", "-advice"))}
MOMENTS = {
    name: it
    for name, it in ALL.items()
    if name not in NOTES
    and it.at is the_table
    and (it.name in KABOOM if it.game == "kaboom" else it.name not in ("paused", "deciding-ahead"))
}
WHOLE = [*MOMENTS, *(NOTES if LONG else AT_THE_GATE), *(f"kaboom-{name}" for name in WAITING)]


def sizes_of(name):
    """Return the screens for a moment: in `make test` a laptop, a small phone, and one of the
    others in turn.
    """
    return SIZES if LONG else (*SIZES[:2], SIZES[2 + WHOLE.index(name) // 3 % 3])


# Moments with an unchanged rail: not at the end, and not while a king's 28 cards lie in two rows
# before a laptop, where the rail gives them the room.
LAPTOP = 1152
KEPT_WITHIN = 4  # px: how far a rail may move between moments
SAME_RAIL = {name for name in MOMENTS if not name.endswith("over")}
# The faults of a screen: the ring ends below it, it is wider, or a control cannot be pressed in its
# middle. Elements for screen readers only are ignored.
WRONG = """() => {
  const wrong = [], ring = document.querySelector(".ring").getBoundingClientRect()
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the screen")
  if (ring.bottom > innerHeight + 1) wrong.push(`higher by ${ring.bottom - innerHeight}`)
  document.querySelectorAll(".ring:not(.last) :is(button, a.button, label.card)").forEach(it => {
    const box = it.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2
    const there = document.elementFromPoint(x, y), words = it.textContent.trim()
    if (!it.checkVisibility() || it.closest(".visually-hidden")) return
    const felt = it.closest(".table-area"), lies = felt?.getBoundingClientRect()
    if (felt?.scrollHeight > felt?.clientHeight && (y > lies.bottom || y < lies.top)) return
    if (!there) wrong.push(`out of view: ${words}`)
    else if (!it.contains(there) && !there.contains(it)) {
      // In a fan a card's own part is what the next one leaves of it, on its left.
      const part = document.elementFromPoint(box.x + 12, box.y + 22)
      if (!part || !it.contains(part)) wrong.push(`below ${there.outerHTML.slice(0, 60)}: ${words}`)
    }
  })
  document.querySelectorAll(".ring:not(.last) .table-area .plate > *").forEach(it => {
    const {x, y, width, height} = it.getBoundingClientRect()
    const card = [.1, .5, .9].some(n =>
      document.elementFromPoint(x + width * n, y + height / 2)?.closest(".card"))
    if (width > 1 && card) wrong.push(`below a card: ${it.textContent.trim()}`)
  })
  document.querySelectorAll(".ring *").forEach(it => {
    if (["sticky", "fixed"].includes(getComputedStyle(it).position)) wrong.push("sticks: " + it.id)
  })
  return wrong
}"""

# At 360 px the status has at most two lines and is not cut off. Controls on own cards are as large
# as a thumb (Kaboom's penalty cards half as large). A card's index is not covered, and no own card
# is cut off at the table's edge.
READ = """(most = 2) => {
  const wrong = [], status = document.getElementById("status"), line = document.createRange()
  line.selectNodeContents(status)
  const seen = [...status.childNodes].filter(it => it.nodeType === 3), text = document.createRange()
  if (seen.length) {
    text.setStartBefore(seen[0]), text.setEndAfter(seen.at(-1))
    const tops = new Set([...text.getClientRects()].map(it => Math.round(it.top)))
    if (tops.size > most) wrong.push(`${tops.size} lines: ${status.textContent}`)
    if (text.getBoundingClientRect().bottom > innerHeight) wrong.push("what happens is cut off")
  }
  document.querySelectorAll(".ring:not(.last) .my-cards :is(button, label).card").forEach(it => {
    const box = it.getBoundingClientRect(), least = it.closest(".extra") ? 24 : 44
    if (!it.checkVisibility()) return
    const at = (x, y) => it.contains(document.elementFromPoint(box.x + x, box.y + y))
    const words = it.textContent.trim()
    if (!at(4, least - 4) || !at(least - 4, 4)) wrong.push(`smaller than a thumb: ${words}`)
    const em = parseFloat(getComputedStyle(it).fontSize)
    if (!at(.6 * em, 1.1 * em) || !at(1.1 * em, 2 * em)) wrong.push(`index covered: ${words}`)
  })
  document.querySelectorAll(".ring:not(.last) .my-cards .card").forEach(it => {
    const box = it.getBoundingClientRect(), table = it.closest(".ring").getBoundingClientRect()
    if (box.left < table.left || box.right > table.right)
      wrong.push(`cut off: ${it.textContent.trim()}`)
  })
  return wrong
}"""
# A face in dark mode is still paper: its luminance by WCAG. TakeN's 55 is red.
PAPER = """() => [...document.querySelectorAll(
  ".ring .card:not(.back, .none, [data-p='7'])")].map(it => {
  const rgb = getComputedStyle(it).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(c => c / 255)
  const [r, g, b] = rgb.map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
  return .2126 * r + .7152 * g + .0722 * b
}).filter(it => it < .75)"""

# Lifting: cards that can be ticked or chosen show no box, each has a focus ring, and a lifted card
# rises at once (reduced motion) while nothing else moves: in the rail's text only what the card
# would do takes the place of the last result. With forced colours it has a distinct border, and so
# does a winning card.
LIFTED = """async (forced) => {
  const wrong = [], style = it => getComputedStyle(it)
  const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  const all = [...document.querySelectorAll(".ring:not(.last) label.card:has(input:enabled)")]
    .filter(it => !it.querySelector(":checked") && it.checkVisibility())
  const places = () => [...document.querySelectorAll(".ring *")]
    .filter(it => !it.closest("label.card") && (!it.closest(".says") || it.matches(".next")))
    .map(it => Object.values(it.getBoundingClientRect().toJSON()).map(Math.round).join())
  for (const card of new Set([all.at(0), all.at(-1)])) {
    if (!card) continue
    const box = card.querySelector("input"), words = card.textContent.trim()
    const top = card.getBoundingClientRect().y
    if (style(box).opacity !== "0") wrong.push(`a box is seen on ${words}`)
    const before = places(), plain = style(card).borderTopWidth + style(card).borderTopColor
    box.focus({preventScroll: true, focusVisible: true})
    if (style(card).outlineStyle === "none" || parseFloat(style(card).outlineWidth) < 2)
      wrong.push(`no ring on ${words}`)
    box.click()
    await drawn()
    if (card.getBoundingClientRect().y > top - 4) wrong.push(`not lifted: ${words}`)
    if (String(places()) !== String(before)) wrong.push(`something moved with ${words}`)
    if (forced && plain === style(card).borderTopWidth + style(card).borderTopColor)
      wrong.push(`lifted by its shadow alone: ${words}`)
    box.checked = false
  }
  const winning = document.querySelectorAll(".best .card, .last-round .new:not(.lost) .card")
  if (forced) winning.forEach(it => {
    if (style(it).outlineStyle === "none") wrong.push(`wins by a shadow alone: ${it.textContent}`)
  })
  document.activeElement.blur()
  return wrong
}"""

# How much of the table must be scrolled for.
SCROLLS = "(it => it.scrollHeight - it.clientHeight)(document.querySelector('.table-area'))"

TRAVELLED = """() => {
  const animate = Element.prototype.animate
  Element.prototype.animate = function (frames, timing) {
    window.travelled = timing.duration
    return animate.call(this, frames, timing)
  }
}"""


@pytest.fixture(scope="module")
def scenes(stage):
    """Return the address of a moment, prepared once."""
    found = {}

    def led(name):
        if name not in found:
            found[name] = ALL[name].scene(stage)
        return found[name]

    return led


@pytest.fixture(scope="module")
def rails():
    """The edges of the rail by match, screen and moment."""
    return defaultdict(dict)


def counted_wrong(page):
    """Tick three cards; return the requests this causes, and whether the number of ticked cards is
    invisible. The button looks different for each, since the style sheet counts.
    """
    asked, looks = [], set()

    def notice(request):
        asked.append(request.url)

    page.on("request", notice)
    boxes = page.locator(".my-cards label.card input:not(:disabled):not(:checked)")
    tally = page.locator(".tally").first
    for _ in range(3):
        looks.add(tally.screenshot())
        boxes.first.evaluate("it => it.click()")
    looks.add(tally.screenshot())
    page.remove_listener("request", notice)
    return [f"{len(looks)} looks for 4 numbers"] * (len(looks) < 4) + [
        url for url in asked if "/events" not in url
    ]


ASKING = some([name for name, it in ALL.items() if it.ask is not None], every=4)


@pytest.mark.parametrize("name", ASKING)
def test_confirmation_moves_neither_rail_nor_own_cards(scenes, onlooker, name):
    scene = scenes(name)
    page = onlooker(key=scene.key).page
    places = {}
    for path in (scene.path.partition("?")[0], scene.path):
        page.goto(path)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            seen = [box(page, it) for it in (".action-bar", ".my-cards .card")]
            places.setdefault((width, height), []).append(seen)
    assert page.locator("#asks").is_visible()
    moved = {
        size: (before, asked)
        for size, (before, asked) in places.items()
        for one, other in zip(before, asked, strict=True)
        if any(abs(one[it] - other[it]) > 5 for it in ("x", "y", "height"))
    }
    assert not moved


@pytest.mark.parametrize("name", some(WHOLE, every=5))
def test_the_whole_table_is_in_view_and_nothing_covers_a_control(scenes, onlooker, rails, name):
    scene = scenes(name)
    *others, first = sizes_of(name)
    page = onlooker(scene.path, key=scene.key, width=first[0], height=first[1]).page
    wrong = {}
    for width, height in (first, *reversed(others)):
        page.set_viewport_size({"width": width, "height": height})
        found = page.evaluate(WRONG) + (page.evaluate(READ, 2) if width == 360 else [])
        if found:
            wrong[width, height] = found
        if name in SAME_RAIL and (name != "koth-bury" or width < LAPTOP):
            seen = rails[ALL[name].game, ALL[name].people, width, height]
            rail = box(page, ".action-bar")
            seen[name] = rail["y"], rail["height"]
            if any(max(it) - min(it) > KEPT_WITHIN for it in zip(*seen.values(), strict=True)):
                wrong["rail", width, height] = dict(seen)
    page.emulate_media(forced_colors="active")
    wrong["lifted"] = page.evaluate(LIFTED, True)
    page.emulate_media(color_scheme="dark", forced_colors="none")
    wrong["lifted in the dark"] = page.evaluate(LIFTED, False)
    if page.evaluate("!!document.querySelector('.tally')"):
        wrong["counted"] = counted_wrong(page)
    wrong = {where: found for where, found in wrong.items() if found}
    darker = page.evaluate(PAPER)
    assert not wrong and not darker, (wrong, darker)


def alone_with_bots(stage, game, **options):
    stage.ids.seed = lambda: SEED
    match = stage.opened("Ann", game=game, **options)
    stage.ids.seed = new_seed
    usual = GAMES[game].seats(GAMES[game].options(**options))
    for _ in range(min(max(4, usual[0]), usual[-1]) - 1):
        lobby.add_bot(stage.tables, match.code, match.players[0])
    start_match.start(stage.tables, match.code, match.players[0])
    return match


@pytest.mark.parametrize("game", some(GAMES))
def test_a_table_with_bots_fits_one_screen_on_a_small_phone(stage, onlooker, game):
    """The bots' levels are shown beside their names."""
    options = {"deal_interval": 0, "pace": "untimed"} if game == "koth" else {}
    match = alone_with_bots(stage, game, **options)
    page = onlooker(match.path, key=match.keys[0], width=360, height=640).page
    expect(page.locator(".action-bar.mine")).to_be_visible()
    assert page.evaluate(WRONG) == []


@pytest.mark.parametrize("game", ["kaboom", "taken", "koth"])
def test_match_end_with_bots_fits_a_small_phone(stage, onlooker, game):
    """The tallest results: Kaboom with all cards, TakeN with a free chair, King of the Hill with a
    trick and places.
    """
    match = alone_with_bots(stage, game, **sample(game).short)
    while match.look().table.playing:
        if 0 in match.waiting:
            match.drift()
    page = onlooker(match.path, key=match.keys[0], width=360, height=640).page
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    assert page.evaluate(WRONG) == []


# Top and height of the rail's buttons and of those that play own cards.
ROW = """() => [...document.querySelectorAll(
  ".ring:not(.last) :is(.acts, .go) :is(button, a.button)")].map(it => {
  const {y, height} = it.getBoundingClientRect()
  return [y, height]
})"""
PLAYED_BY_A_BUTTON = [
    name for name in MOMENTS if name.endswith(("bid", "choose", "lead", "bury", "call", "pass"))
]


@pytest.mark.parametrize("name", some(PLAYED_BY_A_BUTTON, every=3))
def test_phone_hint_is_aligned_with_the_card_buttons(stage, onlooker, name):
    scene = ALL[name].scene(stage)
    stage.tables.change(scene.path[3:], lambda t: setattr(t.table, "hints", Hints.ALL))
    visitor = onlooker(key=scene.key, width=360, height=640)
    for language in ("en", "fr", "sw"):
        visitor.page.set_extra_http_headers({"Accept-Language": language})
        visitor.page.goto(scene.path)
        assert visitor.page.locator("#hint").count() == 1
        row = visitor.page.evaluate(ROW)
        assert len(row) > 1
        if "bid" in name:  # seven numbers or more are two rows, with the hint in the second
            row = [it for it in row if it[0] > row[-2][0] - 1]
        for of_all in zip(*row, strict=True):
            assert max(of_all) - min(of_all) < 1, (language, row)


@pytest.mark.parametrize("language", some(("en", "fr", "sw"), every=3, first=2))
def test_king_among_bots_reaches_all_buttons_on_a_small_phone(stage, onlooker, language):
    """The king may ask for a hint and take a move back, so the rail is at its fullest."""
    match = alone_with_bots(stage, "koth", deal_interval=0, pace="untimed")
    visitor = onlooker(key=match.keys[0], width=360, height=640)
    visitor.page.set_extra_http_headers({"Accept-Language": language})
    wrong = {}
    while "play" not in wrong:
        while 0 not in match.waiting:  # bots think
            time.sleep(0.02)
        offers = match.prompt(0).offers
        visitor.page.goto(match.path)
        wrong[offers[0].verb] = visitor.page.evaluate(WRONG) + visitor.page.evaluate(READ, 2)
        offer = next((it for it in offers if it.verb == "declare"), offers[0])
        if offer.verb != "play":
            match.play(0, " ".join((offer.verb, *offer.options[: offer.most])))
    assert {"ready", "pass", "bury", "call"} < set(wrong)
    assert not {verb: found for verb, found in wrong.items() if found}


def test_declare_button_in_the_deal_is_within_reach_on_a_phone(stage, onlooker):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", "Eve", game="koth", deal_interval=0.3)
    all_ready(match)
    visitor = onlooker(match.path, key=match.keys[0], width=360, height=640)
    expect(visitor.page.locator(".acts button").first).to_be_visible()
    for language in ("en", "fr", "sw"):
        visitor.page.set_extra_http_headers({"Accept-Language": language})
        visitor.page.reload()
        assert visitor.page.evaluate("document.documentElement.lang") == language
        assert visitor.page.evaluate("!!document.querySelector('.acts .button')"), "to premove"
        assert visitor.page.evaluate(WRONG) + visitor.page.evaluate(READ, 2) == []
    assert match.state.stage == "deal", "the match ended before all had looked"


def test_drawn_card_on_a_laptop_moves_neither_rail_nor_own_cards(stage, guest):
    """Even with hints, the buttons leave the text as much room as before."""
    match = stage.opened("Ann")
    for _ in range(3):
        lobby.add_bot(stage.tables, match.code, match.players[0])
    start_match.start(stage.tables, match.code, match.players[0])
    match.play(0, "ready")
    page = guest(match.path, key=match.keys[0], width=1366, height=650).page
    draw = page.locator(".action-bar").get_by_role("button", name="Draw")
    expect(draw).to_be_visible(timeout=1000 * PATIENCE)
    places = [".action-bar", ".my-cards .grid >> nth=0"]
    before = [page.locator(it).bounding_box() for it in places]
    draw.click()
    expect(page.locator("#status")).to_contain_text("You hold the")
    assert page.evaluate(WRONG) == []
    assert [page.locator(it).bounding_box() for it in places] == before


FULL = {"kaboom": (6, {"max_players": 6}), "gops": (3, {"players": 3}), "taken": (10, {})}
LONG_NAMES = ("Maximiliana von Hohenber", "Bartholomew Featherstone", "Wanjiku wa Kamau-Otieno")


@pytest.mark.parametrize("game", FULL)
def test_a_full_table_of_long_names_cuts_no_card_off(stage, onlooker, game):
    people, options = FULL[game]
    match = stage.begun(*(LONG_NAMES * 4)[:people], game=game, **options)
    if game == "kaboom":  # the end of a round has the most text
        all_ready(match)
        match.play(match.state.turn, "kaboom")
        for _ in range(people - 1):
            pass_turn(match)
    page = onlooker(match.path, key=match.keys[0], width=360, height=740).page
    assert page.evaluate(OUT_OF_REACH) == []
    if game == "gops":  # bids and prize lie beside each other
        assert len({round(it["y"]) for it in boxes(page, ".duel .bid")}) == 1
        assert box(page, ".action-bar")["y"] < 740 - 60
    page.set_viewport_size({"width": 1366, "height": 650})
    assert page.evaluate(OUT_OF_REACH) == []
    ring = box(page, ".ring")
    for card in boxes(page, ".table-area .seat .card"):
        assert ring["left"] <= card["left"] and card["right"] <= ring["right"]


LONG_NAMED = [("koth", 5, ".result"), ("gops", 2, ".run"), ("taken", 4, ".lanes")]


@pytest.mark.parametrize(("game", "people", "below"), LONG_NAMED)
def test_long_names_move_nothing_on_a_phone(stage, onlooker, game, people, below):
    places = []
    for names in (("Ann", "Ben", "Cid", "Dot", "Eve"), LONG_NAMES * 2):
        match = stage.begun(*names[:people], game=game)
        page = onlooker(match.path, key=match.keys[0], width=360, height=740).page
        places.append([box(page, it)["y"] for it in (".action-bar", below)])
    assert places[0] == places[1]


def test_choosing_a_card_moves_no_row_of_taken(stage, guest):
    match = stage.begun("Maximiliana", "Bartholomew", "Wanjiku", "Evangelina", game="taken")
    page = guest(match.path, key=match.keys[0], width=360, height=740).page
    rows = boxes(page, ".lane")
    for seat in (1, 2, 3):
        offer = match.prompt(seat).offers[0]
        match.play(seat, f"{offer.verb} {offer.options[0]}")
        expect(page.locator(".crowd b", has_text="✓")).to_have_count(seat)
        assert boxes(page, ".lane") == rows


def test_waiting_room_on_a_desktop_has_no_empty_band(scenes, onlooker):
    scene = scenes("kaboom-lobby")
    page = onlooker(scene.path, key=scene.key, width=1280, height=800).page
    chairs = box(page, ".chairs")
    below = page.get_by_role("heading", name="Kaboom", exact=True).last.bounding_box()
    assert 0 < below["y"] - chairs["y"] - chairs["height"] < 60
    page.set_viewport_size({"width": 1366, "height": 650})
    chairs = box(page, ".chairs")
    assert chairs["y"] + chairs["height"] <= 650, "the viewer's chair is the lowest"


@pytest.mark.parametrize("width", [1280, 1366])
def test_waiting_room_on_a_laptop_shows_the_chat_at_once(scenes, onlooker, width):
    scene = scenes("kaboom-lobby")
    page = onlooker(scene.path, key=scene.key, width=width, height=650).page
    felt, invite, chat = box(page, ".chairs"), box(page, ".invite"), box(page, "#chat")
    assert felt["y"] == invite["y"] == chat["y"] < 200
    assert felt["x"] < invite["x"] < chat["x"]
    assert 0 < box(page, ".about-game")["y"] - felt["y"] - felt["height"] < 20


# Elements beyond the edge of a table, which cannot be scrolled sideways.
OUT_OF_REACH = """() => [...document.querySelectorAll(
  ".ring:not(.last) :is(button, a.button, label.card, .card:not(.back))")]
  .filter(it => it.checkVisibility() && !it.closest(".visually-hidden, .ghost"))
  .filter(it => {
    const {left, right, width} = it.getBoundingClientRect()
    return width && (left < -1 || right > innerWidth + 1)
  }).map(it => it.textContent.trim() || it.className)"""
LARGE_TEXT = (
    "kaboom-own-turn",
    "taken-choose",
    "taken-take",
    "gops-bid",
    "gops-three",
    "karata-turn",
    "karata-ask-suit",
    "koth-follow",
    "koth-bury",
    "koth-call",
)


@pytest.mark.parametrize("name", some(LARGE_TEXT, every=4))
def test_doubled_text_keeps_every_phone_card_in_reach(scenes, onlooker, name):
    """At 360 pixels with doubled text, a phone has room for half as much."""
    scene = scenes(name)
    page = onlooker(scene.path, key=scene.key, width=180, height=370).page
    assert page.evaluate(OUT_OF_REACH) == []


# Overlaps: own cards over the rail, or the count of chosen cards over the text on trumps.
OVERLAPS = """() => {
  const box = it => it.getBoundingClientRect(), all = it => [...document.querySelectorAll(it)]
  const rail = box(document.querySelector(".action-bar"))
  const [chosen, role] = [".chosen", ".role span"].map(it => document.querySelector(it))
  return [
    ...all(".my-cards .card").filter(it => box(it).bottom > rail.top + 1).map(it => it.textContent),
    ...[chosen].filter(it => it && role && box(it).top < box(role).bottom - 1
      && box(it).bottom > box(role).top + 1).map(it => it.textContent),
  ]
}"""


LARGER = {  # a moment with a full hand of each game
    "kaboom": "kaboom-own-turn",
    "gops": "gops-bid",
    "karata": "karata-turn",
    "koth": "koth-bury",
    "taken": "taken-choose",
    "hearts": "hearts-pass",
    "oh_hell": "oh_hell-bid",
}


@pytest.mark.parametrize(
    "name", [*(LARGER[game] for game in GAMES if game in LARGER), "gops-tied", "gops-tied-often"]
)
def test_larger_cards_do_not_overlap_and_are_not_cut_off(scenes, onlooker, name):
    scene = scenes(name)
    visitor = onlooker(key=scene.key, width=360, height=640)
    larger = {"name": "kb-settings", "value": "cards=larger&index=large", "url": visitor.url}
    visitor.context.add_cookies([larger])
    visitor.page.goto(scene.path)
    assert visitor.page.evaluate(OUT_OF_REACH) == []
    assert visitor.page.evaluate(OVERLAPS) == []
    for width, height in ((360, 740), (1366, 650)):  # these show all of it
        visitor.page.set_viewport_size({"width": width, "height": height})
        assert visitor.page.evaluate(WRONG) == []
    visitor.page.set_viewport_size({"width": 360, "height": 740})
    assert visitor.page.evaluate(OVERLAPS) == []


# `make test` takes every third moment in one of them, in turn.
SPOKEN = [
    (name, language)
    for n, name in enumerate(name for name in MOMENTS if "over" not in name)
    for m, language in enumerate(("sw", "fr", "xx"))
    if LONG or (n + m) % 9 == 0
]


@pytest.mark.parametrize(("name", "language"), SPOKEN)
def test_longer_words_make_no_table_wider(scenes, onlooker, name, language):
    scene = scenes(name)
    visitor = onlooker(key=scene.key)
    visitor.page.set_extra_http_headers({"Accept-Language": language})
    visitor.page.goto(scene.path)
    assert visitor.page.evaluate("document.documentElement.lang") == language
    for width in (320, 360, 1366):
        visitor.page.set_viewport_size({"width": width, "height": 740})
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width
        if width == 360:  # half as long again takes one more line, still uncut
            assert visitor.page.evaluate(READ, 3 if language == "xx" else 2) == []
        if width > 320 and language != "xx":  # with these a table may be higher than the screen
            visitor.page.set_viewport_size({"width": width, "height": 640 if width == 360 else 650})
            assert visitor.page.evaluate(WRONG) == []


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (360, 740)])
def test_turn_in_progress_moves_neither_rail_nor_own_cards(stage, guest, width, height):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    all_ready(match)
    ann = guest(match.path, key=match.keys[0], width=width, height=height).page
    parts = [".action-bar", "#seat-0 li:first-child", "#seat-2 li:first-child"]

    def places():
        expect(ann.locator("#ver")).to_have_value(str(match.revision(0)))
        ann.wait_for_timeout(350)
        return [box(ann, part) for part in parts]

    before = places()
    for seat in range(4):
        for move in ("draw", "keep", f"replace {seat}.1"):
            match.play(seat, move)
            assert places() == before, (seat, move)


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (820, 1180), (360, 740)])
def test_vote_moves_no_rail_or_own_cards_and_covers_nothing(stage, guest, width, height):
    match = stage.begun("Ann", "Ben", "Cid", rounds=2)
    all_ready(match)
    page = guest(match.path, key=match.keys[0], width=width, height=height).page
    guest(match.path, key=match.keys[1])
    kept = ("#status", "#seat-0 li:first-child", *((".table-area",) if width == 1366 else ()))
    before = [box(page, part) for part in kept]
    match.post(1, "propose", about="pause")
    agree = page.get_by_role("button", name="Agree", exact=True)
    expect(agree).to_be_in_viewport()
    after = [box(page, part) for part in kept]
    if width > 360:
        assert after == before
    else:  # the vote is part of the rail, above the status
        assert abs(after[1]["y"] - before[1]["y"]) <= 8
    vote, felt = (box(page, part) for part in (".vote", ".table-area"))
    if width == 1366:  # beside the table, where there is room
        assert felt["x"] + felt["width"] <= vote["x"]
        side = box(page, ".side")
        assert vote["y"] + vote["height"] <= side["y"]
    else:
        assert felt["y"] + felt["height"] <= vote["y"] + 1
    assert page.evaluate(SCROLLS) <= 1
    for part in (".table-area .plate >> nth=0", "#stock .card", "#discard .card"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("height", [740, 640])
def test_phone_vote_keeps_kaboom_opponents_in_view(stage, guest, height):
    """The opponents are slightly smaller during the vote."""
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    all_ready(match)
    page = guest(match.path, key=match.keys[0], width=360, height=height).page
    guest(match.path, key=match.keys[1])
    match.post(1, "propose", about="pause")
    vote = page.locator(".vote")
    expect(vote).to_be_visible()
    for seat in (1, 2, 3):
        assert box(page, f"[id='at-{seat}.5']")["bottom"] <= vote.bounding_box()["y"]
    assert page.evaluate(SCROLLS) == 0


# Elements with less room than they need, so that more than a shadow overlaps the next.
SQUEEZED = """() => [...document.querySelectorAll(".table-area > *")]
  .filter(it => it.clientHeight && it.scrollHeight > it.clientHeight + 8)
  .map(it => `${it.className}: ${it.scrollHeight} in ${it.clientHeight}`)"""
# A mark like those on avatars, placed over the whole table: does it cover a vote?
OVER = """() => {
  const mark = document.createElement("i"), ring = document.querySelector(".ring")
  const {x, y, width, height} = document.querySelector(".vote").getBoundingClientRect()
  mark.className = "badge"
  Object.assign(mark.style, {display: "block", inset: 0, pointerEvents: "auto"})
  ring.append(mark)
  const there = document.elementFromPoint(x + width / 2, y + height / 2)
  mark.remove()
  return there === mark
}"""


@pytest.mark.parametrize("name", some(NOTES, every=3))
def test_phone_vote_or_hint_is_not_covered(name, scenes, onlooker):
    """Elements that a vote moves keep their size."""
    scene = scenes(name)
    page = onlooker(scene.path, key=scene.key, width=360, height=740).page
    if name.endswith("-vote"):
        assert not page.evaluate(OVER)
    else:
        assert page.locator(".action-bar .advice").count() == 1
        assert page.evaluate(HINT_HIDDEN) == []
    assert page.evaluate(SQUEEZED) == []


@pytest.mark.parametrize("height", [640, 740])
def test_penalty_cards_at_a_full_table_hide_no_pile_on_a_phone(scenes, onlooker, height):
    """They fit into the existing rows, so nothing has to be scrolled into view."""
    scene = scenes("kaboom-crowded")
    page = onlooker(scene.path, key=scene.key, width=360, height=height).page
    assert (
        page.locator(".table-area .extra").count()
        and page.locator(".my-cards .extra li").count() > 2
    )
    assert page.evaluate(SCROLLS) <= 1
    for pile in ("#stock", "#drawn", "#discard"):
        expect(page.locator(pile)).to_be_in_viewport(ratio=1)


def test_home_first_screen_shows_how_to_start_a_table(onlooker):
    page = onlooker("/", width=1366, height=650).page
    assert page.locator(".shelf li").count() == len(GAMES)
    expect(page.locator(".shelf li").last).to_be_in_viewport(ratio=1)
    start = page.get_by_role("button", name="Start a table", exact=True)
    expect(start).not_to_be_in_viewport()
    page.locator(".hero").get_by_role("link", name="Start a table", exact=True).click()
    expect(start).to_be_in_viewport(ratio=1)


# Lifting


@pytest.fixture
def bidding(stage, guest):
    match = stage.begun("Ann", "Ben", game="gops")
    return match, guest(match.path, key=match.keys[0], width=360, height=740)


def card(page, value):
    return page.locator(f'label.card:has(input[value="{value}"])')


ROWS_OF_THE_HAND = """() => {
  const rows = {}
  for (const card of document.querySelectorAll(".my-cards .hand > *")) {
    const {left, right, top} = card.getBoundingClientRect();
    (rows[top] ??= []).push([left, right])
  }
  return Object.values(rows).map(row =>
    [row.length, row[0][0], innerWidth - row.at(-1)[1]])
}"""


WIDER = """[...document.querySelectorAll(".panel")]
  .filter(it => it.scrollWidth > it.clientWidth).map(it => it.innerText)"""


@pytest.mark.parametrize("people", [2, 3])
def test_gops_ties_make_no_side_panel_wider_inside_than_its_box(people, stage, guest):
    match = stage.begun(*("Ann", "Robin", "Cid")[:people], game="gops", players=people)
    for rank in "23456":  # bids that tie, then one that wins six prizes
        for seat, suit in enumerate("SCH"[:people]):
            match.play(seat, f"bid {rank}{suit}")
    for seat, bid in enumerate(("7S", "TC", "8H")[:people]):
        match.play(seat, f"bid {bid}")
    page = guest(match.path, key=match.keys[0], width=1366, height=650).page
    assert page.evaluate(WIDER) == []
    drifted("over", most=3000)(match)
    page.reload()
    assert page.evaluate(WIDER) == []


def test_gops_short_last_row_is_centered_on_a_phone(bidding):
    """Left-aligned, it looked as if cards were missing, especially with few cards."""
    _, ann = bidding
    ann.page.set_viewport_size({"width": 360, "height": 740})
    rows = ann.page.evaluate(ROWS_OF_THE_HAND)
    assert [cards for cards, _, _ in rows] == [7, 6]
    assert all(abs(left - right) <= 4 for _, left, right in rows), rows


@pytest.mark.parametrize("height", [640, 740])
def test_gops_prize_is_as_large_as_own_cards_on_a_phone(bidding, height):
    """In the first round, and later beside the previous prize."""
    match, ann = bidding
    ann.page.set_viewport_size({"width": 360, "height": height})
    for bids in (("2S", "7C"), ("3S", "6C")):
        prize, own = (
            ann.page.locator(f"{it} .card").first.evaluate("it => it.offsetWidth")
            for it in (".offer", ".my-cards .hand")
        )
        assert prize >= own
        assert ann.page.evaluate(WRONG) == []
        for seat, bid in enumerate(bids):
            match.play(seat, f"bid {bid}")
        expect(ann.page.locator(".last-round")).to_be_visible()
        ann.page.reload()


ROWS = """() => {
  const cards = [...document.querySelectorAll(".my-cards .hand .card")]
  const tops = cards.map(it => it.offsetParent.offsetTop)
  const rows = [...new Set(tops)].map(top => tops.filter(it => it == top).length)
  return {rows, shown: (Math.max(...tops) - Math.min(...tops)) / cards[0].offsetHeight}
}"""


def test_phone_hand_of_gops_has_rows_of_equal_length(bidding):
    match, ann = bidding
    ann.page.set_viewport_size({"width": 360, "height": 740})
    for rank, rows in (
        ("A", [7, 6]),
        ("2", [6, 6]),
        ("3", [6, 5]),
        ("4", [5, 5]),
        ("5", [5, 4]),
        ("6", [4, 4]),
    ):
        ann.page.reload()
        found = ann.page.evaluate(ROWS)
        assert found["rows"] == rows
        assert found["shown"] > 0.8
        match.play(0, f"bid {rank}S")
        match.play(1, f"bid {rank}C")


HIDDEN_DOTS = """() => {
  const cards = [...document.querySelectorAll(".my-cards .hand .card")].map(it => {
    const {left, top, bottom} = it.getBoundingClientRect()
    return {left, top, dots: bottom - parseFloat(getComputedStyle(it, "::after").bottom)}
  })
  return cards.filter(it => cards.some(other =>
    other.top > it.top && Math.abs(other.left - it.left) < 2 && other.top < it.dots)).length
}"""


def test_taken_lower_hand_row_hides_no_points_of_the_upper(stage, guest):
    match = stage.begun("Ann", "Ben", game="taken")
    page = guest(match.path, key=match.keys[0], width=360, height=740).page
    expect(page.locator(".my-cards .hand .card")).to_have_count(10)
    assert page.evaluate(HIDDEN_DOTS) == 0


def test_phone_hand_of_taken_leaves_no_card_alone(stage, guest):
    match = stage.begun("Ann", "Ben", game="taken", hand_size=6)
    page = guest(match.path, key=match.keys[0], width=360, height=740).page
    assert page.evaluate(ROWS)["rows"] == [3, 3]


def test_phone_points_are_labeled_points(bidding):
    """A first-time player cannot guess what a bare number under an avatar means."""
    _, ann = bidding
    for place in (".action-bar .plate", ".rivals .plate"):
        unit = ann.page.locator(f"{place} .unit")
        assert unit.bounding_box()["width"] > 20
        expect(unit).to_have_css("clip-path", "none")


def test_first_tap_lifts_a_card_and_second_tap_plays_it(bidding):
    match, ann = bidding
    card(ann.page, "5S").click()
    card(ann.page, "9S").click()
    assert match.state.bids == [None, None]
    lifted = card(ann.page, "9S").bounding_box()
    ann.page.wait_for_timeout(200)
    ann.page.mouse.click(lifted["x"] + lifted["width"] / 2, lifted["y"] + lifted["height"] / 4)
    expect(ann.page.locator("#status")).to_contain_text("Waiting")
    assert match.state.bids == ["9S", None]


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (360, 740)])
def test_without_scripts_a_move_leads_back_to_the_whole_table(stage, guest, width, height):
    """The response leads to the status line, which has the cards above it."""
    match = stage.begun("Ann", "Ben", game="gops")
    ann = guest(key=match.keys[0], scripts=False, width=width, height=height)
    ann.page.goto(f"{match.path}#status")
    assert box(ann.page, "#status")["y"] < height
    assert box(ann.page, ".duel h2")["y"] > 0


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (360, 640)])
def test_a_refusal_without_scripts_fits_the_rail(scenes, guest, width, height):
    scene = scenes("taken-choose")
    visitor = guest(scene.path, key=scene.key, scripts=False, width=width, height=height)
    visitor.expect("409|422")
    play = visitor.page.get_by_role("button", name="Play", exact=True)
    play.click()
    expect(visitor.page.locator("#notice")).to_be_visible()
    refusal, status = box(visitor.page, "#notice"), box(visitor.page, "#status")
    assert refusal["top"] >= status["bottom"] + 3, "the outline of the status is between them"
    below = play.bounding_box()["y"] if width < 400 else box(visitor.page, ".my-cards .card")["y"]
    assert refusal["bottom"] <= below


def test_a_lifted_card_is_played_by_the_button_without_scripts(stage, guest):
    match = stage.begun("Ann", "Ben", game="gops")
    ann = guest(match.path, key=match.keys[0], scripts=False)
    card(ann.page, "5S").click()
    ann.page.get_by_role("button", name="Bid").click()
    assert match.state.bids == ["5S", None]


def test_a_lifted_card_stays_lifted_while_others_move(bidding):
    match, ann = bidding
    card(ann.page, "5S").click()
    match.play(1, "bid 5C")
    expect(ann.page.locator("#ver")).to_have_value(str(match.revision(0)))
    assert ann.page.locator("[name=pick]:checked").get_attribute("value") == "5S"


def test_a_card_is_lifted_and_played_by_arrows_and_enter(bidding):
    match, ann = bidding
    ann.page.locator("[name=pick]").first.focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        ann.page.keyboard.press(key)
    expect(ann.page.locator("#status")).to_be_focused()
    assert match.state.bids == ["3S", None]


# Motion


@pytest.fixture
def drawing(stage, guest):
    """Return a function that opens a page on which Ann has just drawn a card, `still` or
    animated.
    """

    def drawn(still):
        match = stage.begun("Ann", "Ben", rounds=2)
        all_ready(match)
        ann = guest(match.path, key=match.keys[0], still=still).page
        ann.evaluate(TRAVELLED)
        ann.get_by_role("button", name="Draw a card", exact=True).click()
        return ann

    return drawn


def test_drawn_card_comes_from_the_stock_and_is_usable_at_once(drawing):
    ann = drawing(still=False)
    # The time is only checked on a quiet machine.
    own = ann.locator(".my-cards button.card").first
    own.click(timeout=often(1000 * PATIENCE, soak=1000))
    assert 0 < ann.evaluate("window.travelled") <= 300
    expect(ann.locator("#status")).not_to_contain_text("You hold")


def test_reduced_motion_removes_all_animation(drawing):
    ann = drawing(still=True)
    ann.locator("[data-from=stock]").wait_for()
    assert not ann.evaluate("window.travelled")
    assert ann.evaluate("document.getAnimations().map(it => it.animationName || it.id)") == []


# Card backs, and the end


BACKS = """() => [...document.querySelectorAll(".ring .back")].map(it => [
  it.className, it.textContent,
  ...it.getAttributeNames().filter(n => n !== "class" && n !== "value"),
].join(" ").replace(/\\b(top|bottom|left|right|middle)\\b/g, ""))"""


def test_card_backs_of_a_grid_look_alike(scenes, onlooker):
    scene = scenes("kaboom-waiting")
    backs = onlooker(scene.path, key=scene.key).page.evaluate(BACKS)
    kinds = {back.split(":")[-1].split(",")[-1] for back in backs}
    assert len(backs) > 20
    assert len(kinds) <= 3, kinds  # in a grid, held by a player, the stock


@pytest.mark.parametrize(
    "name", some([name for name in MOMENTS if name.endswith("match-over")], every=3)
)
def test_ending_shows_a_large_winner_all_places_and_a_rematch(scenes, onlooker, name):
    scene = scenes(name)
    page = onlooker(scene.path, key=scene.key, width=360, height=640).page
    size = page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('.ending h2')).fontSize)"
    )
    assert size >= 2.3 * 16
    seats = len(MOMENTS[name].game and page.locator(".podium li").all())
    assert seats >= 2
    expect(page.get_by_role("button", name="Play again")).to_be_in_viewport()


@pytest.mark.parametrize("name", ["koth-follow"])
def test_played_card_is_near_its_seat_and_winner_is_marked(scenes, onlooker, name):
    scene = scenes(name)
    page = onlooker(scene.path, key=scene.key).page
    nearest = page.evaluate("""() => {
      const middle = it => { const b = it.getBoundingClientRect()
        return [b.x + b.width / 2, b.y + b.height / 2] }
      const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1])
      const seats = [...document.querySelectorAll(".table-area .plate")].map(it =>
        [it.parentElement.querySelector(".down .card"), middle(it)])
      return seats.filter(it => it[0]).map(([card, own]) =>
        seats.every(it => far(middle(card), own) <= far(middle(card), it[1]) + 1))
    }""")
    assert nearest and all(nearest)
    assert re.search(r"winning(: \d+ points)?", page.locator(".best").inner_text())


PLACES = {
    "stock",
    "seat",
    "hand",
    "drawn",
    "at",
    "deck",
    "pile",
    "own",
    "bid",
    "prize",
    "row",
    "backs",
}


@pytest.mark.parametrize("game", GAMES)
def test_card_origin_names_a_place_not_a_card(stage, game):
    """`data-from` names elements of the page: piles, seats, places of a grid, own cards."""
    for glimpse in sample(game).glimpses[:2]:
        moment = next(it for it in moments() if (it.game, it.name) == (game, glimpse.name))
        scene = moment.scene(stage)
        html = stage.get(scene.path, scene.key)
        for part in html.split('data-from="')[1:]:
            for name in part.split('"')[0].split():
                assert name.split("-")[0] in PLACES


def test_waiting_phone_player_sees_the_news_and_their_points(scenes, onlooker):
    """On a phone the log is below the screen; on a wide one it is beside the table."""
    scene = scenes("kaboom-waiting")
    page = onlooker(scene.path, key=scene.key).page
    lately, points = page.locator(".action-bar .lately"), page.locator(".action-bar .plate small")
    page.set_viewport_size({"width": 360, "height": 740})
    happened = [it.strip() for it in page.locator("#log li").all_text_contents()]
    assert lately.inner_text().split("\n") == happened[:-4:-1]
    assert points.inner_text().split()[0] == "0"
    assert points.bounding_box()["height"] > 8
    page.set_viewport_size({"width": 1280, "height": 800})
    assert not lately.is_visible()


# Hints

HINTED = sorted({it.removesuffix("-advice") for it in NOTES if it.endswith("-advice")})
LYING = """() => [...document.querySelectorAll(
  ".action-bar, .acts button, .ring:not(.last) :is(.table-area, .my-cards) :is(.card, .plate)"
)].map(it => {
  const {x, y, width, height} = it.getBoundingClientRect()
  return [x, y, width, height]
})"""
# A hint's words and its target, if that is not visible. What is clipped still lies at its middle.
HINT_HIDDEN = """() => [...document.querySelectorAll(".advice, [data-best]")].filter(it => {
  const {x, y, width, height} = it.getBoundingClientRect()
  const there = document.elementFromPoint(x + width / 3, y + height / 3)
  return !there || !(it.contains(there) || it.closest(".card")?.parentNode.contains(there))
}).map(it => it.outerHTML)"""


@pytest.mark.parametrize("name", [*HINTED, "kaboom-drawn"])
def test_rail_hint_shifts_nothing_and_highlights_its_target(stage, guest, name):
    scene = ALL[name].scene(stage)
    stage.tables.change(scene.path[3:], lambda t: setattr(t.table, "hints", Hints.ALL))
    page = guest(scene.path, key=scene.key, width=1366, height=650).page
    assert not page.evaluate(HINT_HIDDEN)
    lying = {}
    languages = some(("sw", "fr", "en"), every=3, first=[*HINTED, "kaboom-drawn"].index(name) % 3)

    def looked_at():
        for language in languages:
            page.set_extra_http_headers({"Accept-Language": language})
            page.reload()
            for width, height in SIZES[:2]:
                page.set_viewport_size({"width": width, "height": height})
                lying.setdefault((language, width), []).append(page.evaluate(LYING))
                assert page.evaluate(HINT_HIDDEN) == []

    looked_at()
    page.locator("#hint-go").click()
    expect(page.locator(".action-bar .advice")).to_be_visible()
    assert page.locator("[data-best]").count() >= 1  # also while a form is being filled in
    looked_at()
    assert page.locator(".note").count() == 0
    for where, (before, after) in lying.items():
        moved = [
            it for it in zip(before, after, strict=True) if it[0] != pytest.approx(it[1], abs=4)
        ]
        assert not moved, (where, moved)


@pytest.mark.parametrize("game", ["gops", "kaboom", "koth"])
def test_waiting_room_fits_a_laptop(stage, onlooker, game):
    match = stage.opened("Ann", "Ben", game=game)
    page = onlooker(match.path, key=match.keys[0], width=1366, height=650).page
    bottom = "all => Math.max(...all.map(it => it.getBoundingClientRect().bottom))"
    assert page.locator(".chair, #prompt button").evaluate_all(bottom) <= 650


# For each mark of a player who has chosen: is it on the avatar, most of which stays to be seen?
MARKS = """() => [...document.querySelectorAll(".ring .seat small > b")].map(it => {
  const mark = it.getBoundingClientRect()
  const face = it.closest(".plate").querySelector(".face").getBoundingClientRect()
  const wide = Math.min(mark.right, face.right) - Math.max(mark.left, face.left)
  const high = Math.min(mark.bottom, face.bottom) - Math.max(mark.top, face.top)
  return wide > 0 && high > 0 && wide * high < 0.35 * face.width * face.height
})"""
CUT_NAMES = """() => [...document.querySelectorAll(".ring .seat .plate > b")]
  .filter(it => it.scrollWidth > it.clientWidth).map(it => it.textContent)"""


@pytest.mark.parametrize(("game", "people"), [("gops", 2), ("taken", 4), ("taken", 6)])
@pytest.mark.parametrize(("width", "height"), [(360, 740), (1366, 650)])
def test_names_are_whole_and_marks_are_on_the_avatars(stage, onlooker, game, people, width, height):
    match = stage.begun(*("Guest", "Robin", "Chip", "Wanja", "Fay", "Gus")[:people], game=game)
    offer = match.prompt(1).offers[0]
    match.play(1, f"{offer.verb} {offer.options[0]}")
    key = match.keys[0] if people == 6 else ""
    page = onlooker(match.path, key=key, width=width, height=height).page
    assert page.evaluate(MARKS) == [True]
    assert page.evaluate(CUT_NAMES) == []


LOOKS = """() => ["#status", ".says", ".go button", ".my-cards .card"].map(it => {
  const {outlineStyle, borderStyle, boxShadow} = getComputedStyle(document.querySelector(it))
  return [outlineStyle, borderStyle, boxShadow]
})"""
AMBER = "rgb(255, 181, 46)"


@pytest.mark.parametrize("name", ["gops-bid", "taken-choose"])
def test_cards_look_pressable_and_their_button_only_with_one(scenes, guest, name):
    scene = scenes(name)
    page = guest(scene.path, key=scene.key, width=360, height=740).page
    page.evaluate("document.querySelector('#status').focus({focusVisible: true})")
    status, says, button, card = page.evaluate(LOOKS)
    assert (status[0], says[0]) == ("none", "dotted"), "a frame around the line would cut the next"
    assert button[1:] == ["dashed", "none"]
    assert AMBER in card[2]
    page.locator(".my-cards .card").first.click()
    assert page.evaluate(LOOKS)[2][1] == "solid"


def test_last_cards_of_gops_can_be_read_and_its_felt_is_used(scenes, onlooker):
    scene = scenes("gops-bid")
    page = onlooker(scene.path, key=scene.key, width=360, height=740).page
    page.wait_for_timeout(300)
    assert min(it["width"] for it in boxes(page, ".last-round .card")) >= 34
    page.set_viewport_size({"width": 1366, "height": 650})
    left, bids, last = (box(page, it) for it in ("#left", ".duel .bid", ".last-round"))
    assert left["bottom"] <= bids["top"] and bids["right"] <= last["left"]
    prizes, spent = (boxes(page, f"{it} .run > *") for it in ("#left", ".rivals"))
    assert [it["left"] for it in prizes] == [it["left"] for it in spent], "a column for each rank"


@pytest.mark.parametrize("game", ["gops", "taken"])
def test_last_cards_on_a_phone_are_beside_one_another_and_larger(stage, onlooker, game):
    match = stage.begun("Ann", "Ben", game=game)
    page = onlooker(match.path, key=match.keys[0], width=360, height=740).page
    rail, widths = box(page, ".action-bar")["top"], []
    now = match.look()
    for few in (6, 4, 3, 1):
        while len(now.state.hands[0]) > few or now.state.stage == "take":
            now = match.drift_unseen(now)
        page.goto(match.path)
        cards = boxes(page, ".my-cards .card")
        widths.append(cards[0]["width"])
        rows = {round(it["top"]) for it in cards}
        assert len(cards) == few and len(rows) == 1 + (game == "taken" and few > 5)
        for one, next_one in pairwise(cards):
            assert one["top"] != next_one["top"] or one["right"] <= next_one["left"] + 3
        assert abs(box(page, ".action-bar")["top"] - rail) < 2
    assert widths == sorted(widths) and widths[-1] > 1.5 * widths[0]
