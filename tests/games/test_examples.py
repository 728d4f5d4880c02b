"""The games in examples/ are short, and installed from here only."""

import json
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from babel.messages.extract import extract_from_dir

from kaboom.config import CHECKOUT
from kaboom.translations.update import TRANSLATIONS, compiled, read
from kaboom.web.i18n import LANGUAGES

EXAMPLES = sorted(file.parent for file in CHECKOUT.glob("examples/*/pyproject.toml"))
MOST_LINES = 450  # of Python, in all files of an example
OURS = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["name"]
each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda folder: folder.name)


def described(folder: Path) -> dict:
    """Return the metadata of the project in a folder."""
    return tomllib.loads((folder / "pyproject.toml").read_text())["project"]


@each
def test_example_is_small(example):
    lines = {file.name: len(file.read_text().splitlines()) for file in example.rglob("*.py")}
    assert 0 < sum(lines.values()) <= MOST_LINES, lines


@each
@pytest.mark.parametrize("code", sorted({*LANGUAGES} - {"en"}))
def test_texts_of_the_table_are_translated(example, code):
    """In the example's catalogue or in ours. Lessons are in English."""
    path = f"{code}/LC_MESSAGES/messages.po"
    (own,) = example.glob(f"*/translations/{path}")
    catalogues = [read(own), read(TRANSLATIONS / path)]
    said = {it.id for catalogue in catalogues for it in catalogue if it.string and not it.fuzzy}
    how = [("**.py", "kaboom.translations.extract:extract")]
    texts = {text for _, _, text, *_ in extract_from_dir(str(example), how)}
    assert sorted(texts - said) == []
    assert compiled(catalogues[0]) == own.with_suffix(".mo").read_bytes()


@each
def test_example_depends_on_this_project_by_its_name(example):
    assert described(example)["dependencies"] == [OURS]


@pytest.mark.parametrize("folder", [CHECKOUT, *EXAMPLES], ids=lambda folder: folder.name)
def test_project_is_installed_from_its_own_folder(folder):
    """Otherwise pip would look for it on an index, where another package may have the name."""
    said = json.loads(distribution(described(folder)["name"]).read_text("direct_url.json"))
    assert Path(unquote(urlsplit(said["url"]).path)) == folder
    assert said["dir_info"] == {"editable": True}


@each
def test_example_installed_in_a_clone_fetches_no_package(example):
    """Without network, all requirements must be included: a missing one is an error."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--dry-run"]
    alone = ["--no-index", "--no-build-isolation", "--no-cache-dir", "--editable", str(example)]
    done = subprocess.run(pip + alone, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    would = [line for line in done.stdout.splitlines() if line.startswith("Would install")]
    assert all(OURS not in line.split() for line in would), would


def test_make_play_installs_without_prompting():
    """The commands that `make play` would run in a fresh clone."""
    make = ["make", "--dry-run", "--always-make", "--no-print-directory", "play"]
    told = subprocess.run(make, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    (line,) = [line for line in told.splitlines() if "--editable" in line]
    words = line.split()
    assert words[-2:] == ["--editable", "."]
    assert {"--no-index", "--no-deps", "--no-build-isolation"} <= set(words)
