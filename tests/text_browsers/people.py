"""People who play by what stands on the screen of a text browser."""

import re

from tests.text_browsers.terminal import Spot, TextBrowser

# What to type and choose on the start page, so that a whole match is short.
SHORT = {
    "Kaboom": {"Rounds": "1"},
    "TakeN": {"Most games in a match": "1", "Cards in a hand": "4"},
    "GOPS": {},
    "Karata": {"Cards dealt": "3"},
    "King of the Hill": {
        "End of the match": "after a fixed number",
        "Rounds": "1",
        "Pace": "untimed",
        "Dealing": "0",
    },
}

# What is pressed where it is on offer: the first of these that the screen shows.
WISHES = {
    "Kaboom": [
        "^Yes, do it",
        "^I am ready",
        "^Pass|^Leave|^Skip|^No",
        "^Call kaboom",
        "^Discard",
        "^Draw a card from the stock",
        "^Replace",
        "^Give",
    ],
    "TakeN": ["^Yes, do it", "^Choose", "^Take row|^Take .* point", "^I am ready"],
    "GOPS": ["^Yes, do it", "^Bid", "^I am ready"],
    "Karata": [
        "^Yes, do it",
        "^Play \\d",
        r"^Add the (?!.*does not fit)",
        "^Ask for|^Spades",
        "^Yes|^Say",
        "^Draw|^Pick",
        "^I am ready",
    ],
    "King of the Hill": [
        "^Yes, do it",
        "^I am ready",
        "^Make",
        "^Declare",
        "^Pass",
        "^No call|^Call no",
        "^Call",
        "^Play (?!the)",
    ],
}
OVER = "^Play again"
WAIT = "^Wait for the next move"
BOX = r"^\[ \]|^\( \)"


def begin(browser: TextBrowser, game: str) -> None:
    """Deal at once from the start page, with short options."""
    browser.press(browser.find(f"^Options of {game}"[:20]))
    browser.type("Your name", "Ann")
    for label, value in SHORT[game].items():
        if value.isdigit():
            browser.type(label, value)
        else:
            browser.choose(label, value)
    browser.press(browser.find("^Deal at once"))


def wished(browser: TextBrowser, game: str) -> Spot | None:
    """Return what this person would press now: None when there is nothing but to wait."""
    spots = browser.spots()
    for wish in WISHES[game]:
        for spot in spots:
            if re.search(wish, spot.words):
                return spot
    return None


def play(browser: TextBrowser, game: str, most: int = 600) -> int:
    """Play until the match is over; return how many pages that took."""
    for pages in range(most):
        spots = browser.spots()
        if any(re.search(OVER, spot.words) for spot in spots):
            return pages
        spot = wished(browser, game) or next((s for s in spots if re.search(WAIT, s.words)), None)
        if spot is None:
            raise AssertionError(f"there is nothing to press\n{browser.report()}")
        browser.press(spot)
    raise AssertionError(f"not over after {most} pages\n{browser.report()}")
