"""The pictures of the README: `python -m tests.browser.readme` writes docs/pictures.

One is animated: a turn of Kaboom at a real table, as one of four players sees it.
"""

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import expect, sync_playwright

from tests.browser.chromium import Person, executable, launch
from tests.browser.moments import my_turn
from tests.browser.screenshots import scenes, serving
from tests.browser.stage import Stage
from tests.support.builtin_games import EXAMPLES

FOLDER = Path("docs/pictures")
DESK, PHONE = (1366, 650), (360, 740)
PICTURES = (  # file, moment, size of the window, dark
    ("home", "home", (1366, 720), False),
    ("kaboom", "kaboom-drawn", DESK, False),
    ("taken", "taken-choose", DESK, False),
    ("karata-dark", "karata-turn", DESK, True),
    ("gops", "gops-bid", DESK, False),
    ("hill", "koth-follow", DESK, False),
    ("hill-phone", "koth-follow", PHONE, False),
    ("kaboom-phone-dark", "kaboom-own-turn", PHONE, True),
    ("ending-phone", "gops-match-over", PHONE, False),
)
WIDEST = 960  # pixels
# The example games are installed for the tests only.
OURS = f"""{EXAMPLES}.forEach(key =>
  document.querySelectorAll(`:is(.shelf li, .games > div):has([value=${{key}}])`)
    .forEach(it => it.remove()))"""


def main() -> None:
    """Write every picture, then the animated one."""
    if not executable():
        sys.exit("No Chromium here: install Debian's package, or set CHROMIUM to its path.")
    with serving() as (server, stage), sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        for name, moment, size, dark in PICTURES:
            found = (scene for title, scene in scenes(stage, moment) if title == moment)
            scene = next(found)
            person = Person(browser, server.url, key=scene.key, dark=dark)
            person.page.set_viewport_size({"width": size[0], "height": size[1]})
            person.page.goto(scene.path)
            person.page.evaluate(OURS)
            shot(person.page).save(FOLDER / f"{name}.webp", quality=82, method=6)
            person.close()
        frames = list(turn(browser, server.url, stage))
        first, *others = [image for image, _ in frames]
        times = [milliseconds for _, milliseconds in frames]
        first.save(
            FOLDER / "turn.webp",
            save_all=True,
            append_images=others,
            duration=times,
            loop=0,
            quality=60,
            method=6,
        )
        browser.close()


def shot(page: Any) -> Image.Image:
    """Return a screenshot of the window, scaled down to the maximum width."""
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.thumbnail((WIDEST, WIDEST), Image.Resampling.LANCZOS)
    return image


def turn(browser: Any, url: str, stage: Stage) -> Iterator[tuple[Image.Image, int]]:
    """Yield the frames of a turn with their durations: one player draws and replaces a card, then
    the next player draws.
    """
    match = stage.begun("Amina", "Ben", "Cid", "Dot", rounds=2)
    my_turn(match)
    person = Person(browser, url, key=match.keys[0], still=False)
    page = person.page
    page.set_viewport_size({"width": 960, "height": 600})
    page.goto(match.path)
    yield shot(page), 1500
    for seat, move in ((0, "draw"), (0, "replace 0.3"), (1, "draw"), (1, "discard")):
        before = match.revision(0)
        match.play(seat, move)
        expect(page.locator("#ver")).not_to_have_value(str(before))
        for _ in range(4):
            yield shot(page), 70
        page.wait_for_timeout(350)
        yield shot(page), 1300
    person.close()


if __name__ == "__main__":
    main()
