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
COMMON = {"config", "errors", "config.py", "errors.py"}
OUTSIDE = {
    "__init__.py", "__main__.py", "app.py", "cli", "gunicorn_conf.py", "testing.py",
    "translations", "wsgi.py",
}  # fmt: skip
PURE = ("engine", "games", "tournaments/rules")
NOT_PURE = {
    "asyncio", "datetime", "flask", "gevent", "os", "random", "redis", "requests", "socket",
    "sqlalchemy", "subprocess", "threading", "time", "uuid",
}  # fmt: skip


@cache
def read(path):
    """Return a file of the package as it is parsed; nobody changes it."""
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


@pytest.mark.parametrize("room", ROOMS)
def test_room_imports_only_rooms_that_stand_above_it(room):
    above = {*ROOMS[: ROOMS.index(room) + 1], *COMMON}
    for path in FILES:
        if path.parts[0] == room:
            found = {name.split(".")[1] for name in imports(path) if name.startswith("kaboom.")}
            assert found <= above, f"{path} imports {found - above}"


def test_every_folder_is_a_room_or_named_outside_of_them():
    assert {path.parts[0] for path in FILES} == {*ROOMS, *OUTSIDE, "config.py", "errors.py"}


def test_folder_holds_at_most_25_modules():
    crowded = Counter(path.parent for path in FILES)
    assert {folder: count for folder, count in crowded.items() if count > 25} == {}


def test_pure_rooms_know_no_web_no_database_and_no_clock():
    for path in FILES:
        if path.as_posix().startswith(PURE):
            # A bot may guess with a quicker generator: what it decides is logged like any move.
            forbidden = NOT_PURE - {"random"} if path.name == "bot.py" else NOT_PURE
            found = {module.split(".")[0] for module in imports(path)} & forbidden
            assert not found, f"{path} imports {found}"


def test_games_never_import_each_other():
    for path in FILES:
        if path.parts[0] == "games" and len(path.parts) > 2:
            for module in imports(path):
                if module.startswith("kaboom.games."):
                    assert module.split(".")[2] == path.parts[1], f"{path} imports {module}"


def running(node):
    """Yield a node and all below it, but for what only a type checker reads."""
    if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
        yield node
        for below in ast.iter_child_nodes(node):
            yield from running(below)


def imported_files(path):
    """Yield the files of the package that a file imports, and not for types only. What the table
    service imports for types counts too: its modules lean on each other in one direction.
    """
    walked = ast.walk if path.parts[0] == "tables" else running
    for node in walked(read(path)):
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


def test_no_file_imports_in_a_circle():
    order = TopologicalSorter({path: set(imported_files(path)) for path in FILES})
    assert len(list(order.static_order())) == len(FILES)


def test_the_top_level_is_the_one_decided():
    kept = {"app.py", "wsgi.py", "kaboom", "templates", "static", "migrations", "tests"}
    assert kept <= {path.name for path in ROOT.iterdir()}


def test_the_way_of_a_move_leads_through_functions_that_are_there():
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
def test_templates_hold_nothing_the_content_security_policy_forbids(path):
    text = path.read_text()
    for forbidden in ("hx-on", "js:", "style=", "onclick", "<script>", ' form="'):
        assert forbidden not in text, f"{path.name} holds {forbidden}"


# What may be marked safe: our own literals, and cards drawn from our own maps of names.
OUR_OWN = (r"'[^']*'\|safe", r"DRAWN\[[^|]*\]\|safe", r"\((?:LIFT|LOOK|PRESS) % .*?\)\)\|safe")


@pytest.mark.parametrize("path", list(templates()), ids=lambda p: str(p.relative_to(ROOT)))
def test_only_our_own_literals_are_marked_safe(path):
    text = path.read_text()
    for ours in OUR_OWN:
        text = re.sub(ours, "", text)
    assert not re.search(r"\|\s*safe", text)


def test_a_language_is_named_in_one_place_so_that_another_one_needs_a_line_there():
    def named(path):
        return {it.value for it in ast.walk(read(path)) if isinstance(it, ast.Constant)}

    codes = {"fr", "sw", "ar"}
    assert [path for path in FILES if codes & named(path)] == [Path("web", "i18n.py")]
