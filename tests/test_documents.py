"""The documents name files and functions that exist, link to pages that exist, and stay short."""

import re
from collections import defaultdict

import pytest

from kaboom.config import CHECKOUT

PAGES = sorted(
    str(path.relative_to(CHECKOUT))
    for pattern in ("*.md", "docs/**/*.md")
    for path in CHECKOUT.glob(pattern)
)
GENERATED, HISTORY = "docs/engine.md", "CHANGELOG.md"
FOLDERS = "bench|clients|docs|examples|kaboom|migrations|static|templates|tests"
NAMED = defaultdict(list)
for path in (path for folder in FOLDERS.split("|") for path in (CHECKOUT / folder).glob("**/*")):
    NAMED[path.name].append(path)
PATH = re.compile(rf"`((?:{FOLDERS})/[\w./-]*\w/?)(?:::(\w+)…?)?`")
BARE = re.compile(r"`(\w+\.(?:py|c|sh|css|js))(?:::(\w+)…?)?`")
MODULE = re.compile(r"python -m ((?:tests|bench|kaboom)[\w.]*)")
FUNCTION = re.compile(r"`(\w+)`\s+in\s+`(kaboom/[\w/]+\.py)`")
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([\w-]+))?\)")
PER_GAME = {"templates/regions.html"}  # within the folder of a game
PRONOUNS = re.compile(r"\b(whoever|whom|somebody|nobody|everybody)\b", re.IGNORECASE)


def read(name):
    return (CHECKOUT / name).read_text(encoding="utf-8")


def slug(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def missing(page):
    """Yield each path, function and link of a page that does not exist."""
    text = read(page)
    for path, function in PATH.findall(text):
        if path not in PER_GAME and not (CHECKOUT / path).exists():
            yield path
        elif function and f"def {function}" not in read(path):
            yield f"{path}::{function}"
    for name, function in BARE.findall(text):
        files = [*NAMED[name], *CHECKOUT.glob(name)]
        if not any(not function or f"def {function}" in path.read_text("utf-8") for path in files):
            yield f"{name}::{function}" if function else name
    for module in MODULE.findall(text):
        if not any(
            (CHECKOUT / module.replace(".", "/")).with_suffix(end).exists() for end in ("", ".py")
        ):
            yield f"-m {module}"
    for name, path in FUNCTION.findall(text):
        if (CHECKOUT / path).exists() and not re.search(
            rf"(?:def|class) {name}\b|^{name}\b", read(path), re.MULTILINE
        ):
            yield f"{name} in {path}"
    for path, anchor in LINK.findall(text):
        target = (CHECKOUT / page).parent / path if path else CHECKOUT / page
        if not target.exists():
            yield path
        elif anchor and anchor not in map(
            slug, re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
        ):
            yield f"{path}#{anchor}"


@pytest.mark.parametrize("page", [page for page in PAGES if page != HISTORY])
def test_documents_name_only_what_exists(page):
    assert not list(missing(page))


def test_wrong_references_in_documents_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.test_documents.CHECKOUT", tmp_path)
    (tmp_path / "kaboom").mkdir()
    (tmp_path / "kaboom" / "app.py").write_text("def run(): ...\n")
    (tmp_path / "page.md").write_text(
        "# One\n`kaboom/app.py::run` `kaboom/app.py::walk` `kaboom/gone.py` `gone.py`\n"
        "`kaboom/app.py::ru…` `test_documents.py::test_nothing…` `python -m tests.gone`\n"
        "`stop` in `kaboom/app.py` [a](page.md#one) [b](page.md#two) [c](gone.md)\n"
    )
    assert list(missing("page.md")) == [
        "kaboom/app.py::walk", "kaboom/gone.py", "gone.py", "test_documents.py::test_nothing",
        "-m tests.gone", "stop in kaboom/app.py", "page.md#two", "gone.md",
    ]  # fmt: skip


def test_decisions_index_lists_every_page():
    listed = re.findall(r"^- \[\d+\]\(([^)]*)\)", read("docs/decisions/README.md"), re.MULTILINE)
    assert listed == sorted(path.name for path in (CHECKOUT / "docs/decisions").glob("0*.md"))


def test_documents_stay_short():
    words = {page: len(read(page).split()) for page in PAGES if page not in (GENERATED, HISTORY)}
    extra = sum(words.values()) - 40_000
    assert extra <= 0, f"together the documents are {extra} words too long: shorten some"
    assert words["README.md"] <= 600
    assert words["CONTRIBUTING.md"] <= 1_500
    assert all(count <= 700 for page, count in words.items() if "/decisions/" in page)


def test_documents_name_the_role():
    text = "\n".join(map(read, PAGES))
    assert len(PRONOUNS.findall(text)) * 10_000 <= 3 * len(text.split())


def test_style_sheets_have_no_long_line():
    sheets = [
        path for folder in ("static", "kaboom") for path in CHECKOUT.glob(f"{folder}/**/*.css")
    ]
    assert len(sheets) > 10
    assert not [
        f"{sheet.name}: {line}"
        for sheet in sheets
        for line in sheet.read_text(encoding="utf-8").splitlines()
        if len(line) > 140
    ]
