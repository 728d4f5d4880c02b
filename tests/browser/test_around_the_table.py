"""What lies around a match: the home page, pages beside it, the waiting room, the general table."""

from itertools import pairwise

import pytest

from tests.browser.chromium import Person
from tests.browser.moments import moments
from tests.browser.test_access import TOO_WIDE

GRANDMOTHER = 24  # px: the size of letters that some set in their browser, instead of 16
# Whether two things that are seen lie over each other.
OVERLAP = """([one, other]) => {
  const [a, b] = [one, other].map(it => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector(it))
    return range.getBoundingClientRect()
  })
  return a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1
}"""


@pytest.fixture(scope="module")
def large(chromium, server):
    """A function that opens a page on a phone whose letters are half as large again."""
    somebody = Person(chromium, server.url, width=360, height=640, touch=True)
    page = somebody.page
    page.goto("/robots.txt")  # first: another site is drawn by another process, which is not told
    sizes = {"fontSizes": {"standard": GRANDMOTHER, "fixed": 20}}
    page.context.new_cdp_session(page).send("Page.setFontSizes", sizes)

    def opened(path):
        page.goto(path)
        page.wait_for_function(f"getComputedStyle(document.body).fontSize === '{GRANDMOTHER}px'")
        return page

    yield opened
    assert not somebody.unexpected
    somebody.close()


@pytest.mark.parametrize("path", ["/", "/start/kaboom", "/settings", "/rules/kaboom", "/day"])
def test_large_letters_make_no_page_wider_than_a_phone(large, path):
    assert not large(path).evaluate(TOO_WIDE)


def test_large_letters_lay_nothing_over_the_choice_of_a_game(large):
    page = large("/")
    links = ".games div:has(:checked) .aside"
    assert not page.evaluate(OVERLAP, [".games legend", links])


def test_large_letters_lay_nothing_over_a_table_s_code(large, stage):
    page = large(stage.opened("Ann", "Ben").path)
    over = """() => {
      const box = document.querySelector(".top .code").getBoundingClientRect()
      const link = document.querySelector(".top .status-link")
      return link.getBoundingClientRect().left < box.right - 1
    }"""
    assert not page.evaluate(over)


def test_in_forced_colours_a_game_on_the_shelf_has_one_frame(onlooker):
    page = onlooker("/", width=360, height=640).page
    page.emulate_media(forced_colors="active")
    frame = "it => parseFloat(getComputedStyle(it).borderTopWidth)"
    assert page.locator(".shelf li").first.evaluate(frame) == 1
    assert page.locator(".shelf button").first.evaluate(frame) == 0


def test_a_shelf_from_right_to_left_has_its_pictures_at_the_right(onlooker):
    somebody = onlooker(width=360, height=640)
    arabic = {"name": "kb-settings", "value": "language=ar", "url": somebody.url}
    somebody.context.add_cookies([arabic])
    somebody.page.goto("/")
    left = "it => it.getBoundingClientRect().left"
    first = somebody.page.locator(".shelf li").first
    assert first.locator(".fan").evaluate(left) > first.locator("p").evaluate(left) + 150
    assert not somebody.page.evaluate(TOO_WIDE)


def test_whoever_was_told_a_code_can_enter_it_without_scrolling_for_it(onlooker):
    page = onlooker("/", width=360, height=640, touch=True).page
    page.locator(".top").get_by_role("link", name="Join a table").click()
    assert page.evaluate("document.activeElement.id") == "code"
    box = page.locator("#code").bounding_box()
    assert 0 <= box["y"] < 640 - box["height"]


@pytest.mark.parametrize("language", ["fr", "sw", "ar", "en"])
def test_the_way_to_the_code_lies_beside_the_settings(onlooker, language):
    somebody = onlooker(width=320, height=640)
    spoken = {"name": "kb-settings", "value": f"language={language}", "url": somebody.url}
    somebody.context.add_cookies([spoken])
    somebody.page.goto("/")
    assert not somebody.page.evaluate(OVERLAP, [".told", ".set"])


def test_many_cards_of_the_general_table_lie_over_each_other_and_keep_their_shape(stage, onlooker):
    """On a desk a hand is one row: of a card that another covers the index is seen."""
    match = stage.begun("Ann", "Ben", "Cid", "Dot", game="hearts")
    page = onlooker(match.path, key=match.keys[0]).page
    boxes = page.locator(".me .hand .card").evaluate_all(
        "all => all.map(it => (b => [b.x, b.y, b.width, b.height])(it.getBoundingClientRect()))"
    )
    assert len(boxes) == 13
    assert len({top for _, top, _, _ in boxes}) == 1
    assert all(abs(height / width - 1.4) < 0.01 for _, _, width, height in boxes), boxes
    lefts = [left for left, *_ in boxes]
    width = boxes[0][2]
    steps = [after - before for before, after in pairwise(lefts)]
    assert min(steps) >= width * 1.2 / 4


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (820, 1180)])
def test_the_middle_of_the_general_table_lies_half_way_to_the_others(
    stage, onlooker, width, height
):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", game="hearts")
    page = onlooker(match.path, key=match.keys[0], width=width, height=height).page
    edges = "it => (b => [b.top, b.bottom])(it.getBoundingClientRect())"
    felt, seat, middle = (
        page.locator(it).first.evaluate(edges)
        for it in (".table-area", ".any .seat", ".any .middle")
    )
    assert seat[0] - felt[0] < 20
    above, below = middle[0] - seat[1], felt[1] - middle[1]
    assert abs(above - below) < 30, (above, below)


@pytest.mark.parametrize("game", ["kaboom", "hearts"])
def test_beside_the_podium_the_own_face_bears_no_label(stage, onlooker, game):
    name = {"kaboom": "kaboom-match-over", "hearts": "hearts-match-over"}[game]
    found = {f"{it.game}-{it.name}": it for it in moments()}
    scene = found[name].scene(stage)
    page = onlooker(scene.path, key=scene.key, width=360, height=640, touch=True).page
    assert page.locator(".ending").is_visible()
    assert not page.locator(".action-bar .plate :is(.tag, small)").filter(visible=True).count()


def test_whoever_forgets_the_own_name_or_a_code_stays_where_it_is_typed(onlooker):
    page = onlooker("/", width=360, height=640, touch=True).page
    for button, field in (("Start a table", "name"), ("Join", "code")):
        page.get_by_role("button", name=button, exact=True).click()
        assert page.evaluate("[location.pathname, document.activeElement.id]") == ["/", field]


def test_the_field_for_another_code_is_on_the_first_screen_of_a_phone(onlooker):
    somebody = onlooker(width=360, height=640, touch=True)
    somebody.expect("404")
    somebody.page.goto("/t/NOTABLES")
    box = somebody.page.get_by_role("button", name="Join", exact=True).bounding_box()
    assert box["y"] + box["height"] <= 640
