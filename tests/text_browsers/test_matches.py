"""Every game in text browsers: whole matches in w3m and lynx, a turn in links and elinks."""

import re

import pytest

from kaboom.games import GAMES, sample
from tests.counts import LONG
from tests.text_browsers import people


def pairs(*names):
    """Return who plays what: at the gate every third game each, with KABOOM_LONG=1 all games."""
    games = list(enumerate(GAMES))
    return [(a, game) for n, a in enumerate(names) for m, game in games if LONG or not (n + m) % 3]


@pytest.mark.parametrize(("name", "game"), pairs("w3m", "lynx"))
def test_a_whole_match_is_played_from_the_home_page(name, game, browser):
    one = browser(name)
    people.begin(one, game)
    pressed = people.play(one, game)
    assert pressed >= 4, one.report()  # a hand of TakeN, without a row to take
    assert "The seed: " in one.text, one.report()
    assert re.search(r"(?m)wins?( together)?!?$|^ *Nobody wins$", one.text), one.report()


@pytest.mark.parametrize(("name", "game"), pairs("links", "elinks"))
def test_a_turn_is_played_from_the_home_page(name, game, browser):
    one = browser(name)
    people.play_now(one, game)
    people.take_a_turn(one, game)
    assert re.search(sample(game).done, one.text), one.report()


def test_a_turn_is_played_in_a_terminal_of_256_colours(browser):
    one = browser("lynx in 256 colours")
    people.play_now(one, "gops")
    people.take_a_turn(one, "gops")
    assert re.search(sample("gops").done, one.text), one.report()
    assert "[38;5" not in one.text, one.report()


def test_every_game_has_somebody_who_can_play_it():
    assert [key for key in GAMES if not (sample(key).wishes and sample(key).done)] == []


@pytest.mark.parametrize("name", ["w3m", "lynx"])
def test_what_a_bot_would_do_is_asked_and_read(name, browser):
    one = browser(name)
    people.play_now(one, "gops")
    one.press(one.find(r"^What would you do\?"))
    assert re.search(r"A hard bot says: Bid ", one.text), one.report()
