"""Players who act on what they see on the screen of a text browser."""

import re
from collections.abc import Iterator
from itertools import combinations

from kaboom.engine.options import declared
from kaboom.games import GAMES, sample
from tests.text_browsers.terminal import Spot, TextBrowser

YES = "^Yes, do it"
OVER = "^Play again"
WAIT = "^Wait for the next move"
BOX = r"^\[[ X*]\]"
TICKED = r"^\[[X*]\]"
RADIO = r"^\([ X*o]\)"


def begin(browser: TextBrowser, game: str) -> None:
    """Deal at once from the start page, with short options."""
    rules, short = GAMES[game], sample(game).short
    browser.press(browser.find(f"^Options for {rules.name}"[:20]))
    browser.type("Your name", "Ann")
    for option in declared(rules.options):
        if option.name not in short:
            continue
        value = short[option.name]
        if option.kind == "choice":
            browser.choose(option.label, (option.values or {})[str(value)][:20])
        else:
            browser.type(option.label, f"{value:g}")
    browser.press(browser.find("^Start now"))


def play_now(browser: TextBrowser, game: str) -> None:
    """Press that game's button under "Play now against bots"."""
    heading = next(row for row, line in enumerate(browser.lines) if "Play now against" in line)
    button = next(s for s in browser.spots() if s.row > heading and s.words == GAMES[game].name)
    browser.press(button)


def take_a_turn(browser: TextBrowser, game: str, most: int = 8) -> None:
    """Press this player's choices until the page confirms the turn."""
    assert not re.search(sample(game).done, browser.text), browser.report()
    for _ in range(most):
        if re.search(sample(game).done, browser.text):
            return
        spot = wished(browser, game)
        if spot is None:
            tick_and_send(browser, game)
        else:
            browser.press(spot)


def wished(browser: TextBrowser, game: str) -> Spot | None:
    """Return this player's next press, or None if there are only boxes to tick."""
    spots = browser.spots()
    for wish in (YES, *sample(game).wishes, WAIT):
        for spot in spots:
            if re.search(wish, spot.words):
                return spot
    return None


def cards_to_tick(
    boxes: list[Spot], send: Spot, lead: str, number: int
) -> Iterator[tuple[Spot, ...]]:
    """Yield cards to tick before that button is pressed, likeliest first.

    `number` is how many are asked for, if the page says so.
    """
    if number:
        yield tuple(boxes[-number:])
        return
    if "Lead" in send.words:
        yield (boxes[0],)
        return
    suits = re.findall(r" of (\w+)", lead)

    def likely(two: tuple[Spot, ...]) -> int:
        names = [box.words[4:] for box in two]
        followed = sum(any(suit in name for suit in suits) for name in names)
        return followed + (len(set(names)) == 1)

    yield from sorted(combinations(boxes, 2), key=likely, reverse=True)


def tick_and_send(browser: TextBrowser, game: str) -> None:
    """Tick cards and press the button below them until the choice is accepted. Where a single card
    is lifted, the first one is taken.
    """
    send = browser.find(sample(game).sends)
    if lifted := [spot for spot in browser.spots() if re.search(RADIO, spot.words)]:
        browser.tick(lifted[0])
        browser.press(browser.find(sample(game).sends))
        return
    several = re.search(r"\(choose (\d+)\)", browser.text)
    number = 8 if "eight" in send.words else int(several[1]) if several else 0
    lead = next((line for line in browser.lines if "Your turn" in line or "ollow" in line), "")
    boxes = [spot for spot in browser.spots() if re.search(BOX, spot.words)]
    for wanted in cards_to_tick(boxes, send, lead, number):
        places = [(spot.row, spot.column) for spot in browser.spots() if re.search(BOX, spot.words)]
        for box in [spot for spot in browser.spots() if re.search(BOX, spot.words)]:
            nth = places.index((box.row, box.column))
            if (boxes[nth] in wanted) != bool(re.search(TICKED, box.words)):
                browser.tick(box)
        browser.press(browser.find(sample(game).sends))
        if not any(re.search(TICKED, spot.words) for spot in browser.spots()):
            return
    raise AssertionError(f"no ticked choice was accepted\n{browser.report()}")


def play(browser: TextBrowser, game: str, most: int = 600) -> int:
    """Play until the match is over; return the number of presses."""
    for pressed in range(most):
        if any(re.search(OVER, spot.words) for spot in browser.spots()):
            return pressed
        spot = wished(browser, game)
        if spot is None:
            tick_and_send(browser, game)
        else:
            browser.press(spot)
    raise AssertionError(f"not over after {most} presses\n{browser.report()}")
