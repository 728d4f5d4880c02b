"""The same table in Firefox and in WebKitGTK: what Chromium's tests prove at length."""

import time
from functools import cache
from itertools import product

import pytest

from kaboom.games import GAMES, sample
from tests.browser.stage import all_ready, matching, pass_turn
from tests.browser.test_every_game import some_move
from tests.browser.test_one_screen import MOMENTS, READ, SIZES, WRONG
from tests.browser_engines.conftest import ENGINES
from tests.support.effort import LONG, PATIENCE, often

PEOPLE = ("Ann", "Ben", "Cid", "Dot", "Eve")
BUTTON = '#table button[name=move][value$=" {}"]'
LINES = "return document.querySelectorAll('#log li').length"
UNTIDY = """() => {
  const wrong = [], box = it => it.getBoundingClientRect()
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the screen")
  document.querySelectorAll(".shelf b").forEach(name => {
    const line = document.createRange()
    line.selectNodeContents(name)
    if (new Set([...line.getClientRects()].map(it => Math.round(it.left))).size > 1)
      wrong.push(name.textContent)
  })
  const links = [...document.querySelectorAll(".games .aside")].find(it => box(it).width)
  if (box(links).bottom > box(document.querySelector(".games label")).top + 1) wrong.push("links")
  if (box(links).left < box(document.querySelector(".games legend")).left + 80) wrong.push("below")
  return wrong
}"""
LARGE_AND_SMALL = ((1366, 650), (360, 740))

# How light what is drawn is, from 0 to 255.
LIGHT = """const light = colour => {
  const [r, g, b] = colour.match(/\\d+/g).map(Number)
  return (r * 3 + g * 6 + b) / 10
}
"""
PAPER = LIGHT + "return light(getComputedStyle(document.documentElement).backgroundColor)"
FACE = LIGHT + (
    "return light(getComputedStyle(document.querySelector('.card[data-i]')).backgroundColor)"
)
MEDIA = "return matchMedia(arguments[0]).matches"
MOVING = "return document.getAnimations().filter(it => it.playState === 'running').length"


def press(somebody, move, match):
    """Make a move by the mouse: press its card or button, or tick and send; say yes if asked.

    The question comes with the server's answer, a moment after the press.
    """
    before = match.look().table.seq
    words = " ".join((move.verb, *move.choices))
    if somebody.has(BUTTON.format(words)):
        somebody.click(BUTTON.format(words))
    else:
        for card in move.choices:  # the boxes lie invisible below their cards
            box = f'#table input[name=pick][value="{card}"]:not(:checked)'
            somebody.run("document.querySelector(arguments[0]).click()", box)
        named = f'#table button[name=offer][value$=" {move.verb}"]'
        form = f'#table form:has(input[name=offer][value$=" {move.verb}"]) .go button'
        somebody.click(named if somebody.has(named) else form)
    end = time.monotonic() + PATIENCE
    while match.look().table.seq == before:
        assert time.monotonic() < end, f"{move} did not arrive"
        if somebody.has("#sure-go"):
            somebody.click("#sure-go")
            somebody.until("return !document.getElementById('sure-go')")
        time.sleep(0.02)


def sit(somebody, match, seat=0):
    """Open a match as the one of that seat, who has read all tips."""
    somebody.become(match.keys[seat], **{"kb-tips": "&".join(GAMES)})
    somebody.go(match.path)
    somebody.caught_up(match, seat)


@pytest.fixture
def playing(stage):
    """Kaboom among four; seat 0 is on turn."""
    match = stage.begun(*PEOPLE[:4], rounds=2)
    all_ready(match)
    return match


# At the gate each engine plays the beginning of one match, with KABOOM_LONG=1 all games to the end.
MATCHES = (
    list(product(ENGINES, sorted(GAMES))) if LONG else [("firefox", "gops"), ("webkit", "hearts")]
)


@pytest.mark.parametrize(("somebody", "game"), MATCHES, indirect=["somebody"])
def test_a_match_of_every_game_is_played_by_the_mouse(somebody, stage, game):
    quick = {"deal_interval": 0, "pace": "untimed"} if game == "koth" else {}
    options = dict(sample(game).short) | quick
    seats = GAMES[game].seats(GAMES[game].options(**options))
    names = PEOPLE[: max(seats[0], min(often(3, 5), seats[-1]))]
    match = stage.begun(*names, game=game, **options)
    sit(somebody, match)
    somebody.size(1366, 650)
    pressed = 0
    for number in range(900):
        if match.look().table.outcome is not None or pressed == often(3, 900):
            break
        waited = match.waiting
        if 0 not in waited:
            match.drift()
            continue
        somebody.caught_up(match)
        move = some_move(match, 0, number)
        if move is None:
            others = [seat for seat in waited if seat]
            if others and (other := some_move(match, others[0], number)):
                match.play(others[0], str(other).split(" ", 1)[1])
            continue
        press(somebody, move, match)
        pressed += 1
    somebody.caught_up(match)
    assert somebody.run("return document.documentElement.scrollWidth <= innerWidth")
    if LONG:
        assert match.look().table.outcome is not None
        somebody.until("return document.querySelectorAll('.podium li').length")


def test_of_two_who_flip_the_first_is_right_and_the_other_is_told(somebody, stage, playing):
    """The page shows a card that somebody else has just flipped away."""
    match = playing
    sit(somebody, match)
    for _ in range(40):
        pass_turn(match)
        places = [place for place in matching(match) if place.startswith("0.")]
        if places and match.state.turn != 0:
            break
    somebody.caught_up(match)
    [place, *_] = places
    value = BUTTON.format(f"flip {place}")
    somebody.run("window.stop()")  # no news comes any more
    somebody.run("document.querySelector('#stream').remove()")
    match.play(1, f"flip {place}")
    somebody.click(value)
    if somebody.has("#sure-go"):
        somebody.click("#sure-go")
    somebody.until("return document.querySelector('#notice')?.innerText.length")
    assert "late" in somebody.text("#notice").lower()


def test_a_flip_by_a_press_and_a_move_that_is_asked_about_first(somebody, playing):
    sit(somebody, playing)
    somebody.click(BUTTON.format("kaboom"))
    somebody.until("return document.getElementById('sure-go')")
    somebody.until("return document.activeElement.id === 'status'")
    somebody.click(".sure a")  # never mind
    somebody.until("return !document.getElementById('sure-go')")
    somebody.click(BUTTON.format("kaboom"))
    somebody.until("return document.getElementById('sure-go')")
    somebody.click("#sure-go")
    somebody.until("return document.getElementById('log').innerText.includes('You call kaboom!')")
    somebody.until("return document.activeElement.id === 'status'")
    assert playing.state.declared_by == 0


def test_leaving_and_coming_back(somebody, playing):
    sit(somebody, playing)
    somebody.run("document.querySelector('#hand-over-go').click()")
    somebody.until("return document.getElementById('take-over-go')")
    somebody.go("/")
    assert playing.code in somebody.text("body")
    somebody.go(playing.path)
    somebody.click("#take-over-go")
    somebody.until("return !document.getElementById('take-over-go')")


def test_back_from_another_page_shows_what_is_so_now(somebody, playing):
    sit(somebody, playing)
    somebody.go("/rules/kaboom")
    pass_turn(playing)
    somebody.back()
    somebody.caught_up(playing)
    assert not somebody.has("html.stale")
    assert somebody.run("return document.title").startswith("Kaboom")


def test_two_tabs_of_one_person_both_stay_up_to_date(somebody, playing):
    sit(somebody, playing)
    first, _, switch = somebody.opens_another("tab")
    somebody.go(playing.path)
    somebody.caught_up(playing)
    pass_turn(playing)
    somebody.caught_up(playing)
    somebody.client.close()
    switch(first)
    somebody.caught_up(playing)  # it was hidden meanwhile


def test_a_server_that_goes_and_comes_back_is_said_and_caught_up_with(somebody, playing, house):
    sit(somebody, playing)
    house.kill()
    net = "return document.getElementById('net').textContent.length"
    try:
        somebody.until(net + " > 0")
        assert somebody.has("html.offline")
    finally:
        house.start()
    somebody.until(net + " === 0")
    assert "Connected again." in somebody.run("return document.getElementById('news').textContent")
    pass_turn(playing)
    somebody.caught_up(playing)


# At the gate each engine looks at Kaboom's turn, and of the other games each is looked at in one of
# them; with KABOOM_LONG=1 both look at every moment of every game in all sizes.
LOOKED_AT = {
    "firefox": ("kaboom-own-turn", "karata-turn", "gops-bid"),
    "webkit": ("kaboom-own-turn", "koth-follow", "taken-choose", "hearts-lead"),
}
LOOKS = [(engine, name) for engine in ENGINES for name in often(LOOKED_AT[engine], MOMENTS)]


@pytest.fixture(scope="module")
def scenes(stage):
    """Where to look at a moment, led there once."""
    return cache(lambda name: MOMENTS[name].scene(stage))


@pytest.mark.parametrize(("somebody", "name"), LOOKS, indirect=["somebody"])
def test_the_whole_table_is_in_view_and_on_a_phone_all_is_read(somebody, scenes, name):
    scene = scenes(name)
    somebody.become(scene.key, **{"kb-tips": "&".join(GAMES)})
    somebody.size(*SIZES[0])
    somebody.go(scene.path)
    somebody.until("return document.readyState === 'complete'")
    wrong = {}  # each size follows from the one before: a window is made narrower, a phone turned
    for width, height in SIZES if LONG or name.startswith("kaboom") else LARGE_AND_SMALL:
        somebody.size(width, height)
        somebody.until(f"return !({MOVING.removeprefix('return ')})")  # cards that still come
        found = somebody.run(f"return ({WRONG})()")
        found += somebody.run(f"return ({READ})()") if width == 360 else []
        if found:
            wrong[width, height] = found
    assert not wrong


def test_the_home_page_is_as_tidy(somebody):
    """Letters are wider where other fonts are at hand: names of two lines begin below each other,
    and the links to options and rules stand above the games, beside the question.
    """
    somebody.become("")
    somebody.go("/")
    for width, height in LARGE_AND_SMALL:
        somebody.size(width, height)
        assert somebody.run(f"return ({UNTIDY})()") == []


def test_text_twice_as_large_is_neither_cut_nor_wider(somebody, playing):
    sit(somebody, playing)
    somebody.size(1366, 650)
    somebody.run("document.documentElement.style.fontSize = '200%'")
    assert somebody.run("return document.documentElement.scrollWidth <= innerWidth")
    assert somebody.run(
        "return [...document.querySelectorAll('.action-bar button')]"
        ".every(it => it.scrollWidth <= it.clientWidth + 1)"
    )


def in_the_dark(somebody):
    assert somebody.run(MEDIA, "(prefers-color-scheme: dark)")
    assert somebody.run(PAPER) < 50, "the page is not dark"
    assert somebody.run(FACE) > 200, "a face is paper, also in the dark"
    assert somebody.run(f"return ({WRONG})()") == []


def without_motion(somebody, match):
    """While others play nothing moves."""
    assert somebody.run(MEDIA, "(prefers-reduced-motion: reduce)")
    pass_turn(match)
    somebody.caught_up(match)
    assert somebody.run(MOVING) == 0


@pytest.mark.parametrize("somebody", ["firefox"], indirect=True)  # WebKit's: test_comforts.py
def test_in_the_dark_without_motion_and_in_colours_of_one_s_own(somebody, playing):
    client = somebody.client
    settings = {
        "layout.css.prefers-color-scheme.content-override": 0,
        "ui.prefersReducedMotion": 1,
    }
    try:
        for name, value in settings.items():
            client.set_pref(name, value)
        sit(somebody, playing)
        somebody.size(1366, 650)
        in_the_dark(somebody)
        without_motion(somebody, playing)
        client.set_pref("browser.display.document_color_use", 2)  # always one's own colours
        somebody.go(playing.path)
        somebody.until(MEDIA, "(forced-colors: active)")
        assert somebody.run(FACE) > 200, "faces keep their colours"
        turn = "return getComputedStyle(document.querySelector('.seat.turn')).outlineStyle"
        assert somebody.run(turn) == "solid", "who is on turn is marked by a line"
    finally:
        for name in (*settings, "browser.display.document_color_use"):
            client.clear_pref(name)


def test_who_watches_is_shown_a_move_and_does_not_ask_where_the_stream_brings_it(somebody, playing):
    """It does where a browser takes its packing: this WebKit does not, and fetches."""
    somebody.become("")
    somebody.go(playing.path)
    somebody.caught_up(playing, None)
    before = somebody.run(LOOKS)
    pass_turn(playing)
    somebody.caught_up(playing, None)
    assert somebody.engine == "webkit" or somebody.run(LOOKS) == before


LOOKS = """return performance.getEntriesByType("resource")
  .filter(it => it.name.includes("/view")).length"""
