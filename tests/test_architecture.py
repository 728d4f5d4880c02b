"""A room imports only the rooms that stand before it in ROOMS, and no file imports in a circle."""

import ast
import re
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.support.builtin_games import OURS
from tests.support.rooms import ROOMS

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "kaboom"
FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))

# Every room may read settings and raise errors; these put rooms together, or only name them.
COMMON = {"config", "errors", "features"}
OUTSIDE = {
    "__init__.py", "__main__.py", "app.py", "cli", "gunicorn_conf.py", "testing",
    "translations", "wsgi.py",
}  # fmt: skip
PURE = ("engine", "games", "tournaments/rules")
NOT_PURE = {
    "asyncio", "datetime", "flask", "gevent", "os", "random", "redis", "requests", "socket",
    "sqlalchemy", "subprocess", "threading", "time", "uuid",
}  # fmt: skip


@cache
def read(path):
    """Return the parsed file of the package; do not change it."""
    return ast.parse((PACKAGE / path).read_text())


@cache
def imports(path):
    """Return the modules that a file of the package imports anywhere."""
    found = []
    for node in ast.walk(read(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            assert node.module is not None
            found.append(node.module)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_room_imports_only_rooms_that_stand_above_it(room):
    above = {*ROOMS[: ROOMS.index(room) + 1], *COMMON}
    for path in FILES:
        if path.parts[0] == room:
            found = {name.split(".")[1] for name in imports(path) if name.startswith("kaboom.")}
            assert found <= above, f"{path} imports {found - above}"


def test_every_folder_is_a_room_or_a_named_exception():
    assert {path.parts[0] for path in FILES} == {
        *ROOMS,
        *OUTSIDE,
        *(f"{name}.py" for name in COMMON),
    }


def test_folder_holds_at_most_25_modules():
    crowded = Counter(path.parent for path in FILES)
    full = {str(folder): count for folder, count in crowded.items() if count > 25}
    assert not full, f"move some modules into a folder of their own: {full}"


def test_pure_rooms_import_no_web_database_or_clock():
    for path in FILES:
        if path.as_posix().startswith(PURE):
            # A bot may use a faster generator, because its decisions are logged like any move.
            forbidden = NOT_PURE - {"random"} if path.name == "bot.py" else NOT_PURE
            found = {module.split(".")[0] for module in imports(path)} & forbidden
            assert not found, f"{path} imports {found}"


def test_games_never_import_each_other():
    for path in FILES:
        if path.parts[0] == "games" and len(path.parts) > 2:
            for module in imports(path):
                if module.startswith("kaboom.games."):
                    assert module.split(".")[2] == path.parts[1], f"{path} imports {module}"


def imported_files(path):
    """Yield the files of the package that a file imports, including imports for types."""
    for node in ast.walk(read(path)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            file = Path(*name.split(".")).with_suffix(".py")
            if file.parts[0] == "kaboom" and (ROOT / file).is_file():
                yield file.relative_to("kaboom")


@pytest.mark.slow
def test_no_file_imports_in_a_circle():
    order = TopologicalSorter({path: set(imported_files(path)) for path in FILES})
    assert len(list(order.static_order())) == len(FILES)


def test_top_level_has_its_fixed_entries():
    kept = {"app.py", "wsgi.py", "kaboom", "templates", "static", "migrations", "tests"}
    assert kept <= {path.name for path in ROOT.iterdir()}


def test_documented_path_of_a_move_names_existing_functions():
    page = (ROOT / "docs/architecture.md").read_text()
    way = page.split("## The life of a move")[1].split("\n## ")[0]
    steps = re.findall(r"`(\w+)`\s+in\s+`kaboom/([\w/]+\.py)`", way)
    assert len(steps) > 12
    for name, path in steps:
        assert name in {getattr(it, "name", "") for it in ast.walk(read(path))}, f"{name} in {path}"


def test_every_game_is_found_by_its_folder():
    folders = {p.parent.name for p in (PACKAGE / "games").glob("*/rules.py")}
    assert set(OURS) == folders


def templates():
    yield from (ROOT / "templates").rglob("*.html")
    yield from PACKAGE.glob("games/*/templates/*.html")


@pytest.mark.parametrize("path", list(templates()), ids=lambda p: str(p.relative_to(ROOT)))
def test_templates_hold_nothing_the_csp_forbids(path):
    text = path.read_text()
    for forbidden in ("hx-on", "js:", "style=", "onclick", "<script>", ' form="'):
        assert forbidden not in text, f"{path.name} holds {forbidden}"


# What may be marked safe: our own literals, and cards rendered from our own maps of names.
OUR_OWN = (r"'[^']*'\|safe", r"DRAWN\[[^|]*\]\|safe", r"\((?:LIFT|LOOK|PRESS) % .*?\)\)\|safe")


@pytest.mark.parametrize("path", list(templates()), ids=lambda p: str(p.relative_to(ROOT)))
def test_only_our_own_literals_are_marked_safe(path):
    text = path.read_text()
    for ours in OUR_OWN:
        text = re.sub(ours, "", text)
    assert not re.search(r"\|\s*safe", text)


@pytest.mark.slow
def test_adding_a_language_takes_one_line():
    def named(path):
        return {it.value for it in ast.walk(read(path)) if isinstance(it, ast.Constant)}

    codes = {"fr", "sw", "ar"}
    assert [path for path in FILES if codes & named(path)] == [Path("web", "i18n.py")]
