"""Every game in text browsers: whole matches in w3m and lynx, a turn in links and elinks."""

import json
import re
import urllib.request

import pytest

from kaboom.games import GAMES, sample
from tests.support.effort import LONG, PATIENCE
from tests.text_browsers import people


def pairs(*names):
    """Return who plays what: each program plays every fifth game, with KABOOM_LONG=1 all games."""
    games = list(enumerate(GAMES))
    return [(a, game) for n, a in enumerate(names) for m, game in games if LONG or not (n + m) % 5]


@pytest.mark.parametrize(("name", "game"), pairs("w3m", "lynx"))
def test_a_whole_match_is_played_from_the_home_page(name, game, browser):
    one = browser(name)
    people.begin(one, game)
    pressed = people.play(one, game)
    assert pressed >= 4, one.report()  # a hand of TakeN, without a row to take
    assert "The seed: " in one.text, one.report()
    assert re.search(r"(?m)wins?( together)?!?$|^ *(No winner|A tie)$", one.text), one.report()


@pytest.mark.parametrize(("name", "game"), pairs("links", "elinks"))
def test_a_turn_is_played_from_the_home_page(name, game, browser):
    one = browser(name)
    people.play_now(one, game)
    people.take_a_turn(one, game)
    assert re.search(sample(game).done, one.text), one.report()


def test_a_turn_is_played_in_a_terminal_of_256_colors(browser):
    one = browser("lynx in 256 colours")
    people.play_now(one, "gops")
    people.take_a_turn(one, "gops")
    assert re.search(sample("gops").done, one.text), one.report()
    assert "[38;5" not in one.text, one.report()


def test_every_game_has_a_text_browser_player():
    assert [key for key in GAMES if not (sample(key).wishes and sample(key).done)] == []


@pytest.mark.parametrize("name", ["w3m", "lynx"])
def test_hint_is_requested_and_read(name, browser):
    one = browser(name)
    people.play_now(one, "gops")
    one.press(one.find(r"^Hint \(what would you do\?\)"))
    assert re.search(r"A hard bot says: Bid ", one.text), one.report()


@pytest.fixture
def ben(server):
    """A function that makes requests as a player with a program."""
    key = None

    def ask(path, **body):
        head = {"Accept": "application/json", "Content-Type": "application/json"}
        head |= {"Authorization": f"Bearer {key}"} if key else {}
        data = json.dumps(body).encode() if body else None
        request = urllib.request.Request(server.url + path, data, head)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    key = ask("/guests", name="Ben")["key"]
    return ask


def dealt(one, ben, game):
    """Let a player sit down at a table of Ben's, and deal; return its address."""
    at = f"/t/{ben('/tables', game=game, name='Ben')['code']}"
    one.type("Code or link", at[3:])
    one.press(one.find("^Join$"))
    one.type("Your name", "Ann")
    one.press(one.find("^Sit down|^Join"))
    one.press(one.find("^I am ready"))
    assert ben(f"{at}/ready", ready=True)["stage"] == "playing"
    one.press(one.find("^Wait for updates"))
    return at


def test_premove_is_made_and_canceled_in_w3m(browser, ben):
    one = browser("w3m")
    at = dealt(one, ben, "karata")
    if not ben(f"{at}.json")["waited"]:
        one.press(one.find("^Draw"))
    one.press(one.find("^Move in advance"))
    one.press(one.find("^Draw"))
    assert "In advance: Draw" in one.text, one.report()
    one.press(one.find("Cancel"))
    assert "In advance: Draw" not in one.text, one.report()
    assert one.find("^Move in advance")


def test_a_move_is_taken_back_in_w3m(browser, ben):
    one = browser("w3m")
    dealt(one, ben, "taken")
    people.tick_and_send(one, "taken")
    one.press(one.find("^Take back"))
    assert "You take back your last move." in one.text, one.report()
