"""Pages keep their shape when every text is 40 % longer, in French, and from right to left."""

import pytest

from tests.browser.moments import PAGES, TABLES, moments
from tests.browser.test_access import CUT_OFF, TOO_WIDE
from tests.browser.test_one_screen import WHOLE, WRONG
from tests.support.builtin_games import OURS
from tests.support.effort import LONG, some

# One moment of a lobby, and of each game those with most to say or to press.
WORDIEST = ("lobby", "own-turn", "flip-sealed", "bid", "turn", "ask-suit", "call", "follow", "take")
SCENES = [moment for moment in TABLES if moment.name in WORDIEST]

# Text that a button or a tag does not show, though it is meant to be read. Cards draw their own.
CLIPPED = """() => [...document.querySelectorAll("button, .tag, summary, label, h1, h2, a.button")]
  .filter(it => it.checkVisibility({visibilityProperty: true}))
  .filter(it => !it.closest(".visually-hidden, .card, .skip"))
  .filter(it => !it.querySelector(".visually-hidden, input"))
  .filter(it => !it.matches(".visually-hidden, .cells button"))
  .filter(it => it.clientWidth > 1 && getComputedStyle(it).display !== "inline")
  .filter(it => it.scrollWidth > it.clientWidth + 1)
  .map(it => it.outerHTML.slice(0, 160))"""


# Parts of the head of a page that lie on each other.
OVERLAPPING = """() => {
  const parts = [...document.querySelectorAll(".top > *, .set")]
    .filter(it => it.checkVisibility()).map(it => [it, it.getBoundingClientRect()])
  return parts.flatMap(([one, a], n) => parts.slice(n + 1).filter(([, b]) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  ).map(([other]) => one.outerHTML.slice(0, 80) + " and " + other.outerHTML.slice(0, 80)))
}"""


@pytest.fixture
def reader(onlooker):
    """A function that shows an address, in a narrow window, to who asks for the pseudo-language."""

    def opened(path, key=""):
        somebody = onlooker(key=key, width=320, height=740)
        somebody.expect("404")  # the page that says so is among them
        somebody.page.set_extra_http_headers({"Accept-Language": "xx"})
        somebody.page.goto(path)
        assert somebody.page.evaluate("document.documentElement.lang") == "xx"
        return somebody

    return opened


HEAD = ("parts of the head on each other", OVERLAPPING)


def keeps_its_shape(somebody, where):
    for what, finder in (("too wide", TOO_WIDE), ("cut off", CUT_OFF), ("clipped", CLIPPED), HEAD):
        found = somebody.page.evaluate(finder)
        assert not found, f"{where}, {what}: {found}"


@pytest.mark.parametrize("name", some(PAGES, every=4))
def test_pages_with_longer_texts_are_neither_too_wide_nor_clipped(name, reader):
    somebody = reader(PAGES[name].path)
    for width in (320, 360):
        somebody.page.set_viewport_size({"width": width, "height": 740})
        keeps_its_shape(somebody, f"{name} at {width}")


@pytest.mark.parametrize("moment", SCENES, ids=lambda it: f"{it.game}-{it.name}")
def test_tables_with_longer_texts_are_neither_too_wide_nor_clipped(moment, stage, reader):
    scene = moment.scene(stage)
    somebody = reader(scene.path, scene.key)
    for width in (320, 360):
        somebody.page.set_viewport_size({"width": width, "height": 740})
        keeps_its_shape(somebody, f"{moment.game} {moment.name} at {width}")


# French is long, Arabic runs from right to left; of the games they have.
FURTHER = [
    (code, moment)
    for code, games in {"fr": OURS, "ar": ("gops",)}.items()
    for moment in moments()
    if moment.game in games and (moment.name in ("bid", "ask-suit") or LONG)
]


def in_language(stage, guest, code, scene, width, height):
    somebody = guest(key=scene.key, width=width, height=height)
    somebody.expect("404")  # the page that says so is among them
    setting = {"name": "kb-settings", "value": f"language={code}", "url": somebody.url}
    somebody.context.add_cookies([setting])
    somebody.page.goto(scene.path)
    assert somebody.page.locator("html").get_attribute("lang") == code
    return somebody


@pytest.mark.parametrize(("code", "moment"), FURTHER, ids=lambda it: getattr(it, "name", it))
def test_tables_in_french_and_arabic_keep_their_shape(code, moment, stage, guest):
    scene = moment.scene(stage)
    somebody = in_language(stage, guest, code, scene, 360, 740)
    one_screen = f"{moment.game}-{moment.name}" in WHOLE  # other pages may be as long as they are
    for width, height in ((360, 740), (1366, 650)):
        somebody.page.set_viewport_size({"width": width, "height": height})
        keeps_its_shape(somebody, f"{code} {moment.name} at {width}")
        assert not one_screen or somebody.page.evaluate(WRONG) == []


@pytest.mark.parametrize("name", list(PAGES) if LONG else ["home", "settings"])
@pytest.mark.parametrize("code", ["fr", "ar"])
def test_pages_in_french_and_arabic_keep_their_shape(code, name, stage, guest):
    somebody = in_language(stage, guest, code, PAGES[name], 360, 740)
    keeps_its_shape(somebody, f"{code} {name}")


# Where things lie: of one card its index, and what is beside what.
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


def test_from_right_to_left_the_page_is_mirrored_and_cards_are_not(stage, guest):
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
