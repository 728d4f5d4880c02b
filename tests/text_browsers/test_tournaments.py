"""A tournament in text browsers: opening, entering, playing to the end, reading the standings."""

import re
import time

import pytest

from tests.support.effort import LONG
from tests.text_browsers import people

SOON = 30.0  # seconds within which the scheduler runs what is due


def until(browser, pattern, again="^Look again"):
    """Reload until something can be pressed."""
    ends = time.monotonic() + SOON
    while time.monotonic() < ends:
        for spot in browser.spots():
            if re.search(pattern, spot.words):
                return spot
        browser.press(browser.find(again))
        time.sleep(0.3)
    raise LookupError(f"no text matches {pattern!r}\n{browser.report()}")


def opening(one):
    """Go to the form that opens a tournament of GOPS, and give it a name."""
    one.press(one.find("^Tournaments"))
    one.press(one.find("^Open a tournament"))
    heading = next(row for row, line in enumerate(one.lines) if "Which game" in line)
    game = next(it for it in one.spots() if it.row > heading and it.words.startswith("GOPS"))
    one.press(game)
    one.type("Tournament name", "Cup")
    one.type("Your name", "Ann")


@pytest.mark.parametrize("name", ["w3m", "lynx"] if LONG else ["w3m"])
def test_a_round_is_played_and_the_standings_are_read(name, browser):
    one = browser(name)
    opening(one)
    one.tick(one.find("Knockout"))
    one.type("Games in a match", "1")
    one.press(one.find("^Open the tournament"))
    one.press(one.find("^Enter$"))
    assert "You have entered as Ann" in one.text, one.report()
    one.press(one.find("^Run the tournament"))
    one.press(one.find("^Add them"))
    one.press(one.find("^Start now"))
    one.press(until(one, "^Back to the tournament"))
    one.press(until(one, "^Go to your table"))
    one.press(one.find("^I am ready"))
    played(one) if LONG else ruled(one)
    for _ in range(60):  # until the result is recorded
        one.press(until(one, "^(All s|S)tandings", "^Look again|^Tournaments$"))
        if "no result yet" not in one.text:
            break
        time.sleep(0.5)
        one.press(one.find("^Back to the tournament"))
    assert re.search(r"(?m)^\W*1\W.*(Ann|bot 2)", one.text), one.report()
    assert re.search(r"\b1\b.*\b1\b", one.text), one.report()


def test_open_check_in_is_in_the_turn_list(browser):
    one = browser("w3m")
    opening(one)
    one.choose("Check-in", "20 minutes")
    one.press(one.find("^Open the tournament"))
    one.press(one.find("^Enter$"))
    one.press(one.find("^Run the tournament"))
    one.press(one.find("^Open check-in now"))
    one.press(one.find("^Kaboom"))
    one.press(one.find("^Your profile"))
    one.press(one.find("^Your turns"))
    assert "check-in is open: please check in 19 minutes left" in one.text, one.report()
    one.press(one.find("^Cup "))
    one.press(one.find("^I am here: check in"))
    assert "You have checked in." in one.text, one.report()


def played(one):
    """Play the match to its end."""
    pressed = 0
    while pressed < 60 and "The seed: " not in one.text:
        spot = people.wished(one, "gops")
        one.press(spot) if spot else people.tick_and_send(one, "gops")
        pressed += 1
    assert 13 <= pressed < 60, one.report()
    one.press(one.find("^To the tournament"))


def ruled(one):
    """Bid once; then the organiser sets the result, which takes less time than thirteen bids."""
    while not re.search(r"Round \d+: (you win|bot 2 wins|a tie)|You win|Bot 2 wins|tie", one.text):
        spot = people.wished(one, "gops")
        one.press(spot) if spot else people.tick_and_send(one, "gops")
    one.press(one.find("^To the tournament"))
    one.press(one.find("^Run the tournament"))
    one.type("separated by spaces", "1 2")
    reason = [row for row, line in enumerate(one.lines) if "Reason, for all to read" in line]
    below = next(it.row for it in one.spots() if it.words.startswith("Set it"))
    spot = next(it for it in one.spots() if it.row == max(row for row in reason if row <= below))
    one.go(spot)
    one.keys("\r\x15the ferry goes\r")
    one.press(one.find("^Set it"))
    one.press(one.find("^Back to the tournament"))
    assert "the ferry goes" in one.text, one.report()
