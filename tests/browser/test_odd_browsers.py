"""Browsers that lack new features, or fail halfway: the page stays complete and playable.

Chromium stands in for them. Its style sheets lose what an older browser would not understand, and
its window loses functions that older browsers lack.
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
# `make test` shows moments of Kaboom without one feature or without all three, and the other games'
# ends without all three.
TRIED = [
    (name, lacking)
    for name, it in MOMENTS.items()
    for lacking in LACKING
    if (it.game == "kaboom" and it.name in ("own-turn", "waiting", "match-over"))
    or (it.game != "kaboom" and LONG)
    or (it.name == "match-over" and lacking == "all")
]
# Controls that cannot be pressed even after scrolling, and elements outside the page.
REACHED = """() => [...document.querySelectorAll("main :is(a, button, label.card)")].map(it => {
  if (!it.checkVisibility({visibilityProperty: true}) || it.closest(".visually-hidden")) return
  it.scrollIntoView({block: "center"})
  const box = it.getBoundingClientRect()
  const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  const part = document.elementFromPoint(box.x + 12, box.y + 12)
  if (![there, part].some(at => at && (it.contains(at) || at.contains(it)))) return it.outerHTML
}).filter(Boolean)"""


def older(visitor, *names):
    """Remove from every style sheet what an older browser would not understand."""

    def fetched(route):
        answer = route.fetch()
        sheet = answer.text()
        for name in names:
            sheet = re.sub(*NEWER[name], sheet)
        route.fulfill(response=answer, body=sheet)

    visitor.context.route("**/*.css*", fetched)
    visitor.context.route("**/*.css", fetched)


@pytest.fixture(scope="module")
def scenes(stage):
    """Return the address of a moment, prepared once."""
    return cache(lambda name: MOMENTS[name].scene(stage))


@pytest.mark.parametrize(("name", "lacking"), some(TRIED, every=7))
def test_page_works_without_newer_styles(scenes, person, name, lacking):
    scene = scenes(name)
    visitor = person(key=scene.key)
    older(visitor, *(NEWER if lacking == "all" else [lacking]))
    for width, height in ((1366, 650), (360, 740)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.goto(scene.path)
        assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        assert visitor.page.evaluate(REACHED) == [], width


@pytest.fixture
def playing(stage):
    match = stage.begun("Ann", "Ben", "Cid", rounds=1)
    all_ready(match)
    return match


def plays_a_turn(visitor, match):
    """Draw a card and discard it, with the controls the page offers."""
    page = visitor.page
    page.goto(match.path)
    page.get_by_role("button", name="Draw a card", exact=True).click()
    page.get_by_role("button", name="Discard it", exact=True).click()
    expect(page.locator("#log")).to_contain_text("You discard")
    assert match.state.turn == 1


def test_without_fetch_the_page_works_as_without_scripts(playing, person):
    ann = person(key=playing.keys[0])
    ann.expect("htmx:error")  # for the stream, once
    ann.context.add_init_script("delete window.fetch")
    plays_a_turn(ann, playing)
    ann.page.get_by_role("link", name="What is going on?").click()
    expect(ann.page.get_by_role("link", name="Back to the table")).to_be_visible()


@pytest.mark.parametrize("part", some([0.0, 0.3, 0.97], first=1))
def test_partly_loaded_scripts_leave_the_plain_page(playing, person, part):
    """A broken connection, or a browser that does not support streams."""
    ann = person(key=playing.keys[0])
    ann.expect("uncaught")

    def cut(route):
        answer = route.fetch()
        whole = answer.text()
        route.fulfill(response=answer, body=whole[: int(len(whole) * part)])

    ann.context.route("**/table.js*", cut)
    plays_a_turn(ann, playing)


def test_htmx_alone_plays_without_our_own_script(playing, person):
    ann = person(key=playing.keys[0])
    library = (ROOT / "static" / "vendor" / "htmx-bundle-4.0.1.js").read_text(encoding="utf-8")
    ann.context.route(
        "**/table.js*",
        lambda route: route.fulfill(body=library, content_type="text/javascript"),
    )
    plays_a_turn(ann, playing)
    pass_turn(playing)
    expect(ann.page.locator("#ver")).to_have_value(str(playing.revision(0)))


def test_browser_without_streams_polls_each_minute(playing, person):
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
def test_smallest_and_largest_screens_show_the_table(stage, guest, game):
    """240 pixels, as on the smallest phones with keys, and the largest television."""
    options = {"deal_interval": 0, "pace": "untimed"} if game == "koth" else {}
    people = ("Ann", "Ben", "Cid", "Dot", "Eve")[: GAMES[game].seats(GAMES[game].options())[0]]
    match = stage.begun(*people, game=game, **options)
    page = guest(key=match.keys[0]).page
    for width, height in ((240, 320), (3840, 2160)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(match.path)
        expect(page.locator("#room-n")).to_have_count(1)  # the chat loads a moment later
        assert page.evaluate(TOO_WIDE) == [], width
        if width > 240:  # narrower pages may scroll
            assert page.evaluate(WRONG) == []
        assert page.evaluate(REACHED) == [], width
