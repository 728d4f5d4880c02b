"""The Nu HTML checker finds nothing on any page."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import missing
from tests.support.crawler import LANGUAGES, crawled, made, news
from tests.support.effort import LONG, often
from tests.support.server import ROOT, with_us

# One Java process for all pages, with little compilation: it only runs for a few seconds.
JAVA = ("java", "-Xss2m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar")

# The checker does not know hashes that allow inline scripts and styles in the match file.
HASHED = "violates Content Security Policy"
# Nor that the standard lets a link that expects an element block rendering.
EXPECTS = "must have a “rel” attribute whose value is “stylesheet”"
PLANTED = "<!DOCTYPE html><html lang=en><title>It is judged</title><p id=a>1</p><p id=a>2</p>"


@pytest.fixture(scope="module")
def checker():
    """Return the command that checks the HTML files of a folder."""
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
    """`make test` checks pages with new elements in alternating languages, `make soak` all pages in
    all languages.
    """
    world = made(service)
    every = crawled(app, world, lambda n: LANGUAGES if LONG else (LANGUAGES[n % len(LANGUAGES)],))
    pages = [*(every if LONG else news(app, every))]
    assert len(pages) >= often(100, soak=250)
    for number, page in enumerate(pages):
        (tmp_path / f"{number}.html").write_text(page.html, encoding="utf-8")
    names = {str(number): page.name for number, page in enumerate(pages)}
    (tmp_path / "planted.html").write_text(PLANTED)
    found: dict[str, list[str]] = {}
    for it in said_of(checker, tmp_path):
        said = f"{it['message']} {it.get('extract', '')}"
        if HASHED in said and names.get(Path(it["url"]).stem, "").split(" ")[0].endswith(".html"):
            continue
        if EXPECTS in said and '<link rel="expect"' in said:
            continue
        found.setdefault(names.get(Path(it["url"]).stem, "planted"), []).append(said)
    assert any("Duplicate ID" in it for it in found.pop("planted", ())), (
        "the checker finds nothing at all"
    )
    assert not found
