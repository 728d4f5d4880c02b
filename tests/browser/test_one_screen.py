"""A table is a screen: all of it is in view, nothing lies over anything, and nothing jumps."""

import time
from collections import defaultdict

import pytest
from playwright.sync_api import expect

from kaboom.engine.rng import new_seed
from kaboom.games import GAMES, sample
from kaboom.lobby import service as seating
from kaboom.tables.table import Hints
from tests.browser.chromium import box, boxes
from tests.browser.moments import moments, the_table
from tests.browser.stage import SEED, all_ready, pass_turn
from tests.support.effort import LONG, PATIENCE, often, some

SIZES = ((1366, 650), (360, 640), (360, 740), (820, 1180), (1280, 800))
# Of Kaboom the moments of a round among four; of the others those that their samples name.
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
    """Return the screens a moment is looked at on: at the gate on a laptop, on a small phone, and
    on one of the others by turns.
    """
    return SIZES if LONG else (*SIZES[:2], SIZES[2 + WHOLE.index(name) // 3 % 3])


# Where the rail is the same: not at the end, and not where one of four suits is asked for.
KEPT_WITHIN = 4  # px: what a rail may move from moment to moment
SAME_RAIL = {name for name in MOMENTS if not name.endswith(("over", "ask-suit"))}
# What is wrong with the screen: the ring ends below it, it is wider, or a control cannot be pressed
# in its middle. What is made for screen readers alone is left out.
WRONG = """() => {
  const wrong = [], ring = document.querySelector(".ring").getBoundingClientRect()
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the screen")
  if (ring.bottom > innerHeight + 1) wrong.push(`higher by ${ring.bottom - innerHeight}`)
  document.querySelectorAll(".ring:not(.last) :is(button, a.button, label.card)").forEach(it => {
    const box = it.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2
    const there = document.elementFromPoint(x, y), words = it.textContent.trim()
    if (!box.width || it.closest(".visually-hidden")) return
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

# At 360 px: what happens is said in two lines, whole; what one can press of one’s own cards is as
# large as a thumb (the extra cards of Kaboom half as large); a card's index is not covered, and no
# card of one's own is cut off at the table's edge.
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
# A face in the dark is paper still: its luminance, as WCAG reckons it. TakeN's 55 is red.
PAPER = """() => [...document.querySelectorAll(
  ".ring .card:not(.back, .none, [data-p='7'])")].map(it => {
  const rgb = getComputedStyle(it).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(c => c / 255)
  const [r, g, b] = rgb.map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
  return .2126 * r + .7152 * g + .0722 * b
}).filter(it => it < .75)"""

# Lifting: of cards that can be ticked or chosen no box is seen, each has a ring where it has the
# focus, and a lifted one rises at once (no motion is wanted here) while nothing else moves. Where
# colours are forced it has a border that the others have not, and so has whatever is winning.
LIFTED = """async (forced) => {
  const wrong = [], style = it => getComputedStyle(it)
  const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  const all = [...document.querySelectorAll(".ring:not(.last) label.card:has(input:enabled)")]
    .filter(it => !it.querySelector(":checked"))
  const places = () => [...document.querySelectorAll(".ring *")]
    .filter(it => !it.closest("label.card"))
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

# How much of what lies on the table has to be scrolled for.
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
    """Where to look at a moment, led there once."""
    found = {}

    def led(name):
        if name not in found:
            found[name] = ALL[name].scene(stage)
        return found[name]

    return led


@pytest.fixture(scope="module")
def rails():
    """Where the rail begins and how high it is, by match, screen and moment."""
    return defaultdict(dict)


def counted_wrong(page):
    """Tick three cards; return what was asked of the server for it, and whether one did not see
    how many they are: the button looks different with each, as the style sheet counts.
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
def test_the_question_whether_one_is_sure_moves_neither_rail_nor_own_cards(scenes, onlooker, name):
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
        if name in SAME_RAIL:
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
    stage.lots.seed = lambda: SEED
    match = stage.opened("Ann", game=game, **options)
    stage.lots.seed = new_seed
    usual = GAMES[game].seats(GAMES[game].options(**options))
    for _ in range(min(max(4, usual[0]), usual[-1]) - 1):
        seating.add_bot(stage.tables, match.code, match.players[0])
    seating.start(stage.tables, match.code, match.players[0])
    return match


@pytest.mark.parametrize("game", some(GAMES))
def test_a_table_with_bots_is_one_screen_on_a_small_phone(stage, onlooker, game):
    """Beside their names stands how well they play."""
    options = {"deal_interval": 0, "pace": "untimed"} if game == "koth" else {}
    match = alone_with_bots(stage, game, **options)
    page = onlooker(match.path, key=match.keys[0], width=360, height=640).page
    expect(page.locator(".action-bar.mine")).to_be_visible()
    assert page.evaluate(WRONG) == []


@pytest.mark.parametrize("game", ["taken", "koth"])
def test_the_end_of_a_match_with_bots_is_one_screen_on_a_small_phone(stage, onlooker, game):
    """Most stands there where one more could sit down, and where a trick and five places are."""
    match = alone_with_bots(stage, game, **sample(game).short)
    while match.look().table.playing:
        if 0 in match.waiting:
            match.drift()
    page = onlooker(match.path, key=match.keys[0], width=360, height=640).page
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    assert page.evaluate(WRONG) == []


# Where the buttons of the rail and those that play one's own cards stand: top and height of each.
ROW = """() => [...document.querySelectorAll(
  ".ring:not(.last) :is(.acts, .go) :is(button, a.button)")].map(it => {
  const {y, height} = it.getBoundingClientRect()
  return [y, height]
})"""
PLAYED_BY_A_BUTTON = [
    name for name in MOMENTS if name.endswith(("bid", "choose", "lead", "bury", "call", "pass"))
]


@pytest.mark.parametrize("name", some(PLAYED_BY_A_BUTTON, every=3))
def test_hint_on_a_phone_stands_in_line_with_what_plays_a_card(stage, onlooker, name):
    scene = ALL[name].scene(stage)
    stage.tables.change(scene.path[3:], lambda t: setattr(t.table, "hints", Hints.ALL))
    somebody = onlooker(key=scene.key, width=360, height=640)
    for language in ("en", "fr", "sw"):
        somebody.page.set_extra_http_headers({"Accept-Language": language})
        somebody.page.goto(scene.path)
        assert somebody.page.locator("#hint").count() == 1
        row = somebody.page.evaluate(ROW)
        assert len(row) > 1
        for of_all in zip(*row, strict=True):
            assert max(of_all) - min(of_all) < 1, (language, row)


@pytest.mark.parametrize("language", some(("en", "fr", "sw"), every=3, first=2))
def test_a_king_alone_with_bots_reaches_every_button_on_a_small_phone(stage, onlooker, language):
    """They may ask a bot, and take a move back: the rail holds most then."""
    match = alone_with_bots(stage, "koth", deal_interval=0, pace="untimed")
    somebody = onlooker(key=match.keys[0], width=360, height=640)
    somebody.page.set_extra_http_headers({"Accept-Language": language})
    wrong = {}
    while "play" not in wrong:
        while 0 not in match.waiting:  # bots think
            time.sleep(0.02)
        offers = match.prompt(0).offers
        somebody.page.goto(match.path)
        wrong[offers[0].verb] = somebody.page.evaluate(WRONG) + somebody.page.evaluate(READ, 2)
        offer = next((it for it in offers if it.verb == "declare"), offers[0])
        if offer.verb != "play":
            match.play(0, " ".join((offer.verb, *offer.options[: offer.most])))
    assert {"ready", "pass", "bury", "call"} < set(wrong)
    assert not {verb: found for verb, found in wrong.items() if found}


def test_whoever_may_declare_during_the_deal_reaches_the_button_on_a_small_phone(stage, onlooker):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", "Eve", game="koth", deal_interval=0.3)
    all_ready(match)
    somebody = onlooker(match.path, key=match.keys[0], width=360, height=640)
    expect(somebody.page.locator(".acts button").first).to_be_visible()
    for language in ("en", "fr", "sw"):
        somebody.page.set_extra_http_headers({"Accept-Language": language})
        somebody.page.reload()
        assert somebody.page.evaluate("document.documentElement.lang") == language
        assert somebody.page.evaluate("!!document.querySelector('.acts .button')"), (
            "to decide ahead"
        )
        assert somebody.page.evaluate(WRONG) + somebody.page.evaluate(READ, 2) == []
    assert match.state.stage == "deal", "it was over before all had looked"


def test_on_a_laptop_a_card_drawn_among_bots_moves_neither_rail_nor_own_cards(stage, guest):
    """There one can ask for a hint, too: the buttons leave what is said as much room as before."""
    match = stage.opened("Ann")
    for _ in range(3):
        seating.add_bot(stage.tables, match.code, match.players[0])
    seating.start(stage.tables, match.code, match.players[0])
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
    if game == "kaboom":  # at a round's end there is most to be said of everybody
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


@pytest.mark.parametrize(("game", "people", "below"), [("koth", 5, ".result"), ("gops", 2, ".run")])
def test_long_names_move_nothing_on_a_phone(stage, onlooker, game, people, below):
    places = []
    for names in (("Ann", "Ben", "Cid", "Dot", "Eve"), LONG_NAMES * 2):
        match = stage.begun(*names[:people], game=game)
        page = onlooker(match.path, key=match.keys[0], width=360, height=740).page
        places.append([box(page, it)["y"] for it in (".action-bar", below)])
    assert places[0] == places[1]


def test_who_is_away_is_not_marked_over_the_cards_that_wait_in_taken(scenes, onlooker):
    """On a small phone they lie where the faces were."""
    scene = scenes("taken-take")
    page = onlooker(scene.path, key=scene.key, width=360, height=640).page
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<i class=\"badge c1\"></i>')")
    expect(page.locator("body > .badge")).to_have_css("display", "none")
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator("body > .badge")).to_have_css("display", "grid")


def test_who_has_chosen_moves_no_row_of_taken(stage, guest):
    match = stage.begun("Maximiliana", "Bartholomew", "Wanjiku", "Evangelina", game="taken")
    page = guest(match.path, key=match.keys[0], width=360, height=740).page
    rows = boxes(page, ".lane")
    for seat in (1, 2, 3):
        offer = match.prompt(seat).offers[0]
        match.play(seat, f"{offer.verb} {offer.options[0]}")
        expect(page.locator(".crowd b", has_text="✓")).to_have_count(seat)
        assert boxes(page, ".lane") == rows


def test_the_waiting_room_of_a_desk_has_no_empty_band(scenes, onlooker):
    scene = scenes("kaboom-lobby")
    page = onlooker(scene.path, key=scene.key, width=1280, height=800).page
    chairs = box(page, ".chairs")
    below = page.get_by_role("heading", name="Kaboom", exact=True).last.bounding_box()
    assert 0 < below["y"] - chairs["y"] - chairs["height"] < 60
    page.set_viewport_size({"width": 1366, "height": 650})
    chairs = box(page, ".chairs")
    assert chairs["y"] + chairs["height"] <= 650, "one's own chair is the lowest"


# What lies beyond the edge of a table, which cannot be scrolled sideways.
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
def test_with_text_twice_as_large_no_card_of_a_phone_s_table_is_out_of_reach(
    scenes, onlooker, name
):
    """A phone of 360 pixels with letters twice as large has room for as much as half of it."""
    scene = scenes(name)
    page = onlooker(scene.path, key=scene.key, width=180, height=370).page
    assert page.evaluate(OUT_OF_REACH) == []


# What lies over what: own cards over the rail, or how many are chosen over what is said of trumps.
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


@pytest.mark.parametrize("name", ["gops-tied", "gops-bid", "taken-choose", "koth-bury"])
def test_larger_cards_lie_over_nothing_and_are_not_cut_off(scenes, onlooker, name):
    scene = scenes(name)
    somebody = onlooker(key=scene.key, width=360, height=640)
    larger = {"name": "kb-settings", "value": "cards=larger&index=large", "url": somebody.url}
    somebody.context.add_cookies([larger])
    somebody.page.goto(scene.path)
    assert somebody.page.evaluate(OUT_OF_REACH) == []
    assert somebody.page.evaluate(OVERLAPS) == []
    if "gops" in name:  # a laptop shows all of it
        somebody.page.set_viewport_size({"width": 1366, "height": 650})
        assert somebody.page.evaluate(WRONG) == []


# At the gate every third moment in one of them, by turns.
SPOKEN = [
    (name, language)
    for n, name in enumerate(name for name in MOMENTS if "over" not in name)
    for m, language in enumerate(("sw", "fr", "xx"))
    if LONG or (n + m) % 9 == 0
]


@pytest.mark.parametrize(("name", "language"), SPOKEN)
def test_longer_words_make_no_table_wider(scenes, onlooker, name, language):
    scene = scenes(name)
    somebody = onlooker(key=scene.key)
    somebody.page.set_extra_http_headers({"Accept-Language": language})
    somebody.page.goto(scene.path)
    assert somebody.page.evaluate("document.documentElement.lang") == language
    for width in (320, 360, 1366):
        somebody.page.set_viewport_size({"width": width, "height": 740})
        assert somebody.page.evaluate("document.documentElement.scrollWidth") <= width
        if width == 360:  # half as long again needs a line more, and is whole all the same
            assert somebody.page.evaluate(READ, 3 if language == "xx" else 2) == []
        if width > 320 and language != "xx":  # with those a table may be higher than the screen
            somebody.page.set_viewport_size(
                {"width": width, "height": 640 if width == 360 else 650}
            )
            assert somebody.page.evaluate(WRONG) == []


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (360, 740)])
def test_rail_and_own_cards_stay_where_they_are_while_a_turn_goes_on(stage, guest, width, height):
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
def test_a_vote_moves_neither_rail_nor_own_cards_and_lies_over_nothing(stage, guest, width, height):
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
    else:  # the vote is part of the rail, and what is happening lies below it
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
def test_on_a_phone_a_vote_leaves_kabooms_others_in_view(stage, guest, height):
    """They are a little smaller for as long as it lasts."""
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


# What has less room than it needs, so that more than a shadow lies over what is next.
SQUEEZED = """() => [...document.querySelectorAll(".table-area > *")]
  .filter(it => it.clientHeight && it.scrollHeight > it.clientHeight + 8)
  .map(it => `${it.className}: ${it.scrollHeight} in ${it.clientHeight}`)"""
# A mark like those that follow the faces of players, over all of the table: is it over a vote, too?
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
def test_nothing_lies_over_a_vote_or_a_hint_on_a_phone(name, scenes, onlooker):
    """What a vote pushes away keeps its room."""
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
    """They find room in the rows that are there: nothing has to be scrolled for."""
    scene = scenes("kaboom-crowded")
    page = onlooker(scene.path, key=scene.key, width=360, height=height).page
    assert (
        page.locator(".table-area .extra").count()
        and page.locator(".my-cards .extra li").count() > 2
    )
    assert page.evaluate(SCROLLS) <= 1
    for pile in ("#stock", "#drawn", "#discard"):
        expect(page.locator(pile)).to_be_in_viewport(ratio=1)


def test_the_home_page_shows_on_its_first_screen_how_to_start_a_table(onlooker):
    page = onlooker("/", width=1366, height=650).page
    assert page.locator(".shelf li").count() == len(GAMES)
    start = page.get_by_role("button", name="Start a table", exact=True)
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


def test_the_short_last_row_of_a_hand_of_gops_is_in_the_middle_of_a_phone(bidding):
    """Flush left it looked as if cards were missing, more so the fewer there were."""
    _, ann = bidding
    ann.page.set_viewport_size({"width": 360, "height": 740})
    rows = ann.page.evaluate(ROWS_OF_THE_HAND)
    assert [cards for cards, _, _ in rows] == [7, 6]
    assert all(abs(left - right) <= 4 for _, left, right in rows), rows


@pytest.mark.parametrize("height", [640, 740])
def test_what_is_bid_for_is_as_large_as_ones_own_cards_on_a_phone(bidding, height):
    """In the first round, and beside the last one later."""
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


HIDDEN_DOTS = """() => {
  const cards = [...document.querySelectorAll(".my-cards .hand .card")].map(it => {
    const {left, top, bottom} = it.getBoundingClientRect()
    return {left, top, dots: bottom - parseFloat(getComputedStyle(it, "::after").bottom)}
  })
  return cards.filter(it => cards.some(other =>
    other.top > it.top && Math.abs(other.left - it.left) < 2 && other.top < it.dots)).length
}"""


def test_a_lower_row_of_a_hand_of_taken_hides_no_points_of_the_upper(stage, guest):
    match = stage.begun("Ann", "Ben", game="taken")
    page = guest(match.path, key=match.keys[0], width=360, height=740).page
    expect(page.locator(".my-cards .hand .card")).to_have_count(10)
    assert page.evaluate(HIDDEN_DOTS) == 0


def test_on_a_phone_points_are_called_points(bidding):
    """A bare number under a face is a riddle to whoever plays for the first time."""
    _, ann = bidding
    for place in (".action-bar .plate", ".rivals .plate"):
        unit = ann.page.locator(f"{place} .unit")
        assert unit.bounding_box()["width"] > 20
        expect(unit).to_have_css("clip-path", "none")


def test_a_tap_lifts_another_tap_lifts_another_and_the_second_tap_plays(bidding):
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
    """Its answer leads to the status line, above which the cards lie."""
    match = stage.begun("Ann", "Ben", game="gops")
    ann = guest(key=match.keys[0], scripts=False, width=width, height=height)
    ann.page.goto(f"{match.path}#status")
    assert box(ann.page, "#status")["y"] < height
    assert box(ann.page, ".duel h2")["y"] > 0


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
    """A function: a page on which Ann, who may want it `still`, has just drawn a card."""

    def drawn(still):
        match = stage.begun("Ann", "Ben", rounds=2)
        all_ready(match)
        ann = guest(match.path, key=match.keys[0], still=still).page
        ann.evaluate(TRAVELLED)
        ann.get_by_role("button", name="Draw a card", exact=True).click()
        return ann

    return drawn


def test_a_drawn_card_comes_from_the_stock_and_can_be_answered_at_once(drawing):
    ann = drawing(still=False)
    # How soon is asked of a machine that has nothing else to do.
    own = ann.locator(".my-cards button.card").first
    own.click(timeout=often(1000 * PATIENCE, soak=1000))
    assert 0 < ann.evaluate("window.travelled") <= 300
    expect(ann.locator("#status")).not_to_contain_text("You hold")


def test_who_wants_less_motion_sees_none(drawing):
    ann = drawing(still=True)
    ann.locator("[data-from=stock]").wait_for()
    assert not ann.evaluate("window.travelled")
    assert ann.evaluate("document.getAnimations().map(it => it.animationName || it.id)") == []


# What is behind a back, and the end


BACKS = """() => [...document.querySelectorAll(".ring .back")].map(it => [
  it.className, it.textContent,
  ...it.getAttributeNames().filter(n => n !== "class" && n !== "value"),
].join(" ").replace(/\\b(top|bottom|left|right|middle)\\b/g, ""))"""


def test_all_backs_of_a_grid_look_alike_whatever_they_are(scenes, onlooker):
    scene = scenes("kaboom-waiting")
    backs = onlooker(scene.path, key=scene.key).page.evaluate(BACKS)
    kinds = {back.split(":")[-1].split(",")[-1] for back in backs}
    assert len(backs) > 20
    assert len(kinds) <= 3, kinds  # in a grid, held by somebody, the stock


@pytest.mark.parametrize(
    "name", some([name for name in MOMENTS if name.endswith("match-over")], every=3)
)
def test_the_end_says_large_who_won_shows_all_places_and_play_again(scenes, onlooker, name):
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
def test_a_played_card_lies_nearest_to_its_own_seat_and_the_winning_one_says_so(
    scenes, onlooker, name
):
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
    assert "winning" in page.locator(".best").inner_text()


PLACES = {"stock", "seat", "hand", "drawn", "at", "deck", "pile", "own", "bid", "prize"}


@pytest.mark.parametrize("game", GAMES)
def test_where_a_card_comes_from_is_a_place_and_never_a_card(stage, game):
    """`data-from` names elements of the page: piles, seats, places of a grid, own cards."""
    for glimpse in sample(game).glimpses[:2]:
        moment = next(it for it in moments() if (it.game, it.name) == (game, glimpse.name))
        scene = moment.scene(stage)
        html = stage.get(scene.path, scene.key)
        for part in html.split('data-from="')[1:]:
            for name in part.split('"')[0].split():
                assert name.split("-")[0] in PLACES


def test_on_a_phone_who_waits_reads_what_happened_and_sees_the_own_points(scenes, onlooker):
    """The log lies below the screen there; beside it, on a wide one, nothing is said twice."""
    scene = scenes("kaboom-waiting")
    page = onlooker(scene.path, key=scene.key).page
    lately, points = page.locator(".action-bar .lately"), page.locator(".action-bar .plate small")
    page.set_viewport_size({"width": 360, "height": 740})
    assert lately.inner_text() == page.locator("#log li").last.text_content().strip()
    assert points.inner_text().split()[0] == "0"
    assert points.bounding_box()["height"] > 8
    page.set_viewport_size({"width": 1280, "height": 800})
    assert not lately.is_visible()


# What a bot would do

HINTED = sorted({it.removesuffix("-advice") for it in NOTES if it.endswith("-advice")})
LYING = """() => [...document.querySelectorAll(
  ".action-bar, .ring:not(.last) :is(.table-area, .my-cards) :is(.card, .plate)")].map(it => {
  const {x, y, width, height} = it.getBoundingClientRect()
  return [x, y, width, height]
})"""
# What a hint says and what it means, where that is not seen.
HINT_HIDDEN = """() => [...document.querySelectorAll(".advice, [data-best]")].filter(it => {
  const {x, y, width, height} = it.getBoundingClientRect()
  const there = document.elementFromPoint(x + width / 2, y + height / 2)
  return !there || !(it.contains(there) || it.closest(".card")?.parentNode.contains(there))
}).map(it => it.outerHTML)"""


@pytest.mark.parametrize("name", [*HINTED, "kaboom-drawn"])
def test_hint_in_the_rail_moves_nothing_and_lights_what_it_means(stage, guest, name):
    scene = ALL[name].scene(stage)
    stage.tables.change(scene.path[3:], lambda t: setattr(t.table, "hints", Hints.ALL))
    page = guest(scene.path, key=scene.key, width=1366, height=650).page
    assert not page.evaluate(HINT_HIDDEN)
    lying = {}

    def looked_at():
        for language in ("sw", "fr", "en"):
            page.set_extra_http_headers({"Accept-Language": language})
            page.reload()
            for width, height in SIZES[:2]:
                page.set_viewport_size({"width": width, "height": height})
                lying.setdefault((language, width), []).append(page.evaluate(LYING))
                assert page.evaluate(HINT_HIDDEN) == []

    looked_at()
    page.locator("#hint-go").click()
    expect(page.locator(".action-bar .advice")).to_contain_text("A hard bot says:")
    assert page.locator("[data-best]").count() >= 1  # also where a form is being filled in
    looked_at()
    assert page.locator(".note").count() == 0
    for where, (before, after) in lying.items():
        moved = [
            it for it in zip(before, after, strict=True) if it[0] != pytest.approx(it[1], abs=4)
        ]
        assert not moved, (where, moved)
