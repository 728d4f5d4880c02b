"""Replays in a real browser: for every player, without scripts, and on paper."""

from unittest.mock import patch

import html5lib
import pytest
from playwright.sync_api import expect

from kaboom.games import GAMES, sample
from kaboom.records.service import MatchArchive
from kaboom.tables.match_record import text_of
from tests.browser.chromium import box
from tests.browser.test_access import (
    AXE,
    CUT_OFF,
    LAID_OUT,
    STYLE,
    TOO_WIDE,
    UNFOLD,
    axe_finds_nothing,
    said,
    too_small,
)
from tests.browser.test_one_screen import SCROLLS
from tests.support.effort import LONG, often, some
from tests.support.finished_matches import made, play_to_the_end


@pytest.fixture(scope="module")
def records(stage):
    """Return a function that finds a finished match of a game: its address and last step."""
    library, known = MatchArchive(stage.tables), {}

    def address(key):
        if key not in known:
            record = made(key, 3, most=4500)
            known[key] = f"/replay/{library.bring(text_of(record))}", len(record.moves)
        return known[key]

    return address


PAGES = [
    ("gops", ""),
    ("gops", "/verify"),
    ("taken", "/print"),
    ("koth", "/middle"),
    ("karata", "/middle?seat=0"),
    ("kaboom", "/last"),
    ("", "/replay"),
    ("", "/account"),
]
if LONG:
    PAGES += [(key, f"/middle{eyes}") for key in GAMES for eyes in ("?seat=1", "?seat=watch")]
NAMES = [f"{key}{path}" for key, path in PAGES]


@pytest.fixture
def path(request, records):
    key, path = request.param
    if not key:
        return path
    at, last = records(key)
    return at + path.replace("middle", str(last // 2)).replace("last", str(last))


@pytest.mark.parametrize("path", some(PAGES), ids=some(NAMES), indirect=True)
def test_axe_finds_nothing_on_pages_about_finished_matches(path, onlooker):
    page = onlooker(path).page
    page.evaluate(AXE)
    page.evaluate(STYLE, LAID_OUT)
    page.evaluate(UNFOLD)
    for width, colours in some(((360, "light"), (1280, "dark")), first=len(path) % 2):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=colours)
        axe_finds_nothing(page, f"{path}, {colours}, {width} px:")


@pytest.mark.parametrize("path", some(PAGES, first=1), ids=some(NAMES, first=1), indirect=True)
def test_pages_about_finished_matches_fit_with_large_controls(path, onlooker):
    page = onlooker(path, width=360, height=740, touch=True).page
    page.evaluate(UNFOLD)
    wrong = too_small(page)
    for width in (320, 360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        wrong += [f"too wide at {width} px: {html}" for html in page.evaluate(TOO_WIDE)]
        wrong += [f"cut off at {width} px: {html}" for html in page.evaluate(CUT_OFF)]
    assert not wrong, said(path, wrong)


@pytest.mark.parametrize("key", some(GAMES))
def test_record_shows_its_whole_podium(key, records, onlooker):
    at, _ = records(key)
    page = onlooker(at).page
    for width, height in ((360, 740), (1366, 650), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        felt = box(page, ".record .ring")
        for face in page.locator(".podium .face").all():
            # A crown is half as high as its face.
            assert face.bounding_box()["y"] > felt["y"] + 20, width


@pytest.mark.parametrize("key", some(GAMES, first=1))
def test_replay_on_a_laptop_shows_the_board_and_its_buttons(key, records, onlooker):
    at, last = records(key)
    page = onlooker().page
    for step in (last // 2, last):
        page.goto(f"{at}/{step}")
        for height in (650, 768):
            page.set_viewport_size({"width": 1366, "height": height})
            below = {it: box(page, it)["bottom"] for it in (".top", ".ring", ".steps .row")}
            assert max(below.values()) <= height, (step, below)
            assert page.evaluate(SCROLLS) <= 1, "part of the board is out of view"
            assert not page.evaluate(TOO_WIDE)


# Which panels beside a table lie on another one, or hold more than they show?
CROWDED = """() => {
  const panels = [...document.querySelectorAll(".side .panel")].filter(it => it.checkVisibility())
  const boxes = panels.map(it => it.getBoundingClientRect())
  const found = panels.filter(it => it.scrollHeight > it.clientHeight + 1)
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, j) => {
    if (Math.min(a.bottom, b.bottom) > Math.max(a.top, b.top) + 1
      && Math.min(a.right, b.right) > Math.max(a.left, b.left) + 1) found.push(panels[i + 1 + j])
  }))
  return found.map(it => it.innerText)
}"""
DESKS = ((1366, 650), (1280, 800), (1440, 900), (1920, 1080))


@pytest.mark.parametrize("where", ["table", "replay"])
@pytest.mark.parametrize("key", GAMES)
def test_no_panel_beside_a_table_lies_on_another(key, where, records, stage, onlooker):
    if where == "replay":
        at, last = records(key)
        page = onlooker(f"{at}/{last // 2}").page
    else:
        seats = GAMES[key].seats(GAMES[key].options())
        match = stage.begun(*LONG_NAMES[: min(max(4, seats[0]), seats[-1])], game=key)
        page = onlooker(f"/t/{match.code}", key=match.keys[0]).page
    for width, height in DESKS:
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(CROWDED), (width, height)
        assert page.evaluate(SCROLLS) <= 1, "part of the board is out of view"
        assert page.evaluate(SCROLLS.replace("Height", "Width")) <= 1, (width, height)


@pytest.mark.parametrize("height", [640, 740])
@pytest.mark.parametrize("key", some(GAMES))
def test_replay_on_a_phone_is_whole_on_the_first_screen(key, height, records, onlooker):
    """What happened, the whole board and the buttons, at the same place on each step."""
    at, last = records(key)
    page = onlooker(width=360, height=height).page
    places = set()
    for step in (last // 3, last // 2, 2 * last // 3):
        page.goto(f"{at}/{step}?seat=0")
        ring, steps = box(page, ".ring"), box(page, ".steps")
        assert ring["bottom"] <= steps["top"] + 1 and steps["bottom"] <= height, step
        assert box(page, ".happened")["bottom"] <= ring["top"]
        assert page.evaluate(SCROLLS) <= 0
        assert not page.evaluate(TOO_WIDE)
        places.add((ring["top"], steps["top"]))
    assert len(places) == 1


@pytest.mark.parametrize("size", [(360, 740), (1366, 650)], ids=["phone", "laptop"])
@pytest.mark.parametrize(("key", "step"), [("karata", 4), ("taken", 4)])
def test_open_replay_shows_every_hand_on_one_screen(key, step, size, records, onlooker):
    at, _last = records(key)
    page = onlooker(f"{at}/{step}", width=size[0], height=size[1]).page
    hands, board = box(page, ".hands"), box(page, ".ring")
    assert board["y"] + board["height"] <= hands["y"] + 1
    edge = box(page, ".steps")["y"] if size[0] < 400 else size[1]
    assert hands["y"] + hands["height"] <= edge + 1


# The hands at the seats: how wide their cards are, and how much of each the next one leaves.
HELD = """() => [...document.querySelectorAll(".ring .held")].map(hand => {
    const boxes = [...hand.querySelectorAll(".card")].map(it => it.getBoundingClientRect());
    return [Math.min(...boxes.map(it => it.width)),
        Math.min(...boxes.slice(1).map((it, place) => it.left - boxes[place].left), 99)];
})"""


@pytest.mark.parametrize("size", [(360, 740), (1366, 650)])
def test_koth_begins_in_the_middle_for_spectators(size, records, onlooker):
    at, _last = records("koth")
    page = onlooker(f"{at}/0?seat=watch", width=size[0], height=size[1]).page
    table = box(page, ".table-area")
    for place in (".table-area .result", ".table-area .p0 .plate"):
        it = box(page, place)
        middle = it["x"] + it["width"] / 2 - table["x"] - table["width"] / 2
        assert abs(middle) < 2, (place, middle)


@pytest.mark.parametrize("size", [(360, 740), (360, 640), (1366, 650)], ids=str)
@pytest.mark.parametrize(("key", "step"), [("koth", 50), ("hearts", 24), ("oh_hell", 3)])
def test_open_hands_lie_at_their_seats(key, step, size, records, onlooker):
    at, _last = records(key)
    page = onlooker(f"{at}/{step}", width=size[0], height=size[1]).page
    hands = page.evaluate(HELD)
    assert len(hands) == page.locator(".ring .seat").count() > 2
    assert all(width >= 26 and seen >= 12 for width, seen in hands), hands
    assert not page.locator(".ring .back:visible, .hands").count()
    assert page.evaluate(SCROLLS) <= 0 and not page.evaluate(TOO_WIDE)
    board = box(page, ".ring")
    edge = box(page, ".steps")["y"] if size[0] < 400 else size[1]
    assert board["y"] + board["height"] <= edge + 1
    names = page.locator(".ring .plate b")
    for name in range(names.count()):
        assert names.nth(name).bounding_box()["height"] < 30, "a name is broken into lines"


def test_log_beside_a_replay_shows_whole_lines(records, onlooker):
    at, last = records("hearts")
    page = onlooker(f"{at}/{last // 2}", width=1366, height=650).page
    lines = box(page, "#log")["height"] / 24
    assert lines >= 2 and lines == round(lines)


@pytest.mark.parametrize("size", [(360, 740), (1366, 650)])
def test_open_hands_of_taken_are_even_with_faces(records, onlooker, size):
    at, _last = records("taken")
    page = onlooker(f"{at}/1", width=size[0], height=size[1]).page
    zones = page.locator(".hands .zone")
    assert zones.locator(".face").count() == zones.count() > 1
    lefts = {round(zones.nth(it).bounding_box()["x"]) for it in range(zones.count())}
    assert len(lefts) == (1 if size[0] < 400 else zones.count())
    sizes = """els => els.map(it => parseFloat(getComputedStyle(it, "::before").fontSize))"""
    assert min(page.locator(".hands .card").evaluate_all(sizes)) >= 12
    ring, hands = box(page, ".ring"), box(page, ".hands")
    assert 0 <= hands["y"] - ring["y"] - ring["height"] < 16
    assert page.evaluate(SCROLLS) <= 0 and not page.evaluate(TOO_WIDE)


def test_gear_is_on_the_line_of_the_heading(records, onlooker):
    at, _last = records("gops")
    page = onlooker(f"{at}/1", width=1366, height=650).page
    gear, top = box(page, ".set"), box(page, ".top")
    assert abs(gear["y"] + gear["height"] / 2 - top["y"] - top["height"] / 2) <= 1


def test_replay_waits_for_nobody(records, onlooker):
    at, last = records("gops")
    page = onlooker(f"{at}/{last // 2}").page
    assert "Waiting for" not in page.locator("main").inner_text()


def test_keys_of_a_replay_pass_over_players_who_get_ready(records, onlooker):
    at, _last = records("koth")
    moves = [it.text for it in made("koth", 3, most=4500).moves]
    ready = next(step for step, it in enumerate(moves, 1) if it.endswith("ready"))
    page = onlooker(f"{at}/{ready - 1}", width=1366, height=650).page
    after = page.locator("#to-next").get_attribute("href")
    assert after != f"{at}/{ready}"
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**{after}")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**{at}/{ready - 1}")


def test_replay_is_controlled_by_keys_and_keeps_its_speed(records, onlooker):
    at, last = records("gops")
    page = onlooker(f"{at}/3", width=1366, height=650).page
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**{at}/4")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**{at}/3")
    page.keyboard.press("End")
    page.wait_for_url(f"**{at}/{last}")
    page.keyboard.press("Home")
    page.wait_for_url(f"**{at}/0")
    page.get_by_role("button", name="Speed: 1×").click()
    page.reload()
    assert page.get_by_role("button", name="Speed: 2×").is_visible()
    page.keyboard.press(" ")
    page.wait_for_url(f"**{at}/2")
    page.get_by_role("button", name="Stop").click()


def test_link_to_a_step_changes_the_page_in_place(records, onlooker):
    at, _last = records("gops")
    page = onlooker(f"{at}/3").page
    page.evaluate("window.here = true")
    page.get_by_role("link", name="Forward", exact=True).click()
    page.wait_for_url(f"**{at}/4")
    page.get_by_role("navigation", name="Rounds and views").get_by_text("1", exact=True).click()
    page.wait_for_url(f"**{at}/0")
    assert page.evaluate("window.here")
    page.get_by_role("link", name="Ann", exact=True).click()
    page.wait_for_url("**/0?seat=0")


# Which two of the table's elements and names overlap?
OVERLAPS = """() => {
  const all = [...document.querySelectorAll(".ring :is(.seat, .prompt, .middle)")].map(it => [it]);
  all.push(...[...document.querySelectorAll(".ring .seat h2")].map(it => [it, it.parentNode]));
  const boxes = all.map(([it, of]) => [it, of, it.getBoundingClientRect()]);
  const found = [];
  boxes.forEach(([a, ofA, x], i) => boxes.slice(i + 1).forEach(([b, ofB, y]) => {
    if (ofB === a || a.contains(b) || b.contains(a)) return;
    const wide = Math.min(x.right, y.right) - Math.max(x.left, y.left);
    const high = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
    if (wide > 1 && high > 1) found.push([a.innerText, b.innerText, wide, high]);
  }));
  return found;
}"""
LONG_NAMES = [
    "Amina",
    "Christopher-Robin",
    "Bartholomew the Younger",
    "Wanjiku wa Kamau",
    "Zawadiiiiiiiiiiiiiiiiiiii",
]


@pytest.mark.parametrize("key", some(GAMES))
def test_nothing_overlaps_on_a_replayed_table(key, stage, onlooker):
    def possible(values):
        return GAMES[key].seats(GAMES[key].options(**values))

    options = max(({}, *sample(key).variants), key=lambda values: possible(values)[-1])
    seats = min(max(4, possible(options)[0]), possible(options)[-1])
    with patch("tests.support.finished_matches.NAMES", LONG_NAMES):
        record = next(filter(None, (made(key, n, seats, most=6000, **options) for n in range(30))))
    at = f"/replay/{MatchArchive(stage.tables).bring(text_of(record))}/{len(record.moves) // 2}"
    for eyes in some(("", "?seat=watch", "?seat=1"), every=3, first=len(key) % 3):
        page = onlooker(at + eyes).page
        for width in (360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert not page.evaluate(OVERLAPS), f"{eyes} at {width} px"


@pytest.mark.parametrize("path", PAGES, ids=NAMES, indirect=True)
def test_pages_about_finished_matches_are_valid_html(path, stage):
    html5lib.HTMLParser(strict=True).parse(stage.get(path))


def test_replay_is_stepped_through_without_scripts(records, guest):
    at, last = records("gops")
    page = guest(at, scripts=False, width=360, height=740).page
    page.get_by_role("link", name="Replay it step by step").click()
    steps = often(6, soak=last)
    for _ in range(steps - 4):
        page.get_by_role("link", name="Forward", exact=True).click()
    assert page.url.endswith(f"{at}/{steps - 4}")
    page.goto(f"{at}/{last - 2}")
    for _ in range(2):
        page.get_by_role("link", name="Forward", exact=True).click()
    assert page.url.endswith(f"{at}/{last}")
    expect(page.get_by_role("table", name="Result")).to_be_visible()
    assert page.get_by_role("link", name="Forward", exact=True).count() == 0
    page.get_by_role("link", name="Back", exact=True).click()
    page.get_by_role("link", name="First").click()
    assert page.url.endswith(f"{at}/0")
    page.get_by_role("link", name="Ann", exact=True).click()
    assert page.url.endswith("/0?seat=0")
    assert page.get_by_role("heading", name="Your hand").is_visible()


@pytest.mark.parametrize("key", ["gops", "koth"])
def test_printed_match_has_sentences_and_no_controls(records, guest, key):
    page = guest(f"{records(key)[0]}/print").page
    page.emulate_media(media="print")
    assert page.locator(".story p").first.is_visible()
    visible = "all => all.filter(it => it.checkVisibility()).length"
    assert page.locator("button, .button, nav, input, .foot, .top").evaluate_all(visible) == 0
    assert len(page.pdf()) > 10_000


def test_replay_plays_automatically_and_stops_at_its_target(records, onlooker):
    path, last = records("gops")
    page = onlooker(f"{path}/0?seat=0", width=360, height=640).page
    button = page.get_by_role("button", name="Autoplay")
    button.click()
    page.wait_for_url("**/2?seat=0")
    page.get_by_role("button", name="Stop").click()
    at = page.url
    page.wait_for_timeout(2500)
    assert page.url == at and page.get_by_role("heading", level=1).text_content().count("step")
    line = page.get_by_role("slider", name="Timeline")
    line.focus()
    line.press("End")
    page.wait_for_url(f"**/{last}?seat=0")
    assert f"step {last} of {last}" in page.locator("h1").text_content()
    assert line.evaluate("it => it === document.activeElement")


RUNNING = """() => document.getAnimations().filter((it) =>
  it.playState === "running" && it.effect.target.closest(".ring")).map((it) => it.animationName)"""


def test_opened_step_is_not_animated(records, onlooker):
    path, last = records("gops")
    page = onlooker().page
    page.emulate_media(reduced_motion="no-preference")
    for step in (last // 2, last):
        page.goto(f"{path}/{step}")
        assert not page.evaluate(RUNNING)


def test_kaboom_call_animation_plays_once(records, onlooker):
    path, last = records("kaboom")
    page = onlooker().page
    page.emulate_media(reduced_motion="no-preference")
    happened = page.locator(".happened")
    for call in range(last, 0, -1):
        page.goto(f"{path}/{call}")
        if "kaboom!" in happened.text_content():
            break
    page.goto(f"{path}/{call - 1}")
    burst = []
    for step in range(call, min(call + 3, last) + 1):
        page.locator("#to-next").click()
        page.wait_for_url(f"**/{step}")
        burst.append("boom" in page.evaluate(RUNNING))
    assert burst == [True] + [False] * (len(burst) - 1)


FLIP = """([seed, times]) => {
  // Flips bits of the record and of the sentences; returns those that nothing notices.
  const record = document.getElementById("record").textContent
  const said = document.getElementById("match").textContent
  const { content } = document.querySelector("meta[name=sum]")
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647
  const missed = problems(record, said, content)
  for (let i = 0; i < times; i++) {
    const texts = [record, said]
    const which = i % 2
    const at = Math.floor(random() * texts[which].length)
    const code = texts[which].charCodeAt(at) ^ (1 << Math.floor(random() * 7))
    const [before, after] = [texts[which].slice(0, at), texts[which].slice(at + 1)]
    texts[which] = before + String.fromCharCode(code) + after
    if (!problems(...texts, content).length) missed.push([which, at, code])
  }
  return missed
}"""


def test_match_file_verifies_itself_and_detects_flipped_bits(stage, onlooker, tmp_path):
    code, _ids = play_to_the_end(stage.tables, "gops")
    page = onlooker(f"/m/{stage.tables.get(code).table.record}").page
    answer = page.request.get(f"{page.url}.html")
    file = tmp_path / "match.html"
    file.write_bytes(answer.body())
    page.goto(f"file://{file}")
    assert page.locator("#verdict.right").text_content().startswith("✓")
    assert page.evaluate(FLIP, [50, 10_000 if LONG else 1_000]) == []
    file.write_bytes(answer.body().replace(b"names&#34;:[&#34;", b"names&#34;:[&#34;X"))
    page.goto(f"file://{file}")
    assert "not genuine" in page.locator("#verdict.wrong").text_content()
