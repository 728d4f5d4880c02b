"""Karata’s table on laptops and phones."""

import pytest

from kaboom.games.karata.presets import RULE_SETS
from kaboom.web.i18n import LANGUAGES
from tests.browser.moments import moments
from tests.browser.stage import Stage

# A line about a power that is cut, is broken, or covers anything of the table.
IN_THE_WAY = """() => {
  const all = it => [...document.querySelectorAll(it)]
  const box = it => {
    const words = document.createRange()
    words.selectNodeContents(it)
    return (it.matches(".powers p") ? words : it).getBoundingClientRect()
  }
  const [felt, rail] = [".ring", ".action-bar"].map(it => box(document.querySelector(it)))
  const others = all(".table-area :is(.plate, .backs i, .card, .way, .signs li, .tag), .powers p")
  return all(".powers p").filter(line => {
    const {left, right, top, bottom, height} = box(line)
    return !height || height > 24 || left < felt.left || right > felt.right || bottom > rail.top
      || others.some(it => it !== line && box(it).left < right - 1 && box(it).right > left + 1
        && box(it).top < bottom - 1 && box(it).bottom > top + 1)
  }).map(it => it.textContent)
}"""
ODD = ({"aces": "match", "ranks": "uganda"}, {"open_question": "next", "jokers": False})
WAYS = [*(way.values for way in RULE_SETS), *ODD]


@pytest.mark.parametrize("way", WAYS, ids=[*(way.key for way in RULE_SETS), "odd", "next"])
def test_powers_are_whole_in_each_language_and_rule_set(stage: Stage, person, way):
    match = stage.begun(*("Ann", "Ben", "Cid", "Dot"), game="karata", **way)
    for language in LANGUAGES:
        page = person(key=match.keys[0], width=1366, height=650).page
        page.set_extra_http_headers({"Accept-Language": language})
        page.goto(match.path)
        assert page.locator(".powers p").count() in (5, 6)
        for width, height in ((1366, 650), (1280, 800), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(IN_THE_WAY) == [], (language, width)


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("cards", ["usual", "larger"])
def test_powers_leave_room_for_every_seat_and_a_large_hand(stage: Stage, person, count, cards):
    match = stage.begun(*"ABCDE"[:count], game="karata", max_players=5, deal=7)
    for _ in range(3 * count):
        match.play(match.waiting[0], "draw")
    visitor = person(key=match.keys[0], width=1366, height=650)
    setting = {"name": "kb-settings", "value": f"cards={cards}", "url": visitor.url}
    visitor.context.add_cookies([setting])
    visitor.page.goto(match.path)
    assert visitor.page.evaluate(IN_THE_WAY) == []


@pytest.mark.parametrize("scripts", [True, False])
def test_laptop_rail_tells_two_events_while_others_play(stage: Stage, guest, scripts):
    match = stage.begun("Ann", "Ben", "Cid", game="karata", deal=7)
    page = guest(match.path, key=match.keys[0], width=1366, height=650, scripts=scripts).page
    before = page.locator(".action-bar").bounding_box()
    match.play(0, "draw")
    match.play(1, "draw")
    page.reload()
    told = page.locator(".lately span:visible").all_inner_texts()
    assert told[:1] == (["Ben draws 1 card."] if scripts else [])
    assert len(told) == (2 if scripts else 0), "without scripts a link to wait has this place"
    assert page.locator(".action-bar").bounding_box() == before


@pytest.mark.parametrize("name", ["turn", "request", "turn-vote"])
def test_phone_piles_are_nearly_as_large_as_the_cards_of_the_hand(stage: Stage, onlooker, name):
    scene = next(it for it in moments() if (it.game, it.name) == ("karata", name)).scene(stage)
    page = onlooker(scene.path, key=scene.key, width=360, height=640).page
    widths = "them => them.map(it => it.offsetWidth)"
    (deck,) = page.locator("#deck .card").evaluate_all(widths)
    own = max(page.locator(".hand .card").evaluate_all(widths))
    # Firefox's lines need some of the room, and a vote takes more of it.
    assert deck >= own * (0.85 if name != "turn-vote" else 0.53)
    area = page.locator(".table-area").evaluate("it => it.scrollHeight - it.clientHeight")
    assert area <= 0, "the table has to be scrolled"


def test_laptop_hint_of_a_turn_is_one_line_beside_its_buttons(stage: Stage, guest):
    match = stage.begun("Ann", "Ben", game="karata", deal=7)
    page = guest(match.path, key=match.keys[0], width=1366, height=650).page
    assert page.locator(".says .hint").bounding_box()["height"] < 24


def test_laptop_hand_of_any_size_is_in_the_middle(stage: Stage, guest):
    match = stage.begun("Ann", "Ben", game="karata", deal=7)
    page = guest(match.path, key=match.keys[0], width=1366, height=650).page
    for count in (7, 9, 10, 11, 12, 13, 16):
        page.evaluate(
            """count => {
              const hand = document.querySelector(".me .hand")
              const last = hand.lastElementChild
              while (hand.children.length < count) hand.append(last.cloneNode(true))
            }""",
            count,
        )
        felt = page.locator(".ring").bounding_box()
        cards = [it.bounding_box() for it in page.locator(".me .hand .card").all()]
        left = cards[0]["x"] - felt["x"]
        right = felt["x"] + felt["width"] - cards[-1]["x"] - cards[-1]["width"]
        assert abs(left - right) <= 8, (count, left, right)


def test_drawn_card_passes_over_the_pile(stage: Stage, person):
    match = stage.begun("Ann", "Ben", game="karata")
    page = person(key=match.keys[0], width=1366, height=650).page
    page.goto(match.path)
    on_top = """() => {
      const pile = document.querySelector(".played .card").getBoundingClientRect()
      const card = document.querySelector(".my-cards .card")
      const {x, y} = card.getBoundingClientRect()
      const move = `translate: ${pile.x - x}px ${pile.y - y}px`
      card.style.cssText = `position: relative; z-index: 9; ${move}`
      return card.contains(document.elementFromPoint(pile.x + 30, pile.y + 30))
    }"""
    assert page.evaluate(on_top)
