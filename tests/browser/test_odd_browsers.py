"""Browsers that lack something new, or fail half-way: the page stays whole, and is played.

Chromium stands in for them: a style sheet loses on its way what an older browser would not have
understood, and the page's window what its scripts might not find.
"""

import re
from functools import cache

import pytest
from playwright.sync_api import expect

from kaboom.games import GAMES
from tests.browser.chromium import pass_time
from tests.browser.moments import moments
from tests.browser.stage import all_ready, pass_turn
from tests.browser.test_access import TOO_WIDE
from tests.browser.test_one_screen import WRONG
from tests.support.effort import LONG, some
from tests.support.server import ROOT

NEWER = {
    "has": (r":has\(", ":has-not("),
    "dvh": (r"\b([\d.]+)dvh\b", r"\1dxh"),
    "color-mix": (r"color-mix\(", "colour-mix("),
    "is": (r":is\(", ":any-of("),
    "animations": (r"@(view-transition|starting-style|property|layer)\b", r"@unknown-\1"),
    "anchors": (r"\b(anchor-name|position-anchor|position-try)\b", r"no-\1"),
    "grids": (r"\b(subgrid|text-wrap|aspect-ratio|inset-block|inset-inline)\b", r"no-\1"),
}
MOMENTS = {f"{it.game}-{it.name}": it for it in moments()}
LACKING = ("has", "dvh", "all")
# At the gate moments of Kaboom without one thing or all, and the others' ends without all.
TRIED = [
    (name, lacking)
    for name, it in MOMENTS.items()
    for lacking in LACKING
    if (it.game == "kaboom" and it.name in ("own-turn", "waiting", "match-over"))
    or (it.game != "kaboom" and LONG)
    or (it.name == "match-over" and lacking == "all")
]
# What cannot be pressed, wherever one scrolls to, and what stands outside the page.
REACHED = """() => [...document.querySelectorAll("main :is(a, button, label.card)")].map(it => {
  if (!it.checkVisibility({visibilityProperty: true}) || it.closest(".visually-hidden")) return
  it.scrollIntoView({block: "center"})
  const box = it.getBoundingClientRect()
  const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  const part = document.elementFromPoint(box.x + 12, box.y + 12)
  if (![there, part].some(at => at && (it.contains(at) || at.contains(it)))) return it.outerHTML
}).filter(Boolean)"""


def older(somebody, *names):
    """Take from every style sheet what an older browser would not understand."""

    def fetched(route):
        answer = route.fetch()
        sheet = answer.text()
        for name in names:
            sheet = re.sub(*NEWER[name], sheet)
        route.fulfill(response=answer, body=sheet)

    somebody.context.route("**/*.css*", fetched)
    somebody.context.route("**/*.css", fetched)


@pytest.fixture(scope="module")
def scenes(stage):
    """Where to look at a moment, led there once."""
    return cache(lambda name: MOMENTS[name].scene(stage))


@pytest.mark.parametrize(("name", "lacking"), some(TRIED, every=7))
def test_without_newer_styles_everything_can_be_seen_and_pressed(scenes, person, name, lacking):
    scene = scenes(name)
    somebody = person(key=scene.key)
    older(somebody, *(NEWER if lacking == "all" else [lacking]))
    for width, height in ((1366, 650), (360, 740)):
        somebody.page.set_viewport_size({"width": width, "height": height})
        somebody.page.goto(scene.path)
        assert somebody.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        assert somebody.page.evaluate(REACHED) == [], width


@pytest.fixture
def playing(stage):
    match = stage.begun("Ann", "Ben", "Cid", rounds=1)
    all_ready(match)
    return match


def plays_a_turn(somebody, match):
    """Draw a card and discard it, with whatever the page has to offer for that."""
    page = somebody.page
    page.goto(match.path)
    page.get_by_role("button", name="Draw a card", exact=True).click()
    page.get_by_role("button", name="Discard it", exact=True).click()
    expect(page.locator("#log")).to_contain_text("You discard")
    assert match.state.turn == 1


def test_without_fetch_it_is_the_page_without_scripts(playing, person):
    ann = person(key=playing.keys[0])
    ann.expect("htmx:error")  # for the stream, once
    ann.context.add_init_script("delete window.fetch")
    plays_a_turn(ann, playing)
    ann.page.get_by_role("link", name="What is going on?").click()
    expect(ann.page.get_by_role("link", name="Back to the table")).to_be_visible()


@pytest.mark.parametrize("part", some([0.0, 0.3, 0.97], first=1))
def test_scripts_that_come_in_part_leave_the_page_without_scripts(playing, person, part):
    """A connection that breaks, or a browser that does not understand a word of it."""
    ann = person(key=playing.keys[0])
    ann.expect("uncaught")

    def cut(route):
        answer = route.fetch()
        whole = answer.text()
        route.fulfill(response=answer, body=whole[: int(len(whole) * part)])

    ann.context.route("**/table.js*", cut)
    plays_a_turn(ann, playing)


def test_without_our_own_script_the_library_alone_plays(playing, person):
    ann = person(key=playing.keys[0])
    library = (ROOT / "static" / "vendor" / "htmx-bundle-4.0.1.js").read_text(encoding="utf-8")
    ann.context.route(
        "**/table.js*",
        lambda route: route.fulfill(body=library, content_type="text/javascript"),
    )
    plays_a_turn(ann, playing)
    pass_turn(playing)
    expect(ann.page.locator("#ver")).to_have_value(str(playing.revision(0)))


def test_a_browser_that_cannot_read_a_stream_asks_each_minute(playing, person):
    ann = person(key=playing.keys[0])
    ann.expect("getReader", "body", "null", "undefined")
    ann.context.add_init_script(
        "Object.defineProperty(Response.prototype, 'body', {get: () => null})"
    )
    ann.page.clock.install()
    ann.page.goto(playing.path)
    pass_turn(playing)
    pass_time(ann.page, 70)
    expect(ann.page.locator("#ver")).to_have_value(str(playing.revision(0)))


@pytest.mark.parametrize("game", sorted(GAMES) if LONG else ["kaboom", "karata"])
def test_on_a_watch_and_on_a_wall(stage, guest, game):
    """240 pixels, as on the smallest phones with keys, and the largest television."""
    options = {"deal_interval": 0, "pace": "untimed"} if game == "koth" else {}
    people = ("Ann", "Ben", "Cid", "Dot", "Eve")[: GAMES[game].seats(GAMES[game].options())[0]]
    match = stage.begun(*people, game=game, **options)
    page = guest(key=match.keys[0]).page
    for width, height in ((240, 320), (3840, 2160)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(match.path)
        expect(page.locator("#room-n")).to_have_count(1)  # the talk comes a moment later
        assert page.evaluate(TOO_WIDE) == [], width
        if width > 240:  # there one may have to scroll down
            assert page.evaluate(WRONG) == []
        assert page.evaluate(REACHED) == [], width
