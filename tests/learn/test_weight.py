"""Every lesson and puzzle page is light on a first visit: the page and its sheets.

The typeface of headings (4 KB) comes once, and after the page.
"""

import re
from functools import cache

import pytest

from kaboom.games import GAMES
from kaboom.learn.lessons import found_of
from kaboom.puzzles.book import book
from kaboom.web.assets import load
from tests.support.effort import some

MOST = 19_700  # bytes over the wire, without headers
ANSWER = 3_800
ASSET = re.compile(r'<link rel="stylesheet" href="/static/([^"?]+)')
WITH_LESSONS = [key for key in GAMES if found_of(key).lessons]
LISTS = [
    "/learn",
    "/puzzles",
    *(f"/{room}/{key}" for key in GAMES for room in ("learn", "puzzles")),
]


def steps_of(key):
    """Yield the pages of a game's lessons, also with the right move shown."""
    for lesson in found_of(key).lessons:
        at = f"/learn/{key}/{lesson.name}"
        for number, step in enumerate(lesson.steps, 1):
            yield f"{at}/{number}"
            if step.ask:
                yield f"{at}/{number}?show=1"
        yield f"{at}/done"


@cache
def size_of(asset):
    """Return the size of a static file as browsers get it."""
    encoded = load(asset).encoded
    return len(encoded.get("br", encoded[""]))


def weight(client, path):
    """Return the size of a page with all that a first visit fetches for it."""
    plain = client.get(path).text
    page = client.get(path, headers={"Accept-Encoding": "br"})
    assert page.headers["Content-Encoding"] == "br"
    assets = dict.fromkeys(ASSET.findall(plain))
    assert "web/base.css" in assets
    return len(page.data) + sum(size_of(it) for it in assets if not it.endswith(".woff2"))


def too_heavy(app, paths):
    client = app.test_client()
    weights = {path: weight(client, path) for path in paths}
    return {path: it for path, it in weights.items() if it > MOST}


def test_list_pages_of_lessons_and_puzzles_are_small(app):
    assert not too_heavy(app, LISTS)


@pytest.mark.parametrize("key", WITH_LESSONS)
def test_every_lesson_step_page_is_small(app, key):
    assert not too_heavy(app, steps_of(key))


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in GAMES if book(key)])
def test_every_puzzle_page_is_small(app, key):
    assert not too_heavy(app, [f"/puzzle/{it}" for it in some(book(key), every=5)])


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in GAMES if book(key)])
def test_puzzle_answer_adds_few_bytes(app, key):
    """An answer is seen after its question, from which the browser has all sheets but one."""
    client = app.test_client()
    for it in some(book(key), every=5):
        page = client.get(f"/puzzle/{it}?show=1", headers={"Accept-Encoding": "br"})
        assert len(page.data) + size_of("puzzles/answer.css") <= ANSWER
