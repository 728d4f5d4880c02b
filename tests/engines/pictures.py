"""Pictures of tables in Firefox and WebKitGTK, to be laid beside those of Chromium.

python -m tests.engines.pictures --out DIR [--only kaboom-own-turn]
"""

import argparse
from pathlib import Path

from kaboom.games import GAMES
from tests.browser.conftest import started
from tests.browser.moments import moments
from tests.browser.stage import Stage
from tests.engines.desktop import Desktop
from tests.engines.firefox import open_firefox
from tests.engines.somebody import Somebody
from tests.engines.webkit import open_webkit

SIZES = ((1366, 650), (360, 740))


def take(out: Path, only: str) -> None:
    """Write a picture of each moment in each engine, on a desk and as narrow as it goes."""
    out.mkdir(parents=True, exist_ok=True)
    desktop = Desktop(1600, 1200)
    try:
        with started() as server:
            stage = Stage(server.settings["DATABASE_URL"], server.port)
            people = [
                Somebody("firefox", open_firefox(desktop), server.url),
                Somebody("webkit", open_webkit(desktop), server.url),
            ]
            for moment in moments():
                name = f"{moment.game}-{moment.name}"
                if only not in name:
                    continue
                scene = moment.scene(stage)
                for somebody in people:
                    somebody.become(scene.key, **{"kb-tips": "&".join(GAMES)})
                    for size in SIZES:
                        somebody.size(*size)
                        somebody.go(scene.path)
                        somebody.until("return document.readyState === 'complete'")
                        somebody.picture(out / f"{name}-{size[0]}-{somebody.engine}.png")
            for somebody in people:
                somebody.close()
            stage.close()
    finally:
        desktop.close()


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--out", type=Path, required=True)
    asked.add_argument("--only", default="")
    found = asked.parse_args()
    take(found.out, found.only)
