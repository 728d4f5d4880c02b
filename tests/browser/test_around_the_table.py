"""Pages around a match: home, side pages, the waiting room, the general table."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from kaboom.engine.options import declared
from kaboom.games import GAMES
from tests.browser.chromium import Person, box, boxes
from tests.browser.moments import cup, moments
from tests.browser.test_access import TOO_WIDE

GRANDMOTHER = 24  # px: the default font size of some readers, instead of 16
# Whether two visible things overlap.
OVERLAP = """([one, other]) => {
  const [a, b] = [one, other].map(it => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector(it))
    return range.getBoundingClientRect()
  })
  return a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1
}"""

# The chairs of a waiting room that are narrow, that leave the screen or that overlap another.
BAD_CHAIRS = """() => {
  const chairs = [...document.querySelectorAll(".chair")], wrong = []
  const lies = chairs.map(it => it.getBoundingClientRect())
  lies.forEach((a, at) => {
    const words = chairs[at].textContent.trim()
    if (a.width < 70) wrong.push(`${a.width} px wide: ${words}`)
    if (a.left < 0 || a.right > innerWidth) wrong.push(`out of view: ${words}`)
    if (lies.slice(at + 1).some(b => a.left < b.right - 1 && b.left < a.right - 1
      && a.top < b.bottom - 1 && b.top < a.bottom - 1)) wrong.push(`covered: ${words}`)
  })
  return wrong
}"""
SEATS = ("players", "max_players")  # options for the number of seats
ROOMS = [
    (key, {option.name: count})
    for key, game in GAMES.items()
    for option in declared(game.options)
    if option.name in SEATS
    for count in range(int(option.least), int(option.most) + 1)
]
ROOMS += [(key, {}) for key in GAMES if key not in dict(ROOMS)]


@pytest.fixture(scope="module")
def large(chromium, server):
    """A function that opens a page on a phone whose text is half as large again."""
    visitor = Person(chromium, server.url, width=360, height=640, touch=True)
    page = visitor.page
    page.goto("/robots.txt")  # first: another site uses another process, which lacks the setting
    sizes = {"fontSizes": {"standard": GRANDMOTHER, "fixed": 20}}
    page.context.new_cdp_session(page).send("Page.setFontSizes", sizes)

    def opened(path):
        page.goto(path)
        page.wait_for_function(f"getComputedStyle(document.body).fontSize === '{GRANDMOTHER}px'")
        return page

    yield opened
    assert not visitor.unexpected
    visitor.close()


@pytest.mark.parametrize("path", ["/", "/start/kaboom", "/settings", "/rules/kaboom", "/daily"])
def test_large_text_makes_no_page_wider_than_a_phone(large, path):
    assert not large(path).evaluate(TOO_WIDE)


def test_a_setting_applies_and_is_stored_with_one_press(person):
    page = person("/settings").page
    top = page.locator("html")
    page.get_by_label("dark", exact=True).check()
    expect(top).to_have_attribute("data-look", "dark")
    expect(page.get_by_text("Saved.")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Save")).to_be_hidden()
    page.get_by_role("link", name="Cards").first.click()
    page.get_by_label("two colours").check()
    expect(page.locator(".sample")).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("Saved.")).to_be_in_viewport()
    page.get_by_label("Language").select_option("fr")
    expect(top).to_have_attribute("lang", "fr")
    page.goto("/")
    expect(top).to_have_attribute("data-look", "dark")
    expect(top).to_have_attribute("data-colours", "2")


@pytest.mark.parametrize("size", [(360, 740), (1366, 650)])
def test_starting_a_table_is_in_reach_from_the_first_screen(person, size):
    page = person("/start/koth").page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    start = page.get_by_role("button", name="Start a table")
    expect(start).to_have_count(1)
    expect(start).to_be_in_viewport(ratio=1)
    page.get_by_text("More options").click()
    expect(start).to_have_count(1)
    expect(start).to_be_in_viewport(ratio=1)


def test_large_text_does_not_cover_the_game_chooser(large):
    page = large("/")
    links = ".games div:has(:checked) .aside"
    assert not page.evaluate(OVERLAP, [".games legend", links])


def test_large_text_does_not_cover_the_table_code(large, stage):
    page = large(stage.opened("Ann", "Ben").path)
    over = """() => {
      const box = document.querySelector(".top .code").getBoundingClientRect()
      const link = document.querySelector(".top .status-link")
      return link.getBoundingClientRect().left < box.right - 1
    }"""
    assert not page.evaluate(over)


def test_home_page_game_has_one_frame_in_forced_colors(onlooker):
    page = onlooker("/", width=360, height=640).page
    page.emulate_media(forced_colors="active")
    frame = "it => parseFloat(getComputedStyle(it).borderTopWidth)"
    assert page.locator(".shelf li").first.evaluate(frame) == 1
    assert page.locator(".shelf button").first.evaluate(frame) == 0


def test_rtl_home_page_has_pictures_on_the_right(onlooker):
    visitor = onlooker(width=360, height=640)
    arabic = {"name": "kb-settings", "value": "language=ar", "url": visitor.url}
    visitor.context.add_cookies([arabic])
    visitor.page.goto("/")
    left = "it => it.getBoundingClientRect().left"
    first = visitor.page.locator(".shelf li").first
    assert first.locator(".fan").evaluate(left) > first.locator("p").evaluate(left) + 150
    assert not visitor.page.evaluate(TOO_WIDE)


def test_code_field_is_reachable_without_scrolling(onlooker):
    page = onlooker("/", width=360, height=640, touch=True).page
    page.locator(".hero").get_by_role("link", name="Join a table").click()
    assert page.evaluate("document.activeElement.id") == "code"
    box = page.locator("#code").bounding_box()
    assert 0 <= box["y"] < 640 - box["height"]


def test_cards_overlapping_on_the_general_table_keep_their_shape(stage, onlooker):
    """On a desktop a hand is one row: the index of an overlapped card is visible."""
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


def middle(it):
    return it["x"] + it["width"] / 2


def apart(one, two):
    """Return how far two boxes are from each other, 0 if they overlap."""
    aside = max(one["left"], two["left"]) - min(one["right"], two["right"])
    below = max(one["top"], two["top"]) - min(one["bottom"], two["bottom"])
    return max(aside, 0) + max(below, 0)


SEVEN = ("Ann", "Ben", "Bartholomew", "Dot", "Evangelina", "Fay", "Gus")


@pytest.mark.parametrize("people", range(3, 8))
def test_trick_on_the_general_table_is_one_group(stage, onlooker, people):
    """Each card is nearest to its player, beside the cards of the neighbours, the viewer's own in
    the middle below them.
    """
    match = stage.begun(*SEVEN[:people], game="oh_hell")
    for seat in (*range(people), *range(people - 1)):
        offer = match.prompt(seat).offers[0]
        match.play(seat, f"{offer.verb} {offer.playable[0]}")
    page = onlooker(match.path, key=match.keys[0]).page
    for width, height in ((1366, 650), (1280, 800), (820, 1180), (360, 740), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        felt, plates = box(page, ".table-area"), boxes(page, ".any .seat .plate")
        own, *others = cards = boxes(page, ".trick > .zone .card")
        assert [middle(it) for it in others] == sorted(middle(it) for it in others)
        for card, plate in zip(others, plates, strict=True):
            assert plate == min(plates, key=lambda it: apart(it, card)), (width, height)
            assert card["y"] < own["y"]
        assert all(apart(one, two) > 0 for one, two in pairwise(cards))
        if width > 400:
            assert all(apart(one, two) < 2 * own["width"] for one, two in pairwise(others))
            assert min(apart(own, it) for it in others) < own["width"] / 2
        assert own["bottom"] <= felt["bottom"]
        assert abs(middle(own) - middle(felt)) < 2
        assert min(it["width"] for it in cards) >= (60 if width > 400 else 40)


def test_seats_at_both_sides_are_as_far_from_their_cards(stage, onlooker):
    match = stage.begun(*SEVEN[:4], game="hearts")
    page = onlooker(match.path, key=match.keys[0], width=1366, height=650).page
    felt, faces = box(page, ".table-area"), boxes(page, ".any .seat .face")
    left, right = (abs(middle(it) - middle(felt)) for it in (faces[0], faces[2]))
    assert abs(left - right) < 2


def test_seats_stay_when_a_deal_ends_and_the_result_is_between_them(stage, onlooker):
    match = stage.begun(*SEVEN[:4], game="oh_hell", cards=2)
    while sum(map(len, match.state.hands)) != 1 or match.state.stage != "play":
        match.drift()
    phone = onlooker(match.path, key=match.keys[0], width=360, height=740).page
    before = boxes(phone, ".any .seat .face")
    match.drift()
    expect(phone.locator(".settled")).to_be_visible()
    assert [it["y"] for it in boxes(phone, ".any .seat .face")] == [it["y"] for it in before]
    laptop = onlooker(match.path, key=match.keys[0], width=1366, height=650).page
    faces, panel = boxes(laptop, ".any .seat .face"), box(laptop, ".settled")
    gaps = panel["x"] - faces[0]["right"], faces[2]["x"] - panel["right"]
    assert min(gaps) > 8 and abs(gaps[0] - gaps[1]) < 2


def test_points_of_a_match_fit_their_panel(stage, onlooker):
    match = stage.begun(*SEVEN[:4], game="oh_hell", cards=1)
    while match.state.stage != "over":
        match.drift()
    page = onlooker(match.path, key=match.keys[0], width=1366, height=650).page
    assert box(page, ".side .scores")["right"] < box(page, "#points")["right"] - 8


def test_spectators_see_a_trick_of_seven_on_one_screen(stage, onlooker):
    match = stage.begun(*SEVEN, game="oh_hell")
    page = onlooker(match.path).page
    for width, height in ((1366, 650), (360, 740), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        assert box(page, ".ring")["bottom"] <= height
        cards = boxes(page, ".trick > .zone .card")
        assert len(cards) == 7 and all(apart(one, two) > 0 for one, two in pairwise(cards))


def test_few_cards_on_a_phone_are_larger(stage, onlooker):
    widths = []
    for cards in (10, 6, 4, 2):
        match = stage.begun("Ann", "Ben", "Cid", game="oh_hell", cards=cards)
        page = onlooker(match.path, key=match.keys[0], width=360, height=740).page
        widths.append(boxes(page, ".me .hand .card")[0]["width"])
    assert widths[0] >= 44 and widths == sorted(widths) and widths[-1] > 70


def test_marked_cards_cover_no_rank_of_the_row_below(stage, onlooker):
    match = stage.begun(*SEVEN[:4], game="hearts")
    while match.state.stage == "pass":
        match.drift()
    page = onlooker(match.path, key=match.keys[0], width=360, height=740, touch=True).page
    assert page.locator(".me .hand .mark").count() == 3
    covered = """all => all.filter(it => {
      const { x, y } = it.getBoundingClientRect()
      return [10, 24].some(down => document.elementFromPoint(x + 9, y + down) !== it)
    }).map(it => it.textContent)"""
    assert page.locator(".me .hand .card").evaluate_all(covered) == []


@pytest.mark.parametrize("game", ["kaboom", "hearts"])
def test_ending_shows_no_label_beside_the_players_avatar(stage, onlooker, game):
    name = {"kaboom": "kaboom-match-over", "hearts": "hearts-match-over"}[game]
    found = {f"{it.game}-{it.name}": it for it in moments()}
    scene = found[name].scene(stage)
    page = onlooker(scene.path, key=scene.key, width=360, height=640, touch=True).page
    assert page.locator(".ending").is_visible()
    assert not page.locator(".action-bar .plate :is(.tag, small)").filter(visible=True).count()


def test_missing_code_keeps_focus_in_its_field(onlooker):
    page = onlooker("/", width=360, height=640, touch=True).page
    page.get_by_role("button", name="Join", exact=True).click()
    assert page.evaluate("[location.pathname, document.activeElement.id]") == ["/", "code"]


def test_unknown_tables_code_field_is_on_phones_first_screen(onlooker):
    visitor = onlooker(width=360, height=640, touch=True)
    visitor.expect("404")
    visitor.page.goto("/t/NOTABLES")
    expect(visitor.page.get_by_label("Code or link")).to_have_value("NOTABLES")
    box = visitor.page.get_by_role("button", name="Try again", exact=True).bounding_box()
    assert box["y"] + box["height"] <= 640


SLOTS = """(from) => [...document.querySelectorAll(from)].map(it => {
  const box = it.getBoundingClientRect()
  return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round)
})"""


@pytest.mark.parametrize("size", [(1366, 650), (360, 740), (360, 640)])
def test_tied_bids_stay_in_their_places(stage, guest, size):
    match = stage.begun("Ann", "Ben", game="gops")
    width, height = size
    page = guest(match.path, key=match.keys[0], width=width, height=height, still=False).page
    match.play(0, "bid 7S")
    expect(page.locator('[id^="bid-"][id$="-0"] .card:not(.none)')).to_be_visible()
    lay = page.evaluate(SLOTS, ".bid .card")
    match.play(1, "bid 7C")
    expect(page.locator(".last-round")).to_be_attached()
    for now, before in zip(page.evaluate(SLOTS, ".bid .card"), lay, strict=True):
        assert now == pytest.approx(before, abs=1), "the chairs have moved"
    shown = page.evaluate(SLOTS, ".last-round .new .card")
    for there, place in zip(shown, lay, strict=True):
        assert max(abs(a - b) for a, b in zip(there, place, strict=True)) <= 2
    page.wait_for_timeout(1700)
    wide = page.evaluate(SLOTS, ".bid .card")
    for now, before in zip(wide, lay, strict=True):
        assert now == pytest.approx(before, abs=1), "another prize has moved them"


def test_phone_shows_a_bracket_round_by_round(stage, onlooker):
    path = cup("")(stage.opened("Ann", "Ben"))
    for width in (360, 1366):
        page = onlooker(path, width=width, height=740).page
        expect(page.locator(".knockout.brief")).to_be_visible()
        assert not page.evaluate(TOO_WIDE)
    won = onlooker(cup("", rounds=9)(stage.opened("Ann", "Ben")), width=1366, height=740).page
    crown = won.locator(".tie .first .face").evaluate(
        "it => { const drawn = getComputedStyle(it, '::before')"
        "; return [parseFloat(drawn.height), drawn.maskSize] }"
    )
    assert crown == [pytest.approx(15.2, abs=0.1), "contain"], "it is not stretched"
    phone = onlooker(path, width=360, height=740).page.locator(".knockout.brief")
    assert phone.evaluate("it => it.scrollWidth <= it.clientWidth")


@pytest.mark.parametrize("width", [360, 1366])
def test_help_shows_numbers_side_by_side(stage, guest, width):
    match = stage.begun("Ann", "Ben", game="taken")
    page = guest(f"{match.path}/now", key=match.keys[0], width=width, height=740).page
    cards = boxes(page, ".how tr:first-child .card")
    assert len(cards) == 2
    for one, other in pairwise(cards):
        assert one["right"] <= other["left"]


@pytest.mark.parametrize(("game", "options"), ROOMS, ids=str)
def test_waiting_room_shows_every_chair_on_a_phone(stage, onlooker, game, options):
    seats = GAMES[game].seats(GAMES[game].options(**options))[-1]
    names = ("Ann", "Bartholomew", "Cid", "Dot", "Evangelina", "Fay", "Gus", "Hal", "Ida", "Joy")
    wrong = {}
    for sitting in {2, seats}:
        match = stage.opened(*names[:sitting], game=game, **options)
        page = onlooker(match.path, key=match.keys[0], width=360, height=740).page
        assert page.locator(".chair").count() == seats
        if found := page.evaluate(BAD_CHAIRS):
            wrong[sitting] = found
    assert not wrong
