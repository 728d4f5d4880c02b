"""Screenshots of Firefox and WebKitGTK, each beside that of Chromium.

python -m tests.browser_engines.pictures --out DIR [--only kaboom-own-turn] [--only home]
"""

import argparse
from pathlib import Path

from playwright.sync_api import sync_playwright

from kaboom.games import GAMES
from tests.browser.chromium import Person, launch
from tests.browser.screenshots import scenes, serving
from tests.browser_engines.desktop import Desktop
from tests.browser_engines.firefox import open_firefox
from tests.browser_engines.visitor import Visitor
from tests.browser_engines.webkit import open_webkit

SIZES = ((1366, 650), (360, 740))
AT_REST = "return document.getAnimations().every(it => it.playState !== 'running')"
TIPS = {"kb-tips": "&".join(GAMES)}  # all dismissed


def take(out: Path, only: list[str]) -> None:
    """Write a screenshot of each page and moment in each engine, on a desktop and on a phone."""
    out.mkdir(parents=True, exist_ok=True)
    desktop = Desktop(1600, 1200)
    try:
        with serving() as (server, stage), sync_playwright() as playwright:
            chromium = launch(playwright.chromium)
            people = [
                Visitor("firefox", open_firefox(desktop), server.url),
                Visitor("webkit", open_webkit(desktop), server.url),
            ]
            for name, scene in (it for part in only for it in scenes(stage, part)):
                usual = Person(chromium, server.url, key=scene.key)
                usual.context.add_cookies(
                    [{"name": n, "value": v, "url": server.url} for n, v in TIPS.items()]
                )
                for visitor in people:
                    visitor.become(scene.key, **TIPS)
                for size in SIZES:
                    file = f"{name}-{size[0]}"
                    usual.page.set_viewport_size({"width": size[0], "height": size[1]})
                    usual.page.goto(scene.path)
                    usual.page.screenshot(path=out / f"{file}-chromium.png")
                    for visitor in people:
                        visitor.size(*size)
                        visitor.go(scene.path)
                        visitor.until("return document.readyState === 'complete'")
                        visitor.until(AT_REST)
                        visitor.picture(out / f"{file}-{visitor.engine}.png")
                usual.close()
            for visitor in people:
                visitor.close()
    finally:
        desktop.close()


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--out", type=Path, required=True)
    asked.add_argument("--only", action="append", default=[], help="of names that contain this")
    found = asked.parse_args()
    take(found.out, found.only or [""])
