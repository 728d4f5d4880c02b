"""Screenshots of every page: `python -m tests.browser.screenshots [--out screenshots]`.

Each is taken in light and dark on three screens; the file name describes it.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from kaboom.db.migrate import upgrade
from tests.browser.chromium import Person, executable, launch
from tests.browser.moments import PAGES, Scene, moments
from tests.browser.stage import Stage
from tests.support.server import Server

SIZES = ("360x740", "820x1180", "1280x800")
MORE_SIZES = ("360x640", "1366x650")  # on request


def main() -> None:
    """Take the requested screenshots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("screenshots"))
    parser.add_argument("--only", default="", help="of names that contain this")
    parser.add_argument("--look", choices=["light", "dark"], action="append")
    parser.add_argument("--size", choices=[*SIZES, *MORE_SIZES], action="append")
    parser.add_argument("--language", default="", help="a code, such as ar")
    asked = parser.parse_args()
    if not executable():
        sys.exit("No Chromium here: install Debian's package, or set CHROMIUM to its path.")
    asked.out.mkdir(parents=True, exist_ok=True)
    with serving() as (server, stage), sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        for name, scene in scenes(stage, asked.only):
            for file in pictures(browser, server.url, name, scene, asked):
                print(file)
        browser.close()


@contextmanager
def serving() -> Iterator[tuple[Server, Stage]]:
    """Run a server, and yield its tables."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'kaboom.sqlite3'}"
        upgrade(url)
        server = Server(url).start()
        stage = Stage(url, server.port)
        try:
            yield server, stage
        finally:
            stage.close()
            server.kill()


def scenes(stage: Stage, only: str) -> Iterator[tuple[str, Scene]]:
    """Yield every page and moment with its name."""
    for name, scene in PAGES.items():
        if only in name:
            yield name, scene
    for moment in moments():
        name = f"{moment.game}-{moment.name}"
        if only in name:
            yield name, moment.scene(stage)


def pictures(browser: Any, url: str, name: str, scene: Scene, asked: Any) -> Iterator[Path]:
    """Take the screenshots of one scene: the whole page, and on a phone also the first screen."""
    person = Person(browser, url, key=scene.key)
    if asked.language:
        setting = {"name": "kb-settings", "value": f"language={asked.language}", "url": url}
        person.context.add_cookies([setting])
    person.page.goto(scene.path)
    for look in asked.look or ("light", "dark"):
        person.page.emulate_media(color_scheme=look)
        for size in asked.size or SIZES:
            width, height = map(int, size.split("x"))
            person.page.set_viewport_size({"width": width, "height": height})
            stem = f"{name}-{look}-{size}"
            if width < 400:
                yield picture(person, asked.out / f"{stem}-screen.png", whole=False)
            # A table is as high as the screen, so the screen must not grow to the page's height.
            yield picture(person, asked.out / f"{stem}.png", whole=True)
    person.close()


def picture(person: Person, file: Path, whole: bool) -> Path:
    """Save the screen, or the whole page, to a file."""
    person.page.screenshot(path=file, full_page=whole)
    return file


if __name__ == "__main__":
    main()
