"""Pages keep their shape when every text is 40% longer, in French, and from right to left."""

import pytest

from tests.browser.moments import PAGES, TABLES, moments
from tests.browser.test_access import CUT_OFF, TOO_WIDE
from tests.browser.test_one_screen import WHOLE, WRONG
from tests.support.builtin_games import OURS
from tests.support.effort import LONG, some

# One moment of a lobby, and for each game those with the most text or controls.
WORDIEST = ("lobby", "own-turn", "flip-sealed", "bid", "turn", "ask-suit", "call", "follow", "take")
SCENES = [moment for moment in TABLES if moment.name in WORDIEST]

# Text that a button or a tag cuts off. Cards draw their own.
CLIPPED = """() => [...document.querySelectorAll("button, .tag, summary, label, h1, h2, a.button")]
  .filter(it => it.checkVisibility({visibilityProperty: true}))
  .filter(it => !it.closest(".visually-hidden, .card, .skip"))
  .filter(it => !it.querySelector(".visually-hidden, input"))
  .filter(it => !it.matches(".visually-hidden, .cells button"))
  .filter(it => it.clientWidth > 1 && getComputedStyle(it).display !== "inline")
  .filter(it => it.scrollWidth > it.clientWidth + 1)
  .map(it => it.outerHTML.slice(0, 160))"""


# Overlapping parts of a page's header.
OVERLAPPING = """() => {
  const parts = [...document.querySelectorAll(".top > *, .set")]
    .filter(it => it.checkVisibility()).map(it => [it, it.getBoundingClientRect()])
  return parts.flatMap(([one, a], n) => parts.slice(n + 1).filter(([, b]) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  ).map(([other]) => one.outerHTML.slice(0, 80) + " and " + other.outerHTML.slice(0, 80)))
}"""


@pytest.fixture
def reader(onlooker):
    """A function that shows an address in a narrow window, in the pseudo-language."""

    def opened(path, key=""):
        visitor = onlooker(key=key, width=320, height=740)
        visitor.expect("404")  # the not-found page is among them
        visitor.page.set_extra_http_headers({"Accept-Language": "xx"})
        visitor.page.goto(path)
        assert visitor.page.evaluate("document.documentElement.lang") == "xx"
        return visitor

    return opened


HEAD = ("parts of the head on each other", OVERLAPPING)


def keeps_its_shape(visitor, where):
    for what, finder in (("too wide", TOO_WIDE), ("cut off", CUT_OFF), ("clipped", CLIPPED), HEAD):
        found = visitor.page.evaluate(finder)
        assert not found, f"{where}, {what}: {found}"


@pytest.mark.parametrize("name", some(PAGES, every=4))
def test_longer_texts_fit_pages_without_clipping(name, reader):
    visitor = reader(PAGES[name].path)
    for width in (320, 360):
        visitor.page.set_viewport_size({"width": width, "height": 740})
        keeps_its_shape(visitor, f"{name} at {width}")


@pytest.mark.parametrize("moment", SCENES, ids=lambda it: f"{it.game}-{it.name}")
def test_longer_texts_fit_tables_without_clipping(moment, stage, reader):
    scene = moment.scene(stage)
    visitor = reader(scene.path, scene.key)
    for width in (320, 360):
        visitor.page.set_viewport_size({"width": width, "height": 740})
        keeps_its_shape(visitor, f"{moment.game} {moment.name} at {width}")


# French is long, Arabic runs from right to left; for games that have them.
FURTHER = [
    (code, moment)
    for code, games in {"fr": OURS, "ar": ("gops",)}.items()
    for moment in moments()
    if moment.game in games and (moment.name in ("bid", "ask-suit") or LONG)
]


def in_language(stage, guest, code, scene, width, height):
    visitor = guest(key=scene.key, width=width, height=height)
    visitor.expect("404")  # the not-found page is among them
    setting = {"name": "kb-settings", "value": f"language={code}", "url": visitor.url}
    visitor.context.add_cookies([setting])
    visitor.page.goto(scene.path)
    assert visitor.page.locator("html").get_attribute("lang") == code
    return visitor


@pytest.mark.parametrize(("code", "moment"), FURTHER, ids=lambda it: getattr(it, "name", it))
def test_tables_in_french_and_arabic_keep_their_shape(code, moment, stage, guest):
    scene = moment.scene(stage)
    visitor = in_language(stage, guest, code, scene, 360, 740)
    one_screen = f"{moment.game}-{moment.name}" in WHOLE  # other pages may be longer
    for width, height in ((360, 740), (1366, 650)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        keeps_its_shape(visitor, f"{code} {moment.name} at {width}")
        assert not one_screen or visitor.page.evaluate(WRONG) == []


@pytest.mark.parametrize("name", list(PAGES) if LONG else ["home", "settings"])
@pytest.mark.parametrize("code", ["fr", "ar"])
def test_pages_in_french_and_arabic_keep_their_shape(code, name, stage, guest):
    visitor = in_language(stage, guest, code, PAGES[name], 360, 740)
    keeps_its_shape(visitor, f"{code} {name}")


# Positions: of a card's index, and of adjacent elements.
PLACES = """() => {
  const at = it => document.querySelector(it).getBoundingClientRect()
  const cards = [...document.querySelectorAll(".my-cards .card")]
  const index = getComputedStyle(cards[0], "::before")
  return {
    board: at(".ring").x, side: at(".side").x,
    plate: at(".action-bar .plate").x, says: at(".says").x,
    brand: at(".brand").x, set: at(".set").x, index: parseFloat(index.left),
    cards: cards.map(it => it.getBoundingClientRect().x),
  }
}"""


def test_rtl_page_is_mirrored_but_cards_are_not(stage, guest):
    moment = next(it for it in moments() if (it.game, it.name) == ("gops", "bid"))
    scene = moment.scene(stage)
    left, right = (
        in_language(stage, guest, code, scene, 1366, 650).page.evaluate(PLACES)
        for code in ("en", "ar")
    )
    for one, other in (("board", "side"), ("plate", "says"), ("brand", "set")):
        assert left[one] < left[other], one
        assert right[one] > right[other], one
    assert left["index"] == right["index"]
    assert left["cards"] == sorted(left["cards"])
    assert right["cards"] == sorted(right["cards"])
