"""Tips for newcomers: two lines in the header of a small phone, the whole tip after a press."""

import re

import pytest

from kaboom.games import GAMES
from kaboom.web.i18n import LANGUAGES, language
from tests.browser.moments import moments

# Facts in words, of about maximum length.
LONG_WORDS = {
    "card": "Queen of Diamonds",
    "rank": "Queen",
    "rank_name": "Queen",
    "ranks_of": "Queens",
    "suit": "Diamonds",
    "count": "12 cards",
    "points": "12 points",
    "name": "Annabelle",
    "whose": "Annabelle’s",
    "does": "look at two cards",
    "request": "Queen of Diamonds",
    "": "12",
}
CUT_OFF = """texts => texts.filter(text => {
  const told = document.querySelector(".tip summary")
  told.textContent = text
  return told.scrollHeight > told.clientHeight + 1
})"""
TALLEST = """texts => Math.max(...texts.map(text => {
  const told = document.querySelector(".tip summary")
  told.textContent = text
  return told.clientHeight / parseFloat(getComputedStyle(told).lineHeight)
}))"""

LONGER = """texts => texts.filter(text => {
  const told = document.querySelector(".tip summary")
  told.textContent = text
  return told.scrollHeight > 2.5 * parseFloat(getComputedStyle(told).lineHeight)
})"""


def in_words(text):
    """Return a template with its facts in words; raises KeyError for an unlisted kind of fact."""
    return re.sub(r"{\w+(?::(\w+))?}", lambda found: LONG_WORDS[found[1] or ""], text)


@pytest.mark.parametrize("code", LANGUAGES)
def test_tip_takes_two_lines_on_a_phone_and_unfolds(code, stage, guest):
    scene = next(it for it in moments() if (it.game, it.name) == ("kaboom", "peek")).scene(stage)
    visitor = guest(key=scene.key, width=360, height=640)
    visitor.page.goto(f"{scene.path}?lang={code}")
    texts = [
        in_words(language(code).text(tip.text))
        for game in GAMES.values()
        for tip in game.tips.values()
    ]
    assert len(texts) > 50
    assert visitor.page.evaluate(TALLEST, texts) <= 2.05
    visitor.page.locator(".tip summary").click()
    assert visitor.page.evaluate(CUT_OFF, texts) == []


@pytest.mark.parametrize(
    ("game", "code"),
    [(game, "en") for game in ("gops", "kaboom", "koth", "oh_hell", "taken")]
    + [("karata", code) for code in LANGUAGES],
)
def test_whole_tip_is_in_two_lines_on_a_phone(game, code, stage, guest):
    scene = next(it for it in moments() if (it.game, it.name) == ("kaboom", "peek")).scene(stage)
    page = guest(f"{scene.path}?lang={code}", key=scene.key, width=360, height=780).page
    texts = [in_words(language(code).text(tip.text)) for tip in GAMES[game].tips.values()]
    assert page.evaluate(LONGER, texts) == []


@pytest.mark.parametrize(("width", "height"), [(360, 640), (640, 360), (820, 1180), (1366, 650)])
def test_tip_is_in_the_header_and_unfolds_from_its_top(width, height, stage, guest):
    scene = next(it for it in moments() if (it.game, it.name) == ("kaboom", "peek")).scene(stage)
    visitor = guest(key=scene.key, width=width, height=height)
    visitor.page.goto(scene.path)
    tip, summary = visitor.page.locator(".tip"), visitor.page.locator(".tip summary")
    header = visitor.page.locator(".top").bounding_box()
    folded = tip.bounding_box()
    assert folded["y"] >= 0
    assert folded["y"] + folded["height"] <= header["height"] + 2
    assert visitor.page.evaluate(CUT_OFF, [summary.inner_text()]) == []
    summary.click()
    unfolded = tip.bounding_box()
    assert unfolded["y"] >= 0
    assert unfolded["y"] + unfolded["height"] <= visitor.page.locator(".middle").bounding_box()["y"]
