"""The same table in Firefox and in WebKitGTK; Chromium's tests prove the details."""

import time
from functools import cache
from itertools import product

import pytest

from kaboom.games import GAMES, sample
from tests.browser.stage import all_ready, matching, pass_turn
from tests.browser.test_every_game import PICK, picked, some_move
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

# Brightness of what is drawn, from 0 to 255.
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


def press(visitor, move, match):
    """Make a move with the mouse: press its card or button, or tick and send; confirm if asked.

    The confirmation comes with the server's answer, a moment after the press.
    """
    before = match.look().table.seq
    words = " ".join((move.verb, *move.choices))
    if visitor.has(BUTTON.format(words)):
        visitor.click(BUTTON.format(words))
    else:
        for card in picked(move, visitor.has):  # invisible checkboxes lie below their cards
            box = f"{PICK.format(card)}:not(:checked)"
            visitor.run("document.querySelector(arguments[0]).click()", box)
        named = f'#table button[name=offer][value$=" {move.verb}"]'
        form = f'#table form:has(input[name=offer][value*=" {move.verb}"]) .go button'
        visitor.click(named if visitor.has(named) else form)
    end = time.monotonic() + PATIENCE
    while match.look().table.seq == before:
        assert time.monotonic() < end, f"{move} failed"
        if visitor.has("#sure-go"):
            visitor.click("#sure-go")
            visitor.until("return !document.getElementById('sure-go')")
        time.sleep(0.02)


def sit(visitor, match, seat=0):
    """Open a match as the player of that seat, with all tips dismissed."""
    visitor.become(match.keys[seat], **{"kb-tips": "&".join(GAMES)})
    visitor.go(match.path)
    visitor.caught_up(match, seat)


@pytest.fixture
def playing(stage):
    """Kaboom among four; seat 0 is on turn."""
    match = stage.begun(*PEOPLE[:4], rounds=2)
    all_ready(match)
    return match


# `make test` plays the beginning of one match in each engine, KABOOM_LONG=1 all games to the end.
MATCHES = (
    list(product(ENGINES, sorted(GAMES))) if LONG else [("firefox", "gops"), ("webkit", "hearts")]
)


@pytest.mark.parametrize(("visitor", "game"), MATCHES, indirect=["visitor"])
def test_a_match_of_every_game_is_played_with_the_mouse(visitor, stage, game):
    quick = {"deal_interval": 0, "pace": "untimed"} if game == "koth" else {}
    options = dict(sample(game).short) | quick
    seats = GAMES[game].seats(GAMES[game].options(**options))
    names = PEOPLE[: max(seats[0], min(often(3, 5), seats[-1]))]
    match = stage.begun(*names, game=game, **options)
    sit(visitor, match)
    visitor.size(1366, 650)
    pressed = 0
    for number in range(900):
        if match.look().table.outcome is not None or pressed == often(3, 900):
            break
        waited = match.waiting
        if 0 not in waited:
            match.drift()
            continue
        visitor.caught_up(match)
        move = some_move(match, 0, number)
        if move is None:
            others = [seat for seat in waited if seat]
            if others and (other := some_move(match, others[0], number)):
                match.play(others[0], str(other).split(" ", 1)[1])
            continue
        press(visitor, move, match)
        pressed += 1
    visitor.caught_up(match)
    assert visitor.run("return document.documentElement.scrollWidth <= innerWidth")
    if LONG:
        assert match.look().table.outcome is not None
        visitor.until("return document.querySelectorAll('.podium li').length")


def test_first_of_two_flips_wins_and_the_other_is_refused(visitor, stage, playing):
    """The page still shows a card that another player has just flipped away."""
    match = playing
    sit(visitor, match)
    for _ in range(40):
        pass_turn(match)
        places = [place for place in matching(match) if place.startswith("0.")]
        if places and match.state.turn != 0:
            break
    visitor.caught_up(match)
    [place, *_] = places
    value = BUTTON.format(f"flip {place}")
    visitor.run("window.stop()")  # no update arrives any more
    visitor.run("document.querySelector('#stream').remove()")
    match.play(1, f"flip {place}")
    visitor.click(value)
    if visitor.has("#sure-go"):
        visitor.click("#sure-go")
    visitor.until("return document.querySelector('#notice')?.innerText.length")
    assert "late" in visitor.text("#notice").lower()


def test_move_to_confirm_can_be_canceled_and_then_made(visitor, playing):
    sit(visitor, playing)
    visitor.click(BUTTON.format("kaboom"))
    visitor.until("return document.getElementById('sure-go')")
    visitor.until("return document.activeElement.id === 'status'")
    visitor.click(".sure a")  # cancel
    visitor.until("return !document.getElementById('sure-go')")
    visitor.click(BUTTON.format("kaboom"))
    visitor.until("return document.getElementById('sure-go')")
    visitor.click("#sure-go")
    visitor.until("return document.getElementById('log').innerText.includes('You call kaboom!')")
    visitor.until("return document.activeElement.id === 'status'")
    assert playing.state.declared_by == 0


def test_player_leaves_and_returns(visitor, playing):
    sit(visitor, playing)
    visitor.run("document.querySelector('#hand-over-go').click()")
    visitor.until("return document.getElementById('take-over-go')")
    visitor.go("/")
    assert playing.code in visitor.text("body")
    visitor.go(playing.path)
    visitor.click("#take-over-go")
    visitor.until("return !document.getElementById('take-over-go')")


def test_back_from_another_page_shows_the_current_state(visitor, playing):
    sit(visitor, playing)
    visitor.go("/rules/kaboom")
    pass_turn(playing)
    visitor.back()
    visitor.caught_up(playing)
    assert not visitor.has("html.stale")
    assert visitor.run("return document.title").startswith("Kaboom")


def test_two_tabs_of_one_person_both_stay_up_to_date(visitor, playing):
    sit(visitor, playing)
    first, _, switch = visitor.opens_another("tab")
    visitor.go(playing.path)
    visitor.caught_up(playing)
    pass_turn(playing)
    visitor.caught_up(playing)
    visitor.client.close()
    switch(first)
    visitor.caught_up(playing)  # it was hidden in the meantime


def test_server_restart_is_shown_and_the_page_catches_up(visitor, playing, house):
    sit(visitor, playing)
    house.kill()
    net = "return document.getElementById('net').textContent.length"
    try:
        visitor.until(net + " > 0")
        assert visitor.has("html.offline")
    finally:
        house.start()
    visitor.until(net + " === 0")
    assert "Connected again." in visitor.run("return document.getElementById('news').textContent")
    pass_turn(playing)
    visitor.caught_up(playing)


# `make test` shows Kaboom's turn in each engine and each other game in one of them; KABOOM_LONG=1
# shows every moment of every game in both, in all sizes.
LOOKED_AT = {
    "firefox": ("kaboom-own-turn", "karata-turn", "gops-bid"),
    "webkit": ("kaboom-own-turn", "koth-follow", "taken-choose", "hearts-lead"),
}
LOOKS = [(engine, name) for engine in ENGINES for name in often(LOOKED_AT[engine], MOMENTS)]


@pytest.fixture(scope="module")
def scenes(stage):
    """Return the address of a moment, prepared once."""
    return cache(lambda name: MOMENTS[name].scene(stage))


@pytest.mark.parametrize(("visitor", "name"), LOOKS, indirect=["visitor"])
def test_whole_table_is_in_view_and_readable_on_a_phone(visitor, scenes, name):
    scene = scenes(name)
    visitor.become(scene.key, **{"kb-tips": "&".join(GAMES)})
    visitor.size(*SIZES[0])
    visitor.go(scene.path)
    visitor.until("return document.readyState === 'complete'")
    wrong = {}  # sizes change step by step, as when a window is narrowed or a phone turned
    for width, height in SIZES if LONG or name.startswith("kaboom") else LARGE_AND_SMALL:
        visitor.size(width, height)
        visitor.until(f"return !({MOVING.removeprefix('return ')})")  # cards in motion
        looks = [WRONG, READ] if width == 360 else [WRONG]
        if found := visitor.settled(f"return [{','.join(f'...({look})()' for look in looks)}]"):
            wrong[width, height] = found
    assert not wrong


def test_home_page_is_aligned_in_each_engine(visitor):
    """With wider fonts, names of two lines still start at the same height, and the links to options
    and rules are above the games, beside the heading.
    """
    visitor.become("")
    visitor.go("/")
    for width, height in LARGE_AND_SMALL:
        visitor.size(width, height)
        assert visitor.run(f"return ({UNTIDY})()") == []


def test_doubled_text_is_not_cut_off_and_widens_no_page(visitor, playing):
    sit(visitor, playing)
    visitor.size(1366, 650)
    visitor.run("document.documentElement.style.fontSize = '200%'")
    assert visitor.run("return document.documentElement.scrollWidth <= innerWidth")
    assert visitor.run(
        "return [...document.querySelectorAll('.action-bar button')]"
        ".every(it => it.scrollWidth <= it.clientWidth + 1)"
    )


def in_the_dark(visitor):
    assert visitor.run(MEDIA, "(prefers-color-scheme: dark)")
    assert visitor.run(PAPER) < 50, "the page is not dark"
    assert visitor.run(FACE) > 200, "a card's face is light in dark mode, too"
    assert visitor.run(f"return ({WRONG})()") == []


def without_motion(visitor, match):
    """Animations are off while others play."""
    assert visitor.run(MEDIA, "(prefers-reduced-motion: reduce)")
    pass_turn(match)
    visitor.caught_up(match)
    assert visitor.run(MOVING) == 0


@pytest.mark.parametrize("visitor", ["firefox"], indirect=True)  # WebKit: test_comforts.py
def test_dark_reduced_motion_and_forced_colors_work(visitor, playing):
    client = visitor.client
    settings = {
        "layout.css.prefers-color-scheme.content-override": 0,
        "ui.prefersReducedMotion": 1,
    }
    try:
        for name, value in settings.items():
            client.set_pref(name, value)
        sit(visitor, playing)
        visitor.size(1366, 650)
        in_the_dark(visitor)
        without_motion(visitor, playing)
        client.set_pref("browser.display.document_color_use", 2)  # always the user's own colours
        visitor.go(playing.path)
        visitor.until(MEDIA, "(forced-colors: active)")
        assert visitor.run(FACE) > 200, "faces keep their colours"
        turn = "return getComputedStyle(document.querySelector('.seat.turn')).outlineStyle"
        assert visitor.run(turn) == "solid", "the player on turn is marked by a line"
    finally:
        for name in (*settings, "browser.display.document_color_use"):
            client.clear_pref(name)


def test_spectator_sees_a_streamed_move_without_fetching(visitor, playing):
    """Firefox accepts the compression of streamed views; this WebKit does not, and fetches."""
    visitor.become("")
    visitor.go(playing.path)
    visitor.caught_up(playing, None)
    before = visitor.run(LOOKS)
    pass_turn(playing)
    visitor.caught_up(playing, None)
    assert visitor.engine == "webkit" or visitor.run(LOOKS) == before


LOOKS = """return performance.getEntriesByType("resource")
  .filter(it => it.name.includes("/view")).length"""
