"""A lesson's step and a puzzle's question fit one screen: the text, the table and all controls."""

from itertools import product

import pytest
from playwright.sync_api import expect

from kaboom.games import GAMES
from kaboom.learn.lessons import FIRST, found_of
from kaboom.puzzles.book import book
from tests.browser.test_access import AXE, RUN_AXE, TAGS
from tests.browser.test_one_screen import WRONG
from tests.browser.test_weight import SHIFTS, WITHOUT_SCRIPTS, weighed
from tests.support.effort import LONG, some

SIZES = ((360, 640), (1366, 650))
SHIFT = 0.01  # a tenth of what is called good: a heading may wrap when its typeface arrives late
GATE = 4  # one of this many steps is checked
STEPS = [
    f"/learn/{key}/{lesson.name}/{number}"
    for key in GAMES
    for lesson in found_of(key).lessons
    if LONG or lesson.name == FIRST
    for number in range(1, len(lesson.steps) + 1)
]
PUZZLES = [
    f"/puzzle/{it.id}"
    for key in GAMES
    for it in list(book(key).values())[:: 1 if LONG else 1 + len(book(key)) // 3]
]

# Navigation buttons below the screen, narrower than a thumb or in several rows.
LEADS = """() => {
  const all = [...document.querySelectorAll(".leads .button")].map(it => it.getBoundingClientRect())
  const low = all.filter(it => it.bottom > innerHeight || it.height < 44).length
  return [low, new Set(all.map(it => Math.round(it.top))).size]
}"""
TIE = "/puzzle/f1af54104e"  # of GOPS, with two prizes
SCROLLS = "document.documentElement.scrollWidth > innerWidth"


def looked_at(page, path):
    """Return the faults found on each screen."""
    page.goto(path)
    found = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        wrong, (low, rows) = page.evaluate(WRONG), page.evaluate(LEADS)
        if wrong or low or rows != 1:
            found[path, width] = wrong, f"{low} of the buttons are too low, in {rows} rows"
    return found


def test_cards_can_be_sent_only_if_their_number_is_right(person):
    page = person("/learn/koth/first/8").page
    send = page.get_by_role("button", name="Play")
    right = []
    for card in page.locator(".my-cards [name=pick]").all()[:4]:
        card.evaluate("it => it.click()")
        right.append(send.is_enabled())
    assert right == [False, True, True, True]
    page = person("/learn/koth/first/8", scripts=False).page
    expect(page.get_by_role("button", name="Play")).to_be_enabled()


@pytest.mark.parametrize("game", [key for key in GAMES if found_of(key).lessons])
def test_lesson_step_fits_one_screen(onlooker, game):
    page, wrong = onlooker().page, {}
    for path in some([it for it in STEPS if it.startswith(f"/learn/{game}/")], every=GATE):
        wrong |= looked_at(page, path)
    assert not wrong


@pytest.mark.parametrize("path", some(PUZZLES, every=3))
def test_puzzle_question_fits_one_screen(onlooker, path):
    assert not looked_at(onlooker().page, path)


@pytest.mark.parametrize("game", [key for key in GAMES if book(key)])
def test_puzzle_answer_fits_one_screen(onlooker, game):
    """The board is in view; the values are below it on phones and beside it on laptops."""
    page, wrong = onlooker().page, {}
    paths = [f"/puzzle/{it}?show=1" for it in some(book(game), every=50)]
    for path, (width, height) in product(paths, SIZES):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(path)
        top = page.locator(".ring").bounding_box()["y"]
        if page.evaluate(SCROLLS) or page.evaluate(LEADS) != [0, 1] or top > 280:
            wrong[path, width] = page.evaluate(LEADS), top
    assert not wrong


def test_card_is_pressed_to_answer_a_puzzle(onlooker):
    puzzle = next(iter(book("gops").values()))
    best, page = puzzle.values[0].move.split()[1], onlooker(f"/puzzle/{puzzle.id}").page
    page.locator(f'label:has([value="{best}"])').click()
    page.get_by_role("button", name="Bid").click()
    expect(page.get_by_role("heading", name="Right.")).to_be_visible()
    expect(page.locator(f'[value="{best}"][data-best]')).to_have_count(1)
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.get_by_role("heading", name="What do you play?")).to_be_visible()


# Cards of the hand over the rail or the table's edge, headings of bids under a prize, and cards
# that the felt's edge cuts.
COVERED = """() => {
  const box = it => document.querySelector(it)?.getBoundingClientRect()
  const rail = box(".action-bar"), prizes = box(".offer")
  const end = rail.height ? rail.top : box(".ring").bottom
  const boxes = it => [...document.querySelectorAll(it)].map(it => it.getBoundingClientRect())
  return [boxes(".my-cards .card").filter(it => it.bottom > end).length,
    boxes(".bid h3").filter(it => it.left < prizes.right && prizes.left < it.right).length,
    boxes(".run > *").filter(it => it.bottom > box(".table-area").bottom).length]
}"""


@pytest.mark.parametrize("height", [640, 740])
@pytest.mark.parametrize(
    "path", ["/learn/gops/first/1", "/learn/gops/first/5", f"{TIE}?tried=bid+8S"]
)
def test_cards_cover_neither_the_rail_nor_a_heading(onlooker, path, height):
    assert onlooker(path, width=360, height=height).page.evaluate(COVERED) == [0, 0, 0]


def test_answer_of_a_puzzle_leaves_the_board_in_place_and_greys_other_cards(onlooker):
    page = onlooker(TIE, width=360, height=740).page
    board, buttons = page.locator(".ring"), page.locator(".leads")
    tops = [it.bounding_box()["y"] for it in (board, buttons)]
    page.get_by_role("link", name="Show me").click()
    expect(page.get_by_role("heading", name="The answer")).to_be_visible()
    assert buttons.bounding_box()["y"] == tops[1]
    assert abs(board.bounding_box()["y"] - tops[0]) < 45  # two more lines of text
    greyed = page.locator(".my-cards .card").evaluate_all(
        "all => all.map(it => getComputedStyle(it).filter != 'none')"
    )
    assert sorted(greyed) == [False, True, True]


@pytest.mark.parametrize("width", [360, 1366])
def test_step_heading_has_one_line(onlooker, width):
    page = onlooker("/learn/koth/first/10", width=width, height=650).page
    assert page.locator("h1").bounding_box()["height"] < 34


@pytest.mark.parametrize("path", ["/learn/gops/first/3", *some(PUZZLES, every=3)])
def test_middle_of_a_small_screen_takes_the_focus_for_scrolling(onlooker, path):
    page = onlooker(path, width=360, height=640).page
    assert page.locator(".table-area").get_attribute("tabindex") == "0"
    page.evaluate(AXE)
    assert not page.evaluate(RUN_AXE, TAGS)["violations"]


@pytest.mark.parametrize("size", SIZES)
def test_step_or_puzzle_page_is_small_and_does_not_shift(person, size):
    width, height = size
    wrong = {}
    for path in some([*STEPS, *PUZZLES, "/learn", "/puzzles"], every=12):
        someone = person()
        someone.page.set_viewport_size({"width": width, "height": height})
        someone.page.add_init_script(SHIFTS)
        sizes = weighed(someone, path)
        shifted = someone.page.evaluate("window.shifted")
        # The typeface comes once for all pages: tests/learn/test_weight.py.
        weight = sum(size for url, size in sizes.items() if ".woff2" not in url)
        if weight > WITHOUT_SCRIPTS or shifted > SHIFT:
            wrong[path] = sizes, shifted
    assert not wrong
