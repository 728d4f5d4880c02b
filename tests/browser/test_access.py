"""Every page is accessible: axe finds nothing, no part is cut off, every control can be pressed."""

from dataclasses import replace

import html5lib
import pytest
from playwright.sync_api import expect

from tests.browser.moments import PAGES, moments
from tests.browser.stage import all_ready, pass_turn
from tests.support.effort import LONG, some
from tests.support.server import ROOT

AXE = (ROOT / "tests" / "vendor" / "axe-4.14.1.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"]
# Passed checks, positions and file contents are not reported, which saves half of the time.
RUN_AXE = """async tags => {
  const found = await axe.run(document, {runOnly: {type: "tag", values: tags},
    resultTypes: ["violations", "incomplete"], selectors: false, elementRef: false, preload: false})
  const all = it => it.nodes.map(node => [it.id, it.help, node.html, node.any
    .concat(node.all, node.none).map(check => check.data?.messageKey || check.message).join("; ")])
  return {violations: found.violations.flatMap(all), incomplete: found.incomplete.flatMap(all)}
}"""
# Content security policy forbids style elements, but not style sheets constructed by our script.
STYLE = """css => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}"""
SPACING = """* { line-height: 1.5 !important; letter-spacing: .12em !important;
  word-spacing: .16em !important; } p { margin-bottom: 2em !important; }"""
# axe computes no contrast for parts that are scrolled away, covered or on a gradient. So the whole
# log, the scrolling middle and examples are shown in full, and the felt gets its lightest colour
# everywhere, also below a podium.
LAID_OUT = """#log, .side { max-height: none !important; height: auto !important; }
  .playing .logs { flex: none !important; }
  .playing #log { margin: 0 !important; flex: none !important; }
  .ring .table-area { contain: none !important; overflow: visible !important; }
  pre { white-space: break-spaces !important; }
  .ring, .banner { background: var(--table-highlight) !important; }
  .ending::before { display: none !important; } .ending h2 { text-shadow: none !important; }
  .step { background: #466f68 !important; } .first .step { background: #c77f15 !important; }
"""
NO_RAYS = (
    ".ending::before { display: none !important; }"  # they rotate behind the winner and are cut off
)
NO_ANSWER = ("shortTextContent", "nonBmp")  # axe skips single characters and symbols
# The page for people without scripts, with its <noscript> parts shown.
UNWRAP = """() => document.querySelectorAll("noscript").forEach(it => {
  const shown = document.createElement("div")
  shown.innerHTML = it.textContent
  it.replaceWith(shown)
})"""
UNFOLD = "document.querySelectorAll('details').forEach(it => it.open = true)"
TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth <= width) return []
  const all = [...document.querySelectorAll("body *")]
  return all.filter(it => it.getBoundingClientRect().right > width + 1)
    .filter(it => !it.closest(".visually-hidden"))
    .map(it => it.outerHTML.slice(0, 120))
}"""
CUT_OFF = """() => [...document.querySelectorAll("body *")].filter(it => {
  const style = getComputedStyle(it)
  const clips = style.overflowX !== "visible" && style.overflowX !== "auto"
  return clips && it.scrollWidth > it.clientWidth + 1 && it.clientWidth > 1
    && !it.matches("input, select, .card, .ring, .ending, .lately")
}).map(it => it.outerHTML.slice(0, 120))"""
TARGETS = """() => [...document.querySelectorAll("a, button, input, select, summary")].filter(it =>
  it.checkVisibility({visibilityProperty: true}) && it.type !== "hidden"
  && !it.closest(".skip, .visually-hidden")
  && !(it.tagName === "A" && it.parentElement.textContent.trim() !== it.textContent.trim())
).map(it => {
  const box = (it.closest("label") || it).getBoundingClientRect()
  return [it.outerHTML.slice(0, 90), Math.round(box.width * 10) / 10,
    Math.round(box.height * 10) / 10, it.matches("button, .button, select, input")
      && !it.matches(".seat:not(.me) *, .extra *, button.small, [type=checkbox], [type=radio]")]
})"""


def too_small(page):
    """Return controls that are too small: below 24 pixels, or 44 for buttons and own cards."""
    return [
        f"{html} is {width} x {height}"
        for html, width, height, main in page.evaluate(TARGETS)
        if min(width, height) < (44 if main else 24)
    ]


PLAYED = [
    "lobby",
    "invited",
    "peek",
    "own-turn",
    "ability",
    "waiting",
    "flip-question",
    "collecting",
    "flip-sealed",
    "wrong-flip",
    "vote",
    "crowded",
    "round-over",
    "match-over",
]
# Without scripts they reload automatically, because a television has no one to press a button.
TELEVISION = ("kaboom-screen", "kaboom-chairs")
BESIDE = [
    "talk",
    "going-on",
    "leave",
    "carry",
    "people",
    "keep",
    "options",
    "screen",
    "here",
    "locked",
    "rooms",
    "record",
    "replay",
    "print",
    "verify",
    "me",
    "club",
    "feed",
]
APART = [
    "devices",
    "friends",
    "chairs",
    "notes",
    "passing",
    "calls",
    "clubs",
    "club-outside",
    "club-settings",
    "club-link",
    "friend-link",
    "device-link",
    "report",
    "turns",
    "vacation",
]  # checked in long runs
SCENES = [
    "home",
    "start",
    "rules",
    "error",
    "reference",
    "lobby",
    "look",
    "in",
    "kaboom-day-over",
    "kaboom-ratings",
    "tournament-new",
    "gops-tournament",
    "gops-tournament-run",
    "gops-tournament-bracket",
    "gops-tournament-round?lang=sw",
    "gops-standings?lang=sw",
    *(f"kaboom-{name}" for name in PLAYED + BESIDE),
]
LOOKS = [(1280, 800, "light"), (360, 740, "dark"), (1280, 800, "dark"), (360, 740, "light")]
OFTEN = ("home", "kaboom-lobby", "kaboom-own-turn", "kaboom-match-over")
if LONG:  # the other games' pages as well
    SCENES += ["day", "keys", "settings", "own-rules", "tournaments"]
    SCENES += [f"kaboom-{name}" for name in ("me-played", *APART)]
    SCENES += [f"{it.game}-{it.name}" for it in moments() if it.game != "kaboom"]


def looks_at(name):
    """Return the colour schemes and devices for a scene. `make test` takes light on a desktop or
    dark on a phone in turn, and both for the most visited scenes.
    """
    if LONG:
        return LOOKS
    return LOOKS[:2] if name in OFTEN else [LOOKS[SCENES.index(name) // 6 % 2]]


def axe_finds_nothing(page, where):
    """Run axe, which is loaded on the page."""
    found = page.evaluate(RUN_AXE, TAGS)
    assert not found["violations"], said(where, found["violations"])
    # Marks, white on nearly black, overlap both a card and felt.
    unclear = [
        it
        for it in found["incomplete"]
        if it[0] == "color-contrast" and 'class="mark"' not in it[2] and it[3] not in NO_ANSWER
    ]
    assert not unclear, said(where, unclear)


@pytest.fixture(scope="module")
def scenes(stage):
    """Return a function that finds the address of a page or moment, prepared once."""
    known = dict(PAGES)

    def scene(name):
        name, _, language = name.partition("?")
        if name not in known:
            moment = next(it for it in moments() if f"{it.game}-{it.name}" == name)
            known[name] = moment.scene(stage)
        seen = known[name]
        return replace(seen, path=f"{seen.path}?{language}") if language else seen

    return scene


@pytest.fixture
def looking(scenes, onlooker):
    """A function that opens a scene for viewing only."""

    def looked(name, **more):
        seen = scenes(name)
        visitor = onlooker(key=seen.key, **more)
        if name in ("error", "kaboom-locked"):
            visitor.expect("status of 40[34]")
        visitor.page.goto(seen.path)
        return visitor

    return looked


def said(where, found):
    """Return a message that lists all findings."""
    return "\n  ".join([where, *map(str, found)])


@pytest.mark.parametrize("name", sorted({*some(SCENES, every=9, first=1), *OFTEN}))
def test_axe_finds_nothing_in_light_or_dark_on_phone_or_desktop(looking, name):
    width, height, _ = looks_at(name)[0]
    page = looking(name, width=width, height=height).page
    page.evaluate(AXE)
    if name not in TELEVISION:
        page.evaluate(UNWRAP)
    page.evaluate(STYLE, LAID_OUT)
    for width, height, colours in looks_at(name):
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours)
        axe_finds_nothing(page, f"{name}, {colours}, {width} px:")
    pictures = page.evaluate("[...document.images].map(it => [it.src, it.naturalWidth])")
    assert all(width for _, width in pictures), f"a picture was not drawn: {pictures}"
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(it => it.id)")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", ["home", "kaboom-own-turn"])
def test_axe_finds_nothing_in_unfolded_parts(looking, name):
    page = looking(name).page
    page.evaluate(AXE)
    page.evaluate(UNFOLD)
    for colours in ("light", "dark"):
        page.emulate_media(color_scheme=colours)
        found = page.evaluate(RUN_AXE, TAGS)
        assert not found["violations"], said(f"{name}, {colours}:", found["violations"])


@pytest.mark.parametrize("name", some(SCENES, every=10, first=1))
def test_pages_fit_and_controls_are_large_enough_to_press(looking, name):
    """There is no horizontal scrolling and no clipping down to 320 pixels, also with wide text
    spacing.

    Controls have at least 24 by 24 pixels; buttons and own cards (except Kaboom's penalty cards) 44
    by 44.
    """
    page = looking(name, width=360, height=740, touch=True).page
    page.evaluate(UNFOLD)
    small, wrong = too_small(page), []
    page.evaluate(STYLE, NO_RAYS)
    for spacing in ("", SPACING):
        if spacing:
            page.evaluate(STYLE, spacing)
        for width in (320, 820, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            where = f"at {width} px{' with wide spacing' if spacing else ''}"
            wrong += [f"too wide {where}: {html}" for html in page.evaluate(TOO_WIDE)]
            wrong += [f"cut off {where}: {html}" for html in page.evaluate(CUT_OFF)]
    assert not small + wrong, said(name, small + wrong)


# Pages on which text at twice the size once made a phone scroll sideways, and the newest ones.
LARGE_LETTERS = ("home", "tournament-new", "kaboom-rooms", "gops-tournament", "gops-standings")
LARGE_LETTERS += ("kaboom-me-played", "kaboom-replay")
# Names with one letter a line.
TORN = (
    "() => [...document.querySelectorAll('.person b')].filter(it => it.offsetHeight > 140).length"
)


@pytest.mark.parametrize("name", LARGE_LETTERS)
def test_text_at_twice_the_size_fits_a_phone(looking, name):
    page = looking(name, width=360, height=740).page
    page.evaluate(STYLE, "html { font-size: 200% }")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert not page.evaluate(TORN)


@pytest.mark.parametrize(
    "name",
    some(["kaboom-own-turn", "kaboom-crowded", "kaboom-flip-question", "kaboom-collecting"]),
)
def test_phone_prompt_never_covers_the_focused_element(looking, name):
    page = looking(name, width=360, height=740).page
    page.keyboard.press("Tab")
    stops = 0
    while True:
        page.keyboard.press("Tab")
        seen = page.evaluate("""() => {
          const it = document.activeElement, box = it.getBoundingClientRect()
          if (it === document.body || it.closest(".foot")) return null
          const at = (x, y) => {
            const top = document.elementFromPoint(box.x + box.width * x, box.y + box.height * y)
            return !!top && (it.contains(top) || top.contains(it))
          }
          return [it.outerHTML.slice(0, 100), at(.5, .5) || at(.5, .1) || at(.1, .9)]
        }""")
        if seen is None:
            break
        stops += 1
        assert seen[1], f"{seen[0]} has the focus but is invisible"
        assert stops < 120
    assert stops > 20


def test_with_reduced_motion_nothing_moves(stage, guest):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    running = "document.getAnimations().filter(it => it.playState === 'running').length"
    moving = guest(match.path, key=match.keys[1], still=False)
    still = guest(match.path, key=match.keys[1])
    counts = {"moving": 0, "still": 0}
    for _ in range(2):
        pass_turn(match)
        for name, who in (("moving", moving), ("still", still)):
            expect(who.page.locator("#ver")).to_have_value(str(match.revision(1)))
            counts[name] += who.page.evaluate(running)
    assert counts["still"] == 0
    assert counts["moving"] > 0, "nothing moves at all, so this proves nothing"


def test_forced_colors_still_mark_playable_cards_and_turn(looking):
    page = looking("kaboom-own-turn").page
    page.emulate_media(forced_colors="active")
    border = "it => (s => s.borderTopWidth + s.borderTopColor)(getComputedStyle(it))"
    must = page.locator("button.card.must").first.evaluate(border)
    assert must != page.locator("button.card.may").first.evaluate(border)
    assert must != page.locator(".pile .card:not(button)").first.evaluate(border)
    assert (
        page.locator(".action-bar.mine").evaluate("it => getComputedStyle(it).outlineStyle")
        != "none"
    )
    assert page.locator(".seat.turn").evaluate("it => getComputedStyle(it).outlineStyle") != "none"


@pytest.mark.parametrize("name", SCENES)
def test_pages_and_fragments_are_valid_html(stage, scenes, name):
    seen = scenes(name)
    html5lib.HTMLParser(strict=True).parse(stage.get(seen.path, seen.key))
    table = seen.path.partition("?")[0]
    if table.startswith("/t/") and table.count("/") == 2 and seen.key:
        view = "/view?".join(f"{seen.path}?".split("?", 1))
        fragment = stage.get(view, seen.key, **{"HX-Request": "true"})
        assert 'id="table"' in fragment
        html5lib.HTMLParser(strict=True).parseFragment(fragment, container="div")


@pytest.mark.parametrize("name", SCENES)
def test_every_page_works_without_hover_or_drag(stage, scenes, name):
    """There is no drag, hover, access key, inline handler or inline style."""
    html = stage.get(scenes(name).path, scenes(name).key).lower()
    for forbidden in ("draggable", "onmouse", "onclick", "accesskey", "hx-on", "js:", "style="):
        assert forbidden not in html, forbidden
