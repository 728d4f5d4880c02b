"""The end of a match: who won, how and by how much, on every screen; a celebration for the
winners.
"""

import pytest

from kaboom.games import GAMES, sample
from tests.browser.moments import NAMES, drifted
from tests.browser.stage import SEED
from tests.browser.test_looks import slowly
from tests.browser.test_one_screen import SIZES
from tests.support.effort import some

# With random moves most matches of Karata end without a winner, for lack of cards.
SEEDS = {"karata": bytes([20]) * 32}
LARGE = 2.3 * 16  # px of the title
SEEN = ".ending h2, .podium li, .acts :is(button, a)"
OUT_OF_VIEW = """seen => [...document.querySelectorAll(seen)]
  .filter(it => {
    const box = it.getBoundingClientRect()
    return !box.width || box.x < 0 || box.y < 0
      || box.right > innerWidth || box.bottom > innerHeight
  }).map(it => it.textContent)"""
TITLE = "parseFloat(getComputedStyle(document.querySelector('#h-ending')).fontSize)"
TOLD = """[document.querySelectorAll(".podium > li").length,
  ...[".action-bar .acts", ".ending > p"].map(it => document.querySelector(it).innerText)]"""
# The celebration's animations; the last reveal is animated for every player, for a third of a
# second.
MOVING = """document.querySelector(".ending").getAnimations({subtree: true})
  .filter(it => !it.effect.target.closest(".final")).length"""
RAYS = "getComputedStyle(document.querySelector('.ending'), '::before').content"
# Positions of fallen pips, as shares of the ending's width and height from the nearer side and the
# top.
PIPS = """() => {
  document.getAnimations().forEach(it => it.finish())
  const all = document.querySelector(".ending").getBoundingClientRect()
  return [...document.querySelectorAll(".pips i")].map(it => {
    const box = it.getBoundingClientRect(), x = box.x + box.width / 2 - all.x
    return [Math.min(x, all.width - x) / all.width, (box.y + box.height / 2 - all.y) / all.height]
  })
}"""


@pytest.fixture(scope="module")
def over(stage):
    """A finished match of each game with a winner, played once."""
    played = {}

    def match(game, people=0):
        if (game, people) not in played:
            options = dict(sample(game).short)
            usual = list(GAMES[game].seats(GAMES[game].options(**options)))
            names = [*NAMES, "Gus", "Hal", "Ida", "Jo"][
                : people or min(max(3, usual[0]), usual[-1])
            ]
            seed = SEEDS.get(game, SEED)
            played[game, people] = stage.begun(*names, game=game, seed=seed, **options)
            drifted("over", most=3000)(played[game, people])
        return played[game, people]

    return match


def seats(match):
    """Return a seat that won and one that did not."""
    winners = match.look().table.outcome.winners
    return winners[0], next(it for it in range(len(match.keys)) if it not in winners)


@pytest.mark.parametrize("game", some(sorted(GAMES), every=3))
def test_ending_names_winner_and_all_places_on_one_screen(over, onlooker, game):
    match = over(game)
    for key in (match.keys[seats(match)[0]], match.keys[seats(match)[1]], ""):
        page = onlooker(match.path, key=key, width=SIZES[0][0], height=SIZES[0][1]).page
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(TITLE) >= LARGE
            assert page.evaluate(OUT_OF_VIEW, SEEN) == [], (width, height)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        places, labels, why = page.evaluate(TOLD)
        assert places == len(match.keys)
        assert "Review" in labels
        assert ("Play again" in labels) == bool(key)
        assert why


@pytest.mark.parametrize("height", [640, 740])
def test_kaboom_end_with_nine_cards_and_long_names_fits(stage, onlooker, height):
    names = ("Annabelle-Christine", "Bartholomew the Bold", "Cid", "Dot-of-the-long-name")
    match = stage.begun(*names, game="kaboom", seed=bytes([3]) * 32, rounds=1)
    drifted("over")(match)
    page = onlooker(match.path, key=match.keys[0], width=360, height=height).page
    assert page.locator(".grids-left .grid:has(> :nth-child(9))").count() == 1
    assert page.evaluate(OUT_OF_VIEW, SEEN) == []


def test_podium_of_ten_is_in_view_on_a_small_phone(over, guest):
    match = over("taken", 10)
    page = guest(match.path, key=match.keys[seats(match)[0]], width=360, height=640).page
    assert page.locator(".podium > li").count() == 10
    assert page.evaluate(OUT_OF_VIEW, SEEN) == []


def test_winner_is_addressed_and_sees_the_animation_once(over, person):
    match = over("gops")
    winner, _ = seats(match)
    page = person(key=match.keys[winner], still=False).page
    slowly(page)  # so that it is still running when checked
    page.goto(match.path)
    assert page.locator("#h-ending").inner_text() == "You win!"
    assert page.locator(".first b").inner_text() == "You"
    assert 12 <= page.locator(".pips i").count() <= 30
    assert page.evaluate(MOVING) > 12
    assert page.evaluate(RAYS) != "none"
    assert all(
        it["iterations"] == 1 and it["endTime"] <= 5000
        for it in page.evaluate("document.getAnimations().map(it => it.effect.getComputedTiming())")
    )


def test_loser_sees_the_podium_without_animation(over, guest):
    match = over("gops")
    winner, loser = seats(match)
    page = guest(match.path, key=match.keys[loser], still=False).page
    assert page.locator("#h-ending").inner_text() == f"{NAMES[winner]} wins"
    assert page.locator(".podium b").all_inner_texts() == [NAMES[winner], "You"]
    assert page.locator(".pips").count() == 0
    assert page.evaluate(RAYS) == "none"
    assert page.evaluate(MOVING) == 0


def test_loser_who_has_left_the_seat_sees_no_celebration(stage, guest):
    match = stage.begun("Ann", "Ben", game="gops")
    drifted("over", most=3000)(match)
    _, loser = seats(match)
    match.post(loser, "leave")
    page = guest(match.path, key=match.keys[loser]).page
    assert page.locator(".podium").count() == 1
    assert page.locator(".pips").count() == 0


def test_a_spectator_sees_the_winner_celebrated(over, guest):
    match = over("gops")
    page = guest(match.path, still=False).page
    assert page.locator("#h-ending").inner_text() == f"{NAMES[seats(match)[0]]} wins"
    assert page.locator(".pips i").count() > 0
    assert "You" not in page.locator(".podium").inner_text()


def test_ending_with_reduced_motion_looks_the_same_but_is_still(over, guest):
    match = over("gops")
    key = match.keys[seats(match)[0]]
    still, moving = (guest(match.path, key=key, still=it).page for it in (True, False))
    assert still.evaluate(MOVING) == 0
    assert still.evaluate(PIPS) == moving.evaluate(PIPS)


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (360, 640)])
def test_confetti_lies_at_the_sides_or_on_phones_above(over, guest, width, height):
    match = over("gops")
    key = match.keys[seats(match)[0]]
    page = guest(match.path, key=key, width=width, height=height).page
    found = page.evaluate(PIPS)
    if width < 400:
        assert max(top for _, top in found) <= 0.25
        assert max(side for side, _ in found) > 0.3, "not in two heaps"
    else:
        assert max(side for side, _ in found) <= 0.3


def test_winning_card_is_shown_on_phones_and_laptops(over, guest):
    match = over("karata")
    page = guest(match.path, key=match.keys[seats(match)[0]], width=360, height=740).page
    last = page.locator(".last-card .card")
    assert last.is_visible()
    name = last.inner_text()
    assert page.locator(".ending > p").first.inner_text() == f"Out with the {name}."
    page.set_viewport_size({"width": 1366, "height": 650})
    assert last.is_visible()


def test_last_cards_have_their_caption_on_a_small_phone(over, onlooker):
    match = over("taken")
    page = onlooker(match.path, key=match.keys[0], width=360, height=640).page
    caption = "The last reveal: the cards from low to high"
    assert page.locator("#final").get_by_text(caption).is_visible()


def test_forced_colors_show_the_first_place_by_its_border(over, guest):
    match = over("gops")
    page = guest(match.path, key=match.keys[0]).page
    page.emulate_media(forced_colors="active")
    border = "it => parseFloat(getComputedStyle(it).borderTopWidth)"
    first, second = page.locator(".step").first, page.locator(".step").last
    assert first.evaluate(border) > second.evaluate(border) > 0


def test_deciding_cards_are_part_of_the_end(over, guest):
    """Before it they are shown at the table (test_results.py), but not again after a reload."""
    match = over("gops")
    page = guest(match.path, key=match.keys[0], still=False).page
    assert page.locator(".final .card").count() == 3  # a prize, two bids
    assert page.locator(".held").count() == 0
