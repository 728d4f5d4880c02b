"""The table stays still when refreshed, enlarges on request, and prints."""

import re
from io import BytesIO

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import expect

from kaboom.games import GAMES, sample
from kaboom.tables.table import Hints
from tests.browser.chromium import box
from tests.browser.moments import moments
from tests.browser.stage import SEED, all_ready
from tests.browser.test_access import AXE, CUT_OFF, LAID_OUT, RUN_AXE, STYLE, TOO_WIDE, said
from tests.support.effort import LONG, often, some

# Shifts that were not caused by pressing something (web.dev/cls).
SHIFTS = """() => {
  window.shifts = []
  new PerformanceObserver(list => list.getEntries().forEach(it => {
    if (!it.hadRecentInput) window.shifts.push([it.startTime / 1000, it.value,
      it.sources.map(s => s.node && (s.node.outerHTML || s.node.textContent).slice(0, 80))])
  })).observe({type: "layout-shift"})
}"""
# Shifts until the page has finished loading.
SETTLED = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>
  setTimeout(() => done(window.shifts.splice(0)), 30))))"""
# For each game a moment of a player's turn.
ONE_OF_EACH = {key: sample(key).glimpses[0].name for key in GAMES if sample(key).glimpses}
ONE_OF_EACH["kaboom"] = "own-turn"


@pytest.fixture(scope="module")
def scenes(stage):
    """The address of one moment of each game."""
    return {it.game: it.scene(stage) for it in moments() if ONE_OF_EACH.get(it.game) == it.name}


# For each game with its own table, turns with animations: number of players, seed, options, moves
# before, moves watched, and the screen with the most movement.
UNTIMED = {"deal_interval": 0, "pace": "untimed"}
PHONE, TABLET, LAPTOP, DESK = (360, 640), (820, 1180), (1366, 650), (1280, 800)
CALM = [
    ("taken", 4, 3, {"max_games": 1, "hand_size": 4}, 2, 3, DESK),  # a player takes a row
    ("karata", 4, 20, {}, 8, 3, PHONE),  # a request for one of all cards
    ("gops", 2, 3, {}, 22, 4, LAPTOP),  # the last bids, and the end
    ("karata", 4, 20, {}, 39, 2, PHONE),  # three more cards: the eighth
    ("koth", 5, 7, UNTIMED, 4, 6, PHONE),  # suits are declared and overridden
    ("taken", 4, 3, {"max_games": 1, "hand_size": 4}, 15, 3, LAPTOP),  # the last cards, and the end
    ("koth", 5, 7, UNTIMED, 13, 3, LAPTOP),  # the king buries, calls a card, and is ready
    ("kaboom", 4, 3, {"rounds": 1}, 19, 4, LAPTOP),  # the end
    ("kaboom", 4, 3, {"rounds": 1}, 8, 9, PHONE),  # penalty cards
    ("gops", 2, -1, {}, 7, 5, TABLET),  # a tie, and one row of cards less
    ("karata", 4, 20, {"deal": 3}, 13, 12, PHONE),  # bombs, last card
    ("karata", 4, 20, {"deal": 3}, 7, 5, TABLET),  # a row is built
    ("koth", 5, -1, UNTIMED, 4, 2, PHONE),  # the last call
    ("koth", 5, -1, UNTIMED, 82, 4, PHONE),  # one row of cards less
    ("kaboom", 4, 5, {"rounds": 2}, 36, 7, DESK),  # penalty cards, and a kaboom call
    ("hearts", 4, 3, {}, 53, 7, DESK),  # the general table: the last card, and the next deal
    ("kaboom", 4, 5, {"rounds": 2}, 22, 20, PHONE),  # a round begins; a third penalty card
    ("koth", 5, -1, UNTIMED | {"end": "rounds", "rounds": 2}, 154, 2, LAPTOP),  # the called card
    ("gops", 2, 3, {}, 14, 3, DESK),  # prizes in two lines
    ("koth", 5, 7, UNTIMED | {"end": "rounds", "rounds": 2}, 119, 3, DESK),  # a round's end
]
# The edges of the rail, and the positions of the player's cards.
KEPT = """() => [...document.querySelectorAll(".ring:not(.last) :is(.action-bar, .my-cards .card)")]
  .map(it => {
  const {x, y, height} = it.getBoundingClientRect()
  return [it.matches(".action-bar") ? 0 : x, y, height]
})"""
# What moves the player's cards on purpose: are they being chosen or replaced by a round's result,
# and in which order are they?
SHOWN = """() => ({
  chooses: document.querySelector(".koth.choosing") !== null,
  ended: document.querySelector(".koth .result") !== null,
  order: [...document.querySelectorAll(".my-cards .card")].map(it => it.textContent),
})"""
PEOPLE = {"kaboom": 4, "gops": 2, "taken": 3, "koth": 5}
KEPT_WITHIN = 4  # px: tolerance for bold letters and rounding
CALM_SHIFT = 0.02  # no visible jump: a line of text, or a new card
# At a match's end the outcome replaces the table, and the longest list of rounds gets a line.
END_SHIFT = 0.025


def sorted_anew(was, now):
    """Return True if the player has the same cards in another order."""
    return was["order"] != now["order"] and sorted(was["order"]) == sorted(now["order"])


@pytest.mark.parametrize(
    ("game", "people", "seed", "options", "after", "moves", "screens"),
    [
        (*it, (PHONE, TABLET, LAPTOP, screen) if LONG else (screen,))
        for *it, screen in some(CALM, every=7)
    ],
)
def test_rail_and_own_cards_do_not_move_during_turns(
    stage, guest, game, people, seed, options, after, moves, screens
):
    names = ("Ann", "Ben", "Cid", "Dot", "Eve")[:people]
    drawn = bytes([seed]) * 32 if seed >= 0 else SEED
    match = stage.begun(*names, game=game, seed=drawn, **options)
    now = match.look()
    for _ in range(after):
        now = match.drift_unseen(now)
    pages = [
        guest(match.path, key=match.keys[0], width=width, height=height).page
        for width, height in screens
    ]
    for page in pages:
        page.wait_for_timeout(300)
        page.evaluate(SHIFTS)
    jumps, kept = [], [page.evaluate(KEPT) for page in pages]
    shown = [page.evaluate(SHOWN) for page in pages]
    for _ in range(moves):
        mine = 0 in match.waiting
        match.all_are_here()  # nobody counts as away, however slow the machine is
        match.drift()
        for number, page in enumerate(pages):
            expect(page.locator("#ver")).to_have_value(str(match.revision(0)))
            shifts = page.evaluate(SETTLED)
            before, kept[number] = kept[number], page.evaluate(KEPT)
            was, shown[number] = shown[number], page.evaluate(SHOWN)
            if sorted_anew(was, shown[number]):  # a suit was declared: its cards join the trumps
                places = zip(before, kept[number], strict=True)
                jumps += [it for it in places if not it[0][0] and it[0] != it[1]]
                continue
            if was["chooses"]:  # the king's own press
                continue
            if shown[number]["ended"] and not was["ended"]:
                continue
            playing = match.look().table.playing
            if not mine and playing and len(before) == len(kept[number]):
                places = zip(before, kept[number], strict=True)
                jumps += [it for it in places if it[0] != pytest.approx(it[1], abs=KEPT_WITHIN)]
            if sum(value for _, value, _ in shifts) > (CALM_SHIFT if playing else END_SHIFT):
                status = page.locator("#status").inner_text()
                jumps += [page.viewport_size, status, *shifts]
    assert not jumps, said(game, jumps)


# For each frame: do two lines of the log overlap?
CROSSED = """() => {
  window.crossed = [], window.frames_seen = 0
  const look = () => {
    const lines = [...document.querySelectorAll("#log li")].map(it => it.getBoundingClientRect())
    const over = lines.some((it, n) => n && it.top < lines[n - 1].bottom - 1)
    if (over) window.crossed.push(window.frames_seen)
    window.frames_seen++
    requestAnimationFrame(look)
  }
  look()
}"""


@pytest.mark.parametrize("game", some(("kaboom", "gops", "taken", "koth"), first=1))
def test_log_lines_do_not_overlap_while_others_move(stage, guest, game):
    options = UNTIMED if game == "koth" else {}
    match = stage.begun(*("Ann", "Ben", "Cid", "Dot", "Eve")[: PEOPLE[game]], game=game, **options)
    page = guest(match.path, key=match.keys[0], width=1366, height=650, still=False).page
    page.evaluate(CROSSED)
    for _ in range(4):
        match.drift()
        expect(page.locator("#ver")).to_have_value(str(match.revision(0)))
        page.wait_for_timeout(150)
    assert page.evaluate("window.frames_seen") > 20
    assert page.evaluate("window.crossed") == []


FIVE = ("Ann", "Ben", "Cid", "Dot", "Eve")
WATCHED = [
    ("taken", ("Ann", "Ben", "Cid"), {"max_games": 1}),
    ("kaboom", ("Ann", "Ben", "Cid", "Dot"), {"rounds": 1}),
    ("gops", ("Ann", "Ben"), {}),
]


@pytest.mark.parametrize(
    ("game", "names", "options", "width"),
    some(((*it, width) for it in WATCHED for width in (360, 1280)), every=5),
)
def test_updates_cause_little_layout_shift(stage, guest, game, names, options, width):
    """No update shifts the page by more than 0.1, the limit of a good score for a whole page.

    When the player's turn begins, the prompt may grow by the question: 0.15.
    """
    match = stage.begun(*names, game=game, **options)
    ann = guest(match.path, key=match.keys[0], width=width, height=800)
    ann.page.wait_for_timeout(500)
    ann.page.evaluate(SHIFTS)
    worst, sources, mine = 0.0, [], 0 in match.waiting
    for _ in range(often(20, soak=40)):
        if not match.look().table.playing:
            break
        match.drift()
        begins, mine = 0 in match.waiting and not mine, 0 in match.waiting
        expect(ann.page.locator("#ver")).to_have_value(str(match.revision(0)))
        if not match.look().table.playing:
            break  # then everything changes, as it should
        ann.page.wait_for_timeout(50)
        shifts = ann.page.evaluate("window.shifts.splice(0)")
        shifted = sum(value for _, value, _ in shifts) / (1.5 if begins else 1)
        if shifted > worst:
            worst, sources = shifted, shifts
    print(f"{game}, {width} px: at most {worst:.3f} an update")
    assert worst <= 0.1, said(f"{worst:.3f}", sources)


LAYOUTS = 8  # for an update without animation: of the swap and its consequences


@pytest.mark.parametrize("game", some(("kaboom", "taken", "gops", "karata", "koth"), every=3))
def test_update_triggers_few_layouts_however_many_cards(stage, person, game):
    """The cost of a swap is counted in layouts, which other processes do not affect.

    A script that measured and moved each card would need one layout for each.
    """
    seats = min(max(4, GAMES[game].seats(GAMES[game].options())[0]), len(FIVE))
    options = UNTIMED if game == "koth" else {}
    match = stage.begun(*FIVE[: seats if game != "gops" else 2], game=game, **options)
    ann = person(match.path, key=match.keys[0], width=360, height=740)
    ann.page.wait_for_timeout(500)
    session = ann.page.context.new_cdp_session(ann.page)
    session.send("Performance.enable")

    def layouts():
        told = session.send("Performance.getMetrics")["metrics"]
        return next(it["value"] for it in told if it["name"] == "LayoutCount")

    needed = []
    for _ in range(often(20, soak=60)):
        before = layouts()
        match.drift()
        expect(ann.page.locator("#ver")).to_have_value(str(match.revision(0)))
        needed.append(layouts() - before)
        if not match.look().table.playing:
            break
    print(f"{game}: {max(needed):.0f} layouts at most")
    assert max(needed) <= LAYOUTS, needed


def test_desktop_prompt_and_own_cards_keep_their_place(stage, guest):
    """They never move sideways, and vertically by a line of text at most."""
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    all_ready(match)
    ann = guest(match.path, key=match.keys[0], width=1280)
    places = []
    for _ in range(16):
        match.drift()
        expect(ann.page.locator("#ver")).to_have_value(str(match.revision(0)))
        places.append([box(ann.page, it) for it in ("#prompt", "#seat-0 .card")])
    for part in zip(*places, strict=True):
        assert len({round(it["x"]) for it in part}) == 1, part
        heights = [it["y"] for it in part]
        assert max(heights) - min(heights) <= 32, heights


@pytest.mark.parametrize("size", ["large", "larger"] if LONG else ["larger"])
@pytest.mark.parametrize("game", some(ONE_OF_EACH, every=3))
def test_larger_cards_also_fit(scenes, onlooker, game, size):
    widths = {}
    for setting in ("", size):
        visitor = onlooker(key=scenes[game].key)
        cookie = {"name": "kb-settings", "value": f"cards={setting}", "url": visitor.url}
        visitor.context.add_cookies([cookie])
        page = visitor.page
        page.goto(scenes[game].path)
        wrong = []
        for width in (320, 820, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            wrong += [f"too wide at {width}: {it}" for it in page.evaluate(TOO_WIDE)]
            wrong += [f"cut off at {width}: {it}" for it in page.evaluate(CUT_OFF)]
        assert not wrong, said(f"{game}, {size}", wrong)
        widths[setting] = box(page, ":is(.me, .my-cards) .card")["width"]
    assert widths[size] >= 1.15 * widths[""]


@pytest.mark.parametrize("game", some(ONE_OF_EACH, every=3))
def test_text_is_larger_on_a_television(scenes, onlooker, game):
    page = onlooker(scenes[game].path, key=scenes[game].key).page
    letters = "parseFloat(getComputedStyle(document.querySelector('#status')).fontSize)"
    usual = page.evaluate(letters)
    for width, height, least in ((1920, 1080, 1.2), (3840, 2160, 2.4)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(letters) >= least * usual
        assert not page.evaluate(TOO_WIDE)
        assert not page.evaluate(CUT_OFF)


@pytest.mark.parametrize("game", some(ONE_OF_EACH, every=3, first=1))
def test_high_contrast_preference_is_followed(scenes, onlooker, game):
    page = onlooker(scenes[game].path, key=scenes[game].key).page
    soft = "--text-muted"
    felt = f"getComputedStyle(document.documentElement).getPropertyValue('{soft}')"
    usual = page.evaluate(felt)
    page.emulate_media(contrast="more")
    page.evaluate(AXE)
    page.evaluate(STYLE, LAID_OUT)
    for colours in ("light", "dark"):
        page.emulate_media(contrast="more", color_scheme=colours)
        assert page.evaluate(felt) != usual
        found = page.evaluate(RUN_AXE, ["wcag2aaa"])  # 7:1, not 4.5:1
        contrast = [it for it in found["violations"] if "contrast" in it[0]]
        assert not contrast, said(f"{game}, {colours}", contrast)


TINTED = ".trump, .trump-S .S, .trump-H .H, .trump-D .D, .trump-C .C"


@pytest.mark.parametrize("game", some(ONE_OF_EACH, every=3, first=2))
def test_card_faces_keep_their_color_in_dark_and_forced_colors(scenes, onlooker, game):
    page = onlooker(scenes[game].path, key=scenes[game].key).page
    faces = f"[...document.querySelectorAll(\".card:not(.back, .none, [data-p='7'], {TINTED})\")]"
    face = f"getComputedStyle({faces}.at(-1))"
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(f"{face}.backgroundColor") == "rgb(239, 231, 214)"
    page.emulate_media(color_scheme="light", forced_colors="active")
    assert page.evaluate(f"{face}.backgroundColor") == "rgb(255, 253, 246)"
    page.emulate_media(color_scheme="light", forced_colors="none", media="print")
    assert page.evaluate(f"{face}.printColorAdjust") == "exact"


# One card of 44 px without its index, on paper; a class that no table uses.
ONE_CARD = """([suit, rank]) => {
  document.body.innerHTML = `<span class="card court ${suit}" data-i="${rank}"></span>`
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`.card { --card-width: 44px; margin: 0 }
    .card::before, .card::after { content: none }`)
  document.adoptedStyleSheets = [sheet]
}"""


def test_jack_queen_and_king_differ_in_outline_at_44_px(onlooker):
    page = onlooker("/").page
    for suit in "SHDC":
        outlines = {}
        for rank in "JQK":
            page.evaluate(ONE_CARD, [suit, rank])
            seen = Image.open(BytesIO(page.locator(".card").screenshot())).convert("RGB")
            assert seen.width == 44
            paper = Image.new("RGB", seen.size, "#fffdf6")
            apart = ImageChops.difference(seen, paper).convert("L")
            apart = apart.crop((3, 3, 41, seen.height - 3))
            outlines[rank] = apart.point(lambda it: 255 if it > 40 else 0)
        for one, other in ("JQ", "JK", "QK"):
            differing = ImageChops.difference(outlines[one], outlines[other])
            least = 0.12 * outlines[one].histogram()[255]
            assert differing.histogram()[255] > least, (suit, one, other)


def test_table_prints_without_its_controls(scenes, onlooker):
    page = onlooker(scenes["kaboom"].path, key=scenes["kaboom"].key).page
    page.emulate_media(media="print")
    for gone in (".top", ".foot", "#offers", ".skip"):
        assert not page.locator(gone).first.is_visible(), gone
    assert page.locator("#status").is_visible()
    log = page.locator("#log")
    assert log.evaluate("it => it.scrollHeight <= it.clientHeight + 1"), "the log is cut off"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def slowly(page):
    """Slow a page's animations down a hundredfold."""
    session = page.context.new_cdp_session(page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": 0.01})


# Pages beside the table


@pytest.mark.parametrize("width", [360, 1366])
def test_rules_page_has_a_header_line_as_wide_as_the_window(onlooker, width):
    page = onlooker("/rules/koth", width=width, height=650).page
    line = box(page, ".top")
    assert (line["left"], line["right"]) == (0, page.evaluate("document.body.clientWidth"))


# How far left of its box a list's longest number begins; browsers draw it outside.
NUMBERS_LEFT = """() => [...document.querySelectorAll("main ol:not(.glance *)")].map(it => {
  const inside = document.createElement("span"), style = getComputedStyle(it)
  inside.textContent = it.children.length + ". ", inside.style.whiteSpace = "pre"
  it.append(inside)
  const wide = inside.getBoundingClientRect().width
  inside.remove()
  return parseFloat(style.paddingInlineStart) - wide
})"""


@pytest.mark.parametrize("language", some(("en", "fr", "sw")))
def test_rules_page_list_numbers_are_not_cut_off(onlooker, language):
    visitor = onlooker(width=1366, height=650)
    for width in (360, 1366):
        visitor.page.set_viewport_size({"width": width, "height": 650})
        visitor.page.goto(f"/rules/koth?lang={language}")
        left = visitor.page.evaluate(NUMBERS_LEFT)
        assert left and min(left) >= 4, (width, left)


def test_play_button_turns_amber_once_a_card_is_chosen(stage, onlooker):
    match = stage.begun("Ann", "Ben", game="gops")
    page = onlooker(match.path, key=match.keys[0]).page
    colour = "it => getComputedStyle(it).backgroundColor"
    button = page.locator(".go button")
    before = button.evaluate(colour)
    page.locator(".one input[name=pick]").first.check(force=True)
    after = button.evaluate(colour)
    assert after != before
    root = "getComputedStyle(document.documentElement)"
    accent = page.evaluate(f"{root}.getPropertyValue('--accent')")
    assert after == "rgb({}, {}, {})".format(*bytes.fromhex(accent.strip()[1:]))


def test_taken_shows_where_a_lifted_card_goes_and_its_cost(stage, person):
    match = stage.begun("Ann", "Ben", "Cid", game="taken")
    page = person(key=match.keys[0], width=360, height=740).page
    page.goto(match.path)
    said = page.locator(".says .goes:visible")
    expect(said).to_have_count(0)
    for card in page.locator(".my-cards label.card").all():
        card.click()
        expect(said).to_have_count(1)
        goes = card.text_content()
        if "below every row" in goes:
            told = re.compile("Below every row: you would take one")
        else:
            row = re.search(r"row (\d)", goes)[1]
            told = re.compile(f"row {row}, as the rows are now: no points.")
        expect(said).to_have_attribute("data-i", told)


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1366, 650)])
def test_help_stays_open_while_others_move(stage, person, width, height):
    match = stage.begun("Ann", "Ben", game="gops")
    page = person(key=match.keys[0], width=width, height=height).page
    page.goto(match.path)
    page.locator(".status-link").click()
    help_, rules = page.locator("#said .how"), page.get_by_role("link", name="All rules")
    expect(help_).to_be_visible()
    lines = page.locator("#log li").count()
    match.play(1, "bid 5C")
    expect(page.locator("#log li")).not_to_have_count(lines)
    expect(help_).to_be_visible()
    expect(rules).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(help_).to_have_count(0)


def test_log_does_not_move_when_new_lines_are_marked(stage, person):
    match = stage.begun("Ann", "Ben", game="gops")
    page = person(key=match.keys[0], width=1366, height=650).page
    page.goto(match.path)
    before = page.locator("#log").bounding_box()
    match.play(0, "bid 5S")
    match.play(1, "bid 6C")
    expect(page.locator("#since")).to_be_visible()
    now = page.locator("#log").bounding_box()
    assert (now["x"], now["y"], now["width"]) == (before["x"], before["y"], before["width"])
    assert before["height"] - 40 < now["height"] <= before["height"]  # a line for the link


def test_laptop_log_fades_its_earlier_lines_after_the_first_move(stage, guest):
    match = stage.begun("Ann", "Ben", game="gops")
    page = guest(match.path, key=match.keys[0], width=1366, height=650).page
    match.play(0, "bid 5S")
    expect(page.locator("#log")).to_have_css("mask-image", re.compile("^linear-gradient"))
    first, log = page.locator("#log li").first.bounding_box(), page.locator("#log").bounding_box()
    fade = 16
    letters = (first["height"] - 16) / 2  # they are lower than their line
    assert first["y"] + letters >= log["y"] + fade - 1, "a short log is wholly seen"


def test_laptop_tip_is_in_the_middle_of_its_box(stage, guest):
    match = stage.begun("Ann", "Ben", game="karata")
    page = guest(match.path, key=match.keys[0], width=1366, height=650).page
    page.locator(".tip").wait_for()
    above, below = page.evaluate("""() => {
      const box = document.querySelector(".tip").getBoundingClientRect()
      const words = document.createRange()
      words.selectNodeContents(document.querySelector(".tip summary"))
      const text = words.getBoundingClientRect()
      return [text.top - box.top, box.bottom - text.bottom]
    }""")
    assert abs(above - below) <= 2


def test_karata_card_that_does_not_fit_stays_flat_under_pointer(stage, person):
    match = stage.begun("Ann", "Ben", game="karata")
    while not match.waiting or match.view(match.waiting[0]).facts["fits"] == []:
        match.drift()
    page = person(key=match.keys[match.waiting[0]], width=1366, height=650).page
    page.goto(match.path)
    card = page.locator("button.unfit").first
    look = "it => [getComputedStyle(it).boxShadow, it.getBoundingClientRect().y]"
    before = card.evaluate(look)
    card.hover()
    assert card.evaluate(look) == before


@pytest.mark.parametrize(("width", "height"), [(360, 640), (1366, 650)])
def test_gops_reveal_keeps_every_prize_as_it_was(stage, person, width, height):
    match = stage.begun("Ann", "Ben", game="gops")
    page = person(key=match.keys[0], width=width, height=height, still=False).page
    slowly(page)
    page.goto(match.path)
    for seat, card in ((0, "3S"), (1, "3C"), (0, "KS")):
        match.play(seat, f"bid {card}")
    expect(page.locator(".offer li")).to_have_count(2)
    widths = "them => them.map(it => it.offsetWidth)"
    first, second = page.locator(".offer .card").evaluate_all(widths)
    assert first == second  # a squeezed prize would be drawn smaller
    match.play(1, "bid 2C")
    expect(page.locator(".offer li")).to_have_count(1)
    expect(page.locator(".left .going")).to_have_css("opacity", "1")


# The viewer's own words are added to the page: seldom is a player on last card, or without cards.
WITH_WORDS = """([words, cards]) => {
  const hand = document.querySelector(".me .hand")
  while (hand.children.length > cards) hand.lastChild.remove()
  document.querySelector(".me > h2").insertAdjacentHTML("beforeend", words)
}"""
WORDS = ".me > h2 .tag"


@pytest.mark.parametrize("cards", [0, 1, 2, 4])
def test_words_about_the_own_hand_are_beside_it_or_in_its_place(stage, guest, cards):
    match = stage.begun("Ann", "Ben", game="karata")
    page = guest(match.path, key=match.keys[0], width=1366, height=650).page
    words = (
        '<span class="tag boom">last card</span>'
        if cards
        else '<span class="tag sum">no cards</span>'
    )
    page.evaluate(WITH_WORDS, [words, cards])
    says, hand = box(page, WORDS), box(page, ".me")
    if not cards:
        assert abs(says["left"] + says["right"] - hand["left"] - hand["right"]) <= 2
        return
    first = box(page, ".me .card")
    assert 4 <= first["left"] - says["right"] <= 24
    assert first["top"] <= says["top"] and says["bottom"] <= first["bottom"]


def test_laptop_rail_of_taken_says_the_hint_and_the_sealed_card(stage, person):
    match = stage.begun("Ann", "Ben", game="taken")
    stage.tables.change(match.code, lambda t: setattr(t.table, "hints", Hints.ALL))
    page = person(key=match.keys[0], width=1366, height=650).page
    page.goto(match.path)
    page.locator("#hint-go").click()
    expect(page.locator(".advice")).to_have_css("clip-path", "none")
    match.play(0, f"choose {match.view(0).zone('hand', 0).cards[0]}")
    sealed = page.locator(".says .seen", has_text="Your sealed card")
    expect(sealed).to_have_css("clip-path", "none")
    assert box(page, ".says .seen")["bottom"] <= box(page, ".action-bar")["bottom"]


@pytest.mark.parametrize("name", ["gops-bid-vote", "taken-choose-vote"])
def test_phone_vote_leaves_own_points_and_the_question_whole(stage, onlooker, name):
    (moment,) = (it for it in moments() if f"{it.game}-{it.name}" == name)
    scene = moment.scene(stage)
    page = onlooker(scene.path, key=scene.key, width=360, height=740).page
    button = box(page, ".go button")["top"]
    for part in (".action-bar small", ".action-bar .unit", "#status"):
        expect(page.locator(part)).to_have_css("clip-path", "none")
        assert box(page, part)["bottom"] <= button, part


def test_karata_deck_keeps_its_place_however_many_cards_are_played(stage, onlooker):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", game="karata")
    page = onlooker(match.path, key=match.keys[0], width=360, height=740).page
    before = box(page, "#deck")
    for most in (4, 7):
        page.evaluate(
            """most => {
              const pile = document.querySelector(".played"), card = pile.lastElementChild
              while (pile.children.length < most) pile.append(card.cloneNode(true))
            }""",
            most,
        )
        assert box(page, "#deck") == before
        assert box(page, ".played li:last-child")["right"] <= box(page, ".ring")["right"]


@pytest.mark.parametrize("language", ["en", "ar"])
def test_phone_bomb_in_karata_grows_away_from_the_edge(stage, person, language):
    match = stage.begun("Ann", "Ben", "Cid", game="karata")
    page = person(key=match.keys[0], width=360, height=740, still=False).page
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto(match.path)
    first = """() => {
      const seats = [...document.querySelectorAll(".seat")], ring = document.querySelector(".ring")
      return seats.map(it => {
        const tag = document.createElement("span")
        tag.className = "tag hit"
        tag.textContent = "Pick 5"
        it.querySelector(".plate small").append(tag)
        const [enters] = tag.getAnimations()
        enters.pause()
        enters.currentTime = 0
        const {left, right} = tag.getBoundingClientRect(), felt = ring.getBoundingClientRect()
        return left >= felt.left && right <= felt.right
      })
    }"""
    assert page.evaluate(first) == [True, True]


def test_laptop_gops_keeps_a_name_by_its_cards(stage, person):
    match = stage.begun("Ann", "Ben", game="gops")
    page = person(key=match.keys[0], width=1366, height=650, still=False).page
    page.goto(match.path)
    plate, cards = (box(page, f".rivals {it}") for it in (".plate", ".run"))
    assert plate["right"] <= cards["left"] <= plate["left"] + 200
    assert page.locator(".duel h2").evaluate("it => parseFloat(getComputedStyle(it).wordSpacing)")
