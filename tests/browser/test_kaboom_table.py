"""Kaboom's own table: the effect of a press is shown in the rail, and a call is an event."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from kaboom.engine.toolkit.cards import sign
from kaboom.games.kaboom.cards import HIGH, LOW, ability_of, points
from kaboom.tables.table import Hints
from kaboom.web.i18n import LANGUAGES
from tests.browser.chromium import box, boxes
from tests.browser.moments import PATIENT, flip_sealed, my_turn, round_over, wrongly_flipped
from tests.browser.stage import all_ready, matching, next_card, pass_turn, turns_until

PHONE = {"width": 360, "height": 740}
# How a table shows that kaboom was called: its edge, and the word that crosses it once.
CALLED = """() => {
  const ring = document.querySelector(".ring"), word = getComputedStyle(ring, "::before")
  return [getComputedStyle(ring).borderTopColor, word.animationName, word.pointerEvents]
}"""
RED = "rgb(179, 52, 29)"


@pytest.mark.parametrize("still", [True, False])
def test_kaboom_call_reddens_the_table_and_animates(stage, guest, still):
    match = stage.begun("Ann", "Ben", "Cid", rounds=2)
    all_ready(match)
    page = guest(match.path, key=match.keys[0], still=still).page
    edge, word, _ = page.evaluate(CALLED)
    assert (edge != RED, word) == (True, "none")
    caller = match.state.turn
    match.play(caller, "kaboom")
    expect(page.locator("#log")).to_contain_text("kaboom")
    edge, word, pressed = page.evaluate(CALLED)
    assert (edge, word) == (RED, "none" if still else "boom")
    assert still or pressed == "none", "a press passes through the word"
    while match.look().state.declared_by is not None and not match.view(0).facts["sums"]:
        pass_turn(match)
    for seat in list(match.waiting):
        match.play(seat, "ready")
    expect(page.locator(".tag.boom")).to_have_count(0)
    assert page.evaluate(CALLED)[0] != RED, "the next round starts afresh"


def test_phone_rail_shows_a_drawn_cards_points_and_ability(stage, guest):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    all_ready(match)
    turns_until(
        match, lambda: match.state.turn == 0 and ability_of(next_card(match)) in ("own", "other")
    )
    match.play(0, "draw")
    page = guest(match.path, key=match.keys[0], **PHONE).page
    expect(page.locator(".action-bar .hint")).to_have_text(
        re.compile(r"^It counts (7|8|9|10) points\. To keep it, press .+\. Use it: look at .+\.$")
    )
    match.play(0, "use")
    expect(page.locator(".action-bar")).not_to_contain_text("It counts")


@pytest.mark.parametrize("height", [640, 740])
@pytest.mark.parametrize("code", LANGUAGES)
def test_powers_are_beside_own_cards_on_a_phone(stage, guest, code, height):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    visitor = guest(key=match.keys[0], width=360, height=height)
    visitor.page.goto(f"{match.path}?lang={code}")
    link, rail = box(visitor.page, ".powers"), box(visitor.page, ".action-bar")
    assert 44 <= link["height"] < 50, "a chip"
    assert link["y"] + link["height"] <= rail["y"]
    for card in boxes(visitor.page, ".my-cards .card"):
        assert link["right"] <= card["left"] or link["left"] >= card["right"]
    visitor.page.locator(".powers").click()
    expect(visitor.page.locator("#said table tr")).to_have_count(8)
    visitor.page.set_viewport_size({"width": 1366, "height": 650})
    expect(visitor.page.locator(".powers")).to_be_hidden()  # the table is beside the cards
    expect(visitor.page.locator(".does")).to_be_visible()


@pytest.mark.parametrize("code", LANGUAGES)
def test_piles_of_six_players_are_whole_on_a_phone(stage, guest, code):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", "Eve", "Fay", max_players=6)
    visitor = guest(key=match.keys[0], width=360, height=640)
    visitor.page.goto(f"{match.path}?lang={code}")
    felt = box(visitor.page, ".ring")
    for part in boxes(visitor.page, ".pile :is(h3, .card)"):
        assert felt["left"] + 5 <= part["left"] and part["right"] <= felt["right"] - 5


def test_phone_rail_sums_up_events_since_the_viewers_move(stage, guest):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    all_ready(match)
    for _ in range(4):
        pass_turn(match)
    page = guest(match.path, key=match.keys[0], **PHONE).page
    said = page.locator(".says .lately")
    expect(said).to_be_visible()
    expect(said).to_have_text(page.locator("#log li").last.inner_text())
    page.set_viewport_size({"width": 1366, "height": 650})
    expect(said).to_be_hidden()


WIDTHS = """() => [...document.querySelectorAll(".table-area .seat .grid .card")].map(it =>
  it.getBoundingClientRect()).map(it => [it.width, it.left, innerWidth - it.right])"""


def test_opponents_cards_are_visible_on_a_phone_in_landscape(stage, guest):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    all_ready(match)
    page = guest(match.path, key=match.keys[0], width=740, height=360).page
    cards = page.evaluate(WIDTHS)
    assert len(cards) == 18
    assert all(width >= 36 and left >= 0 and right >= 0 for width, left, right in cards)


def test_rail_wraps_when_text_is_twice_as_large(stage, guest):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    my_turn(match)
    page = guest(match.path, key=match.keys[0], width=1366, height=650).page
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    says, draw = box(page, ".says"), box(page, ".acts button")
    assert says["width"] > 300, "one letter per line"
    assert says["bottom"] <= draw["y"] or says["right"] <= draw["x"]
    assert all(width >= 36 for width, _, _ in page.evaluate(WIDTHS))


@pytest.mark.parametrize("scripts", [True, False])
def test_drawn_card_goes_to_the_place_that_is_pressed(stage, guest, scripts):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    turns_until(match, lambda: match.state.turn == 0)
    match.play(0, "draw")
    page = guest(match.path, key=match.keys[0], scripts=scripts, **PHONE).page
    expect(page.locator("#status")).to_contain_text("You hold the")
    assert page.get_by_role("button", name="Keep it").count() == 0
    page.get_by_role("button", name="Replace your top middle card").click()
    expect(page.locator("#at-0\\.1 .mark")).to_have_text("replaced")
    assert match.state.turn == 1


def test_fewest_points_are_highlighted_after_a_round(stage, guest):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    round_over(match)
    sums = match.state.sums
    page = guest(match.path, key=match.keys[0], **PHONE).page
    marked = page.locator(".table-area .seat:has(.least)")
    expect(marked).to_have_count(sum(it == min(sums) for it in sums[1:]))
    for seat in marked.all():
        assert sums[int(seat.get_attribute("id").removeprefix("seat-"))] == min(sums)


def test_four_players_cards_are_large_on_a_laptop(stage, guest):
    match = stage.begun("Ann", "Bartholomew Featherstone", "Wanjiku wa Kamau-Otieno", "Dot")
    page = guest(match.path, key=match.keys[0], width=1366, height=650).page
    assert all(card["width"] >= 62 for card in boxes(page, ".my-cards .card"))
    for seat in (".p1", ".p2", ".p3"):
        name, cards = box(page, f"{seat} .plate"), boxes(page, f"{seat} .card")
        assert 0 <= min(card["top"] for card in cards) - name["bottom"] < 10, "close above them"
    left, middle, right = (box(page, f".p{it} .plate") for it in (1, 2, 3))
    assert left["right"] <= middle["left"] and middle["right"] <= right["left"]


def test_touch_leaves_no_hover_ring_on_a_card(stage, guest):
    """Amber means pressable. Hovering with a mouse shows it, too; touching does not."""
    match = stage.begun("Ann", "Ben", "Cid", rounds=2)
    all_ready(match)
    mouse = guest(match.path, key=match.keys[0])
    ring = "getComputedStyle(document.querySelector('.my-cards button.card')).boxShadow"
    resting = mouse.page.evaluate(ring)
    mouse.page.locator(".my-cards button.card").first.hover()
    assert mouse.page.evaluate(ring) != resting
    phone = mouse.context.browser.new_context(
        base_url=mouse.url, viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    phone.add_cookies([{"name": "kb", "value": match.keys[0], "url": mouse.url}])
    page = phone.new_page()
    page.goto(match.path)
    resting = page.evaluate(ring)
    page.locator(".my-cards button.card").first.hover()
    after = page.evaluate(ring)
    phone.close()
    assert after == resting


# The largest z-index of the table and of the animations; and that of the burst.
GLIDING = """() => {
  const animate = Element.prototype.animate
  window.height = []
  Element.prototype.animate = function (frames, timing) {
    window.height.push(...[frames].flat().map(it => +it.zIndex || 0))
    return animate.call(this, frames, timing)
  }
}"""
HIGHEST = """() => {
  const z = (it, part) => +getComputedStyle(it, part).zIndex || 0
  const ring = document.querySelector(".ring")
  const lying = [...ring.querySelectorAll("*")].map(it => z(it))
  return [Math.max(...lying), Math.max(0, ...window.height), z(ring, "::before")]
}"""


def test_kaboom_call_animation_covers_gliding_cards(stage, guest):
    match = stage.begun("Ann", "Ben", "Cid", rounds=2)
    all_ready(match)
    page = guest(match.path, key=match.keys[0], still=False).page
    page.evaluate(GLIDING)
    pass_turn(match)
    match.play(match.state.turn, "kaboom")
    expect(page.locator("#log")).to_contain_text("kaboom")
    lying, gliding, burst = page.evaluate(HIGHEST)
    assert 0 < gliding < burst
    assert lying < burst


POINTS = """() => {
  const small = document.querySelector(".action-bar .plate small"), text = document.createRange()
  text.setStart(small, 0), text.setEndBefore(small.querySelector(".tag"))
  const tag = small.querySelector(".tag").getBoundingClientRect()
  return [...text.getClientRects()].filter(it => it.width > 1).filter(it =>
    it.bottom > tag.top && it.top < tag.bottom && it.right > tag.left && it.left < tag.right).length
}"""


def test_callers_badge_covers_no_points_on_a_phone(stage, guest):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    turns_until(match, lambda: match.state.turn == 0)
    match.play(0, "kaboom")
    page = guest(match.path, key=match.keys[0], **PHONE).page
    expect(page.locator(".action-bar .plate .tag.boom")).to_be_visible()
    assert page.evaluate(POINTS) == 0


# The golden elements: buttons of the rail by verb, the number of ringed own cards, and piles.
GOLD = """() => [
  [...document.querySelectorAll(".acts button[name=move]:not(.btn-secondary, .quiet)")]
    .map(it => it.value.split(" ")[1]).sort(),
  document.querySelectorAll(".my-cards button.card.must").length,
  [...document.querySelectorAll(".middle button.card.must")].map(it => it.value.split(" ")[1])]"""


@pytest.mark.parametrize(
    ("kind", "buttons", "cards"),
    [("low", [], 6), ("middling", [], 0), ("able", ["use"], 0), ("used", ["discard"], 0)],
)
def test_gold_marks_the_good_choices_after_a_draw(stage, onlooker, kind, buttons, cards):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)

    def comes():
        worth, ability = points(next_card(match)), ability_of(next_card(match))
        return (
            match.state.turn == 0
            and {
                "low": worth <= LOW,
                "middling": LOW < worth < HIGH and not ability,
                "able": worth == HIGH and bool(ability),
                "used": worth == HIGH and bool(ability),
            }[kind]
        )

    turns_until(match, comes)
    match.play(0, "draw")
    if kind == "used":
        match.play(0, "use")
        match.play(0, "skip")
    page = onlooker(match.path, key=match.keys[0]).page
    assert page.evaluate(GOLD) == [buttons, cards, []]


@pytest.mark.parametrize("low", [True, False])
def test_gold_marks_the_better_pile_before_a_draw(stage, onlooker, low):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)

    def lies():
        top = points(match.state.discards[-1].card)
        return match.state.turn == 0 and (top <= LOW if low else top == HIGH)

    turns_until(match, lies)
    page = onlooker(match.path, key=match.keys[0]).page
    better = "take" if low else "draw"
    assert page.evaluate(GOLD) == [[better], 0, [better]]


def test_phone_rail_explains_a_penalty_card(stage, onlooker):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    wrongly_flipped(match)
    page = onlooker(match.path, key=match.keys[0], **PHONE).page
    told = page.locator("#status .came")
    expect(told).to_have_text(re.compile("^The .+ is no .+: you take 1 penalty card.$"))
    expect(told).to_be_in_viewport(ratio=1)
    assert not page.locator(".action-bar .lately").is_visible(), "it is said twice"
    others = onlooker(match.path, key=match.keys[1], **PHONE).page
    assert "you take" not in others.locator(".action-bar").inner_text()


def test_rail_with_a_clock_and_a_hint_fits_a_laptop_in_french(stage, guest):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2, turn_seconds=60)
    all_ready(match)
    match.stage.tables.change(match.code, lambda t: setattr(t.table, "hints", Hints.ALL))
    page = guest(match.path, key=match.keys[match.state.turn], width=1366, height=650).page
    page.set_extra_http_headers({"Accept-Language": "fr"})
    page.reload()
    assert box(page, ".acts")["height"] > 40
    ring = box(page, ".ring")
    assert ring["y"] + ring["height"] <= 650


@pytest.mark.parametrize("width", [360, 1366])
def test_take_button_shows_which_card_it_takes(stage, onlooker, width):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    page = onlooker(match.path, key=match.keys[match.state.turn], width=width, height=650).page
    take = page.locator(".acts button[aria-label^='Take the']")
    shown = take.evaluate("it => it.firstChild.data + getComputedStyle(it, '::after').content")
    assert shown.startswith("Take")
    assert sign(match.state.discards[-1].card) in shown


@pytest.mark.parametrize("scripts", [True, False])
def test_flip_confirmation_follows_the_setting(stage, guest, scripts):
    """In first matches a tap on a card needs a confirmation, unless a setting says not to ask."""
    match = stage.begun("Ann", "Ben", rounds=1)
    all_ready(match)
    ann = guest(match.path, key=match.keys[0], scripts=scripts, **PHONE)
    flip = ann.page.get_by_role("button", name="Flip your top left card")
    flip.click()
    expect(ann.page.locator("#asks")).to_contain_text("you take 1 penalty card")
    assert not match.state.marks
    match.play(match.state.turn, "kaboom")
    while match.look().table.playing:
        pass_turn(match)
    for seat in (1, 0):
        match.post(seat, "rematch")
    if not match.look().table.playing:
        match.post(0, "start")
    keys, table = dict(zip(match.players, match.keys, strict=True)), match.look().table
    match.players = [table.occupant(seat).player for seat in range(2)]  # the loser begins
    match.keys = [keys[it] for it in match.players]
    all_ready(match)
    for choice, asked in (("2", True), ("0", False)):
        ann.page.goto("/settings")
        ann.page.locator("#set-confirm").select_option(choice)
        if not scripts:
            ann.page.get_by_role("button", name="Save", exact=True).click()
        expect(ann.page.get_by_text("Saved.")).to_be_visible()
        ann.page.goto(match.path)
        flip.click()
        if asked:
            expect(ann.page.locator("#asks")).to_be_visible()
            assert not match.state.marks
        else:
            expect(ann.page.locator("#log")).to_contain_text("You flip your top left card")


def centre(shape):
    return (shape["left"] + shape["right"]) / 2


@pytest.mark.parametrize("people", [2, 3, 4, 5, 6])
def test_table_is_symmetric_on_a_laptop(stage, onlooker, people):
    names = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay")[:people]
    match = stage.begun(*names, max_players=6 if people > 4 else 4, rounds=2)
    all_ready(match)
    wrong = next(place for place in matching(match, False) if place.startswith("0."))
    match.play(0, f"flip {wrong}")
    page = onlooker(match.path, key=match.keys[0], width=1366, height=650).page
    axis = centre(box(page, ".ring"))
    assert centre(box(page, ".my-cards .grid")) == pytest.approx(axis, abs=2)
    middles = sorted(centre(box(page, f".p{it} .grid")) - axis for it in range(1, people))
    if people == 2:  # the piles are on the other side
        middles.append(centre(box(page, ".middle")) - axis)
    else:
        assert centre(box(page, ".middle")) == pytest.approx(axis, abs=2)
    assert middles == pytest.approx([-it for it in reversed(middles)], abs=25)
    grids = [boxes(page, f".p{it} .card") for it in range(1, people)]
    edges = [(min(it["left"] for it in all_), max(it["right"] for it in all_)) for all_ in grids]
    assert all(one[1] + 25 <= other[0] for one, other in pairwise(edges)), "clear gaps"
    points, powers = boxes(page, ".does table")
    extra = boxes(page, ".my-cards .extra .card")
    assert points["right"] < box(page, ".my-cards .grid")["left"]
    assert all(card["right"] < powers["left"] for card in extra)


@pytest.mark.parametrize("people", [2, 3, 4, 6])
def test_no_badge_covers_an_avatar_on_a_phone(stage, onlooker, people):
    names = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay")[:people]
    match = stage.begun(*names, max_players=6 if people > 4 else 4, rounds=2)
    all_ready(match)
    page = onlooker(match.path, key=match.keys[0], **PHONE).page
    for small in page.locator(".table-area .plate small").all():
        assert re.fullmatch("0 points", small.inner_text())
    match.play(match.state.turn, "kaboom")
    while not match.view(0).facts["sums"]:
        pass_turn(match)
    expect(page.locator(".table-area .plate .sum")).to_have_count(people - 1)
    for seat in page.locator(".table-area .seat").all():
        face, badge = (seat.locator(it).bounding_box() for it in (".face", ".sum"))
        assert face["x"] + face["width"] <= badge["x"]


def test_question_leaves_gold_only_on_its_card(stage, onlooker):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    turns_until(match, lambda: match.state.turn == 0)
    ask = match.value(0, "flip 0.1").replace(" ", "+")
    page = onlooker(f"{match.path}?ask={ask}", key=match.keys[0]).page
    expect(page.locator(".asked")).to_have_count(1)
    expect(page.locator(".card.must, .pile button")).to_have_count(0)
    expect(page.locator(".tip")).to_be_hidden()


def touching(page, one, others):
    """Return the texts of the elements that an element touches."""
    box_of = page.locator(one).bounding_box()
    return [
        it.inner_text()
        for it in page.locator(others).all()
        if (other := it.bounding_box())
        and box_of["x"] < other["x"] + other["width"] + 3
        and other["x"] < box_of["x"] + box_of["width"] + 3
        and box_of["y"] < other["y"] + other["height"] + 3
        and other["y"] < box_of["y"] + box_of["height"] + 3
    ]


@pytest.mark.parametrize("people", [2, 4])
def test_badges_touch_no_cards_after_a_round_on_a_laptop(stage, onlooker, people):
    match = stage.begun(*("Ann", "Robin", "Cid", "Dot")[:people], rounds=2)
    all_ready(match)
    opposite = people // 2
    turns_until(match, lambda: match.state.turn == opposite)
    match.play(opposite, "kaboom")
    while not match.view(0).facts["sums"]:
        pass_turn(match)
    match.play(opposite, "ready")
    page = onlooker(match.path, key=match.keys[0], width=1366, height=650).page
    seat = f"#seat-{opposite}"
    for badge in (".sum", ".boom"):
        assert touching(page, f"{seat} {badge}", f"{seat} .card") == []
    name, badge = box(page, f"{seat} .plate"), box(page, f"{seat} .boom")
    assert badge["x"] >= name["right"] and badge["y"] < name["bottom"], "beside the name"


@pytest.mark.parametrize("people", [4, 6])
def test_remarks_are_no_wider_than_their_cards(stage, onlooker, people):
    names = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay")[:people]
    match = stage.begun(*names, max_players=6 if people > 4 else 4, rounds=2)
    all_ready(match)
    for seat in (0, 1):
        turns_until(match, lambda seat=seat: match.state.turn == seat)
        match.play(seat, "draw")
        match.play(seat, "keep")
        match.play(seat, f"replace {seat}.4")
        place = f"#at-{seat}\\.4"
        for width, code in ((360, "en"), (360, "fr"), (1366, "fr")):
            visitor = onlooker(key=match.keys[0], width=width, height=740)
            visitor.page.goto(f"{match.path}?lang={code}")
            word = "replaced" if code == "en" else "remplacée"
            expect(visitor.page.locator(f"{place} .mark")).to_have_text([word])
            mark, card = (box(visitor.page, f"{place} {it}") for it in (".mark", ".card"))
            assert card["x"] <= mark["x"] and mark["right"] <= card["right"]
            assert mark["width"] > 10


def test_narrow_phone_has_room_for_the_names_of_piles(stage, onlooker):
    match = stage.begun("Ann", "Ben", rounds=2)
    page = onlooker(match.path, key=match.keys[0], width=240, height=493).page
    names = boxes(page, ".pile h3")
    assert all(one["right"] + 3 <= next_one["left"] for one, next_one in pairwise(names))
    assert (
        page.evaluate("""() => {
      const words = document.createRange()
      words.selectNodeContents(document.querySelector(".powers"))
      return words.getClientRects().length
    }""")
        == 2
    ), "Card values"


def test_names_and_badges_are_in_the_language_of_the_viewer(stage, onlooker):
    match = stage.begun("Ann", "Ben", "Cid", rounds=2)
    all_ready(match)
    turns_until(match, lambda: match.state.turn == 0)
    match.play(0, "kaboom")
    while not match.view(0).facts["sums"]:
        pass_turn(match)
    visitor = onlooker(key=match.keys[0], **PHONE)
    visitor.page.goto(f"{match.path}?lang=ar")
    expect(visitor.page.locator("#prompt .boom")).to_have_text("كابوم")
    sums = visitor.page.locator("p:has(> bdi)")
    assert sums.inner_text().count("، ") == 2 and ", " not in sums.inner_text()
    assert sums.locator("bdi").all_inner_texts()[1:] == ["Ben", "Cid"]


@pytest.mark.parametrize("code", ["en", "ar"])
def test_answers_to_a_question_look_alike_on_a_phone(stage, onlooker, code):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    ask = match.value(0, "flip 0.1").replace(" ", "+")
    visitor = onlooker(key=match.keys[0], **PHONE)
    visitor.page.goto(f"{match.path}?ask={ask}&lang={code}")
    answers = visitor.page.locator(".sure :is(button, .button)")
    expect(answers).to_have_count(3)
    looks = answers.evaluate_all("""all => all.map(it => {
      const words = document.createRange()
      words.selectNodeContents(it)
      const lines = new Set([...words.getClientRects()].map(line => Math.round(line.top)))
      return [lines.size, getComputedStyle(it).textDecorationLine]
    })""")
    assert looks == [[1, "none"]] * 3


def test_last_hands_are_apart_on_a_phone(stage, onlooker):
    match = stage.begun("Ann", "Ben", "Cid", rounds=1)
    all_ready(match)
    match.play(match.state.turn, "kaboom")
    while match.look().table.playing:
        pass_turn(match)
    page = onlooker(match.path, key=match.keys[0], **PHONE).page
    hands = boxes(page, ".grids-left .grid")
    for left, right in pairwise(hands):
        assert right["left"] - left["right"] >= 12


def test_chosen_flip_is_not_explained_again(stage, onlooker):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", **dict(PATIENT))
    flip_sealed(match)
    page = onlooker(match.path, key=match.keys[0], width=1366, height=650).page
    expect(page.get_by_role("button", name="Take my flip back")).to_be_visible()
    expect(page.locator(".action-bar")).not_to_contain_text("Remember another")


def test_call_with_one_opponent_names_the_opponent(stage, onlooker):
    match = stage.begun("Ann", "Robin", rounds=2)
    all_ready(match)
    turns_until(match, lambda: match.state.turn == 0)
    ask = match.value(0, "kaboom").replace(" ", "+")
    page = onlooker(f"{match.path}?ask={ask}", key=match.keys[0], **PHONE).page
    expect(page.locator("#asks")).to_contain_text("Robin has one more turn.")


@pytest.mark.parametrize("width", [1280, 1366])
def test_tables_of_points_and_powers_are_apart(onlooker, width):
    page = onlooker("/learn/kaboom/first/1", width=width, height=650).page
    points, powers = boxes(page, ".does table")
    assert powers["x"] - points["x"] - points["width"] >= 12
    assert powers["x"] + powers["width"] <= width


@pytest.mark.parametrize("still", [True, False])
def test_verdict_of_a_round_comes_after_the_sums(stage, guest, still):
    match = stage.begun("Ann", "Ben", rounds=2)
    all_ready(match)
    while not match.view(0).facts["sums"]:
        if match.state.declared_by is None:
            match.play(match.state.turn, "kaboom")
        else:
            pass_turn(match)
    page = guest(match.path, key=match.keys[0], still=still).page
    page.add_style_tag(url="/static/table_page/results.css")  # otherwise loaded after a move
    late = """() => ["#says", ".action-bar small", ".side .scores td"].map(it =>
      getComputedStyle(document.querySelector(it)).animationDelay)"""
    assert page.evaluate(late) == (["0s"] * 3 if still else ["1.4s"] * 3)


# While the last cards are seen: the bursts that play, the headline, and the viewer's points.
HELD = """() => [
  document.getAnimations().filter(it => it.animationName === "boom").length,
  ...["#status", ".action-bar small", ".scores tbody tr:nth-child(2) td:last-child"].map(it =>
    document.querySelector(".held " + it).textContent.trim())]"""


def test_last_reveal_says_how_the_call_ended(stage, guest):
    """The burst belongs to the call; the last cards are followed by their points."""
    match = stage.begun("Ann", "Ben", rounds=1)
    all_ready(match)
    page = guest(match.path, key=match.keys[0], still=False).page
    with page.expect_response(re.compile("ending.js")):  # loaded after the first event
        match.play(match.state.turn, "kaboom")
    match.play(match.state.turn, "draw")
    expect(page.locator("#log")).to_contain_text("a card")
    page.wait_for_load_state("load")
    match.play(match.state.turn, "discard")
    assert not match.look().table.playing
    expect(page.locator(".held")).to_have_count(1)
    bursts, headline, own, total = page.evaluate(HELD)
    totals = match.state.totals
    assert bursts == 0
    assert re.match("(Ann|Ben|You) called kaboom (and|but)", headline)
    assert (own, total) == (f"{totals[0]} points", str(totals[1]))


@pytest.mark.parametrize("width", [360, 1366])
def test_result_of_the_call_is_in_the_place_of_the_piles(stage, onlooker, width):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    round_over(match)
    sums = match.state.sums
    right = sums[0] == min(sums)
    ending = "right: 0 points." if right else f"wrong: {sums[0]}\xa0+\xa010 points."
    for seat, whose in ((0, "Your"), (1, "Ann’s")):
        page = onlooker(match.path, key=match.keys[seat], width=width, height=740).page
        verdict = page.locator(".verdict")
        expect(verdict).to_have_text(f"{whose} call was {ending}")
        expect(page.locator(".pile .card").first).to_be_hidden()
        size = "it => parseFloat(getComputedStyle(it).fontSize)"
        assert verdict.evaluate(size) > page.locator("#status").evaluate(size)


def test_cards_that_count_less_than_they_look_show_it(stage, onlooker):
    match = stage.begun("Ann", "Ben", "Cid", rounds=2)
    all_ready(match)
    match.play(match.state.turn, "kaboom")
    while not match.view(0).facts["sums"]:
        pass_turn(match)
    low = [
        (f"#at-{seat}\\.{slot}", points(card))
        for seat, grid in enumerate(match.state.grids)
        for slot, card in enumerate(grid)
        if card and points(card) <= 0
    ]
    assert low
    page = onlooker(match.path, key=match.keys[0], **PHONE).page
    expect(page.locator(".grid .mark")).to_have_count(len(low))
    for place, worth in low:
        text = page.locator(f"{place} .mark").inner_text().strip("\u200e")
        assert text == str(worth).replace("-", "−")


def test_sums_cover_no_names_on_a_laptop(stage, onlooker):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    page = onlooker(match.path, key=match.keys[0], width=1366, height=650).page
    plates = [(it["top"], it["bottom"]) for it in boxes(page, ".table-area .plate")]
    round_over(match)
    expect(page.locator(".plate .sum")).to_have_count(3)
    after = [(it["top"], it["bottom"]) for it in boxes(page, ".table-area .plate")]
    assert after == plates, "nothing moves"
    for seat in (1, 2, 3):
        name, badge = (box(page, f".p{seat} .plate {it}") for it in ("b", ".sum"))
        assert badge["top"] >= name["bottom"] - 1


@pytest.mark.parametrize("code", ["en", "ar"])
def test_card_looked_at_is_large_on_a_phone(stage, onlooker, code):
    """It lies over its neighbours, within the grid, and no sign covers its corners."""
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=2)
    all_ready(match)
    turns_until(match, lambda: match.state.turn == 0 and ability_of(next_card(match)) == "other")
    match.play(0, "draw")
    match.play(0, "use")
    match.play(0, "look 3.2")
    visitor = onlooker(key=match.keys[0], **PHONE)
    visitor.page.goto(f"{match.path}?lang={code}")
    card, usual = (box(visitor.page, f"#at-3\\.{slot} .card") for slot in (2, 3))
    grid = box(visitor.page, "#seat-3 .grid")
    assert card["width"] >= 1.6 * usual["width"]
    assert card["right"] <= grid["right"] + 1 and card["bottom"] <= grid["bottom"] + 1
    assert card["top"] >= grid["top"] - 1
    mark = visitor.page.locator("#at-3\\.2 .mark")
    assert mark.evaluate("it => getComputedStyle(it).opacity") == "0"


@pytest.mark.parametrize(("height", "width"), [(740, 34), (690, 28), (640, 31)])
@pytest.mark.parametrize("people", [2, 4, 6])
def test_penalty_cards_are_large_on_a_phone(stage, onlooker, people, height, width):
    names = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay")[:people]
    match = stage.begun(*names, max_players=6 if people > 4 else 4, rounds=2)
    all_ready(match)
    for _ in range(4):
        wrong = next(place for place in matching(match, False) if place.startswith("0."))
        match.play(0, f"flip {wrong}")
    page = onlooker(match.path, key=match.keys[0], width=360, height=height).page
    cards = boxes(page, ".my-cards .extra .card")
    assert len(cards) == 4
    felt, rail = box(page, ".ring"), box(page, ".action-bar")
    for card, mark in zip(cards, boxes(page, ".my-cards .extra .mark"), strict=True):
        assert card["width"] >= min(width, 31 if people == 6 else width)
        assert card["right"] <= felt["right"] - 3 and card["bottom"] <= rail["y"]
        assert card["bottom"] - mark["top"] <= card["height"] / 4, "the sign covers little"
    own, piles = boxes(page, ".my-cards .grid:not(.extra) .card"), boxes(page, ".pile .card")
    assert min(card["top"] for card in cards + own) >= max(pile["bottom"] for pile in piles)


def test_last_cards_of_a_wrong_call_show_the_fine(stage, onlooker):
    match = stage.begun("Ann", "Ben", "Cid", "Dot", rounds=1)
    round_over(match)
    state = match.state
    assert state.sums[0] > min(state.sums)
    page = onlooker(match.path, key=match.keys[0], **PHONE).page
    tags = page.locator(".grids-left .tag").all_inner_texts()
    assert f"{state.sums[0]} + 10 points" in tags and f"{state.sums[1]} points" in tags
    why, names = box(page, ".final p"), boxes(page, ".grids-left small")
    assert min(name["top"] for name in names) - why["bottom"] >= 8
