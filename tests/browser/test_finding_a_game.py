"""Two browsers that look for a game are led to one table."""

import time

from tests.browser.chromium import Person
from tests.browser.test_access import AXE, LAID_OUT, LOOKS, STYLE, axe_finds_nothing
from tests.support.effort import PATIENCE

WITHIN = 2.0  # seconds; the test waits longer, as the machine may be busy


def test_two_waiting_browsers_are_led_to_one_table(chromium, server):
    ann, ben = Person(chromium, server.url), Person(chromium, server.url)
    for person in (ann, ben):
        person.page.goto(f"{server.url}/play?game=gops")
    ann.page.get_by_role("button", name="Find a game").click()
    ann.page.wait_for_url("**/play/wait")
    ben.page.get_by_role("button", name="Find a game").click()
    ben.page.wait_for_url("**/t/*")
    began = time.monotonic()
    ann.page.wait_for_url("**/t/*", timeout=1000 * PATIENCE)
    print(f"led there after {time.monotonic() - began:.2f} s (promised: {WITHIN:.0f} s)")
    assert ann.page.url == ben.page.url
    assert not ann.unexpected and not ben.unexpected
    ann.close()
    ben.close()


def test_axe_finds_nothing_while_a_player_waits(chromium, server):
    ann = Person(chromium, server.url)
    ann.page.goto(f"{server.url}/play?game=koth")
    for path in ("/play", "/play/wait"):
        ann.page.evaluate(AXE)
        ann.page.evaluate(STYLE, LAID_OUT)
        for width, height, colours in LOOKS:
            ann.page.set_viewport_size({"width": width, "height": height})
            ann.page.emulate_media(color_scheme=colours)
            axe_finds_nothing(ann.page, f"{path}, {colours}, {width} px:")
            assert ann.page.evaluate("document.documentElement.scrollWidth") <= width
        if path == "/play":
            ann.page.get_by_role("button", name="Find a game").click()
            ann.page.wait_for_url("**/play/wait")
    ann.page.get_by_role("button", name="Stop waiting").click()
    ann.close()
