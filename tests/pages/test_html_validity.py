"""The Nu HTML checker, of those who write the standard, has nothing to say of any page."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import missing
from tests.support.crawler import LANGUAGES, crawled, made
from tests.support.effort import LONG
from tests.support.server import ROOT, with_us

# One machine for all pages, that compiles but little of itself: it is over in a few seconds.
JAVA = ("java", "-Xss2m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar")

PLANTED = "<!DOCTYPE html><html lang=en><title>It is judged</title><p id=a>1</p><p id=a>2</p>"


@pytest.fixture(scope="module")
def checker():
    """The command that checks the HTML files of a folder."""
    found = sorted((ROOT / ".venv").glob("vnu-*.jar"))
    if not found or not shutil.which("java"):
        missing("the Nu HTML checker (tests/programs.sh fetches it) with Java")
    return [*with_us(), *JAVA, str(found[-1]), "--format", "json", "--exit-zero-always"]


def said_of(checker, folder: Path) -> list[dict]:
    """Return the messages about the pages of a folder, errors and warnings alike."""
    told = subprocess.run([*checker, str(folder)], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    return list(json.loads(told.stderr)["messages"])


def test_nu_finds_nothing_on_any_page(app, service, checker, tmp_path):
    """Each page is read in one of the languages by turns, in `make soak` in each."""
    world = made(service)
    pages = [
        *crawled(app, world, lambda n: LANGUAGES if LONG else (LANGUAGES[n % len(LANGUAGES)],))
    ]
    assert len(pages) >= 250
    for number, page in enumerate(pages):
        (tmp_path / f"{number}.html").write_text(page.html, encoding="utf-8")
    names = {str(number): page.name for number, page in enumerate(pages)}
    (tmp_path / "planted.html").write_text(PLANTED)
    found: dict[str, list[str]] = {}
    for it in said_of(checker, tmp_path):
        said = f"{it['message']} {it.get('extract', '')}"
        found.setdefault(names.get(Path(it["url"]).stem, "planted"), []).append(said)
    assert any("Duplicate ID" in it for it in found.pop("planted", ())), "it finds nothing at all"
    assert not found
