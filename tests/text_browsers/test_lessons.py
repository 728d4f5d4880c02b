"""A first game and a puzzle of each game, from the home page, using only what is on the screen."""

import re

import pytest

from kaboom.engine.engine import prompt
from kaboom.games import GAMES, sample
from kaboom.learn.course import course_of
from kaboom.learn.lessons import FIRST, found_of, lesson_of
from kaboom.learn.pages import names_of
from kaboom.puzzles.answers import sent
from kaboom.puzzles.book import book, reached
from kaboom.puzzles.pages import PuzzlePage
from tests.support.effort import some
from tests.text_browsers.people import BOX, RADIO

TEACHES = [key for key in GAMES if found_of(key).lessons]
PICKS = {"draw": "Draw|Pick"}  # Karata's button says how many
ASKS = [key for key in GAMES if book(key)]


def words_on_screen(browser):
    """Return the text on the screen as a single line."""
    return " ".join(browser.text.split())


def choose(browser, choice):
    """Tick the first box or press the first button that names a choice; True if it is a box."""
    pattern = rf"(?i)(^|\W){re.escape(choice)}(\W|$)"
    spots = [it for it in browser.spots() if re.search(pattern, it.words)]
    untouched = [it for it in spots if not re.search(r"^[\[(][X*o][\])]", it.words)]
    assert untouched, f"no control reads {choice!r}\n{browser.report()}"
    spot = untouched[0]
    if re.search(BOX, spot.words) or re.search(RADIO, spot.words):
        browser.tick(spot)
        return True
    browser.press(spot)
    return False


def make(browser, course, number):
    """Make the expected move of a step."""
    game, names = course.game, names_of(course)
    verb, *choices = course.lesson.steps[number - 1].expect[0].split()
    offer = prompt(game, course.state(number), course.lesson.file.me).offer(verb)
    label = game.words.offer(verb, names, offer.about)
    if not choices:
        label = PICKS.get(verb, re.escape(label))
        browser.press(browser.find(f"^{label}"))
        return
    ticked = [choose(browser, game.words.choice(verb, it, names)) for it in choices]
    if any(ticked):
        browser.press(browser.find(f"{sample(game.key).sends}|^Call$"))
    elif verb == "lay":  # cards put into a row one by one
        browser.press(browser.find("^Play"))


@pytest.mark.parametrize("game", some(TEACHES, every=3))
def test_first_game_is_played_from_the_home_page_in_w3m(game, browser):
    one, course = browser("w3m"), course_of(lesson_of(game, FIRST))
    one.press(one.find("^New\\? Learn it"))
    heading = next(row for row, line in enumerate(one.lines) if line.strip() == GAMES[game].name)
    one.press(next(it for it in one.spots() if it.row > heading and "first" in it.words))
    last = len(course.lesson.steps)
    for number, step in enumerate(course.lesson.steps, 1):
        read = words_on_screen(one)
        assert f"step {number} of {last}" in read, one.report()
        assert step.text in read, one.report()
        if step.ask:
            make(one, course, number)
        else:
            one.press(one.find("^Next$"))
    assert "Well done!" in one.text, one.report()


@pytest.mark.parametrize("game", some(ASKS, every=3))
def test_puzzle_is_solved_from_the_home_page_in_w3m(game, browser):
    one = browser("w3m")
    puzzle = next(it for it in book(game).values() if it.strength == "easy")
    one.press(one.find("^Puzzles$"))
    one.press(one.find(f"^First puzzle: {GAMES[game].name}"))
    page = PuzzlePage(puzzle, reached(GAMES[game], puzzle), "")
    best = sent(puzzle.values[0])
    assert "What do you play?" in one.text, one.report()
    assert page.unit not in one.text
    one.press(one.find("^As a list$"))
    label = next(text for _verb, group in page.groups for move, text in group if move == best)
    one.press(one.find(rf"^{re.escape(label)}$"))
    assert "Right." in one.text, one.report()
    assert re.search(rf"{re.escape(label)}.*the best", words_on_screen(one)), one.report()
