"""Write docs/engine.md: the signatures of the engine that games use.

`make engine-page` writes the page, and a test fails when it is out of date. Signatures are copied
from the source, so that every Python writes the same page.
"""

import ast
from collections.abc import Iterator
from functools import cache
from textwrap import wrap

from kaboom.config import CHECKOUT

PAGE = CHECKOUT / "docs" / "engine.md"
ENGINE = CHECKOUT / "kaboom" / "engine"
AUTHORS = ("kaboom/games", "examples")  # an author imports what these do
Definition = ast.ClassDef | ast.FunctionDef
HEAD = """\
# The engine, for authors of games

The public signatures of `kaboom.engine` that the games and examples of this repository use, with
the first paragraph of each docstring. [games.md](games.md) explains how to write a game.

This page is generated: `make engine-page` writes it.
"""


def page() -> str:
    """Return the whole page."""
    text = "\n".join([HEAD, *(line for name in imported() for line in module(name))])
    return text.replace("\n\n```\n", "\n```\n")


def imported() -> list[str]:
    """Return the names of the modules of kaboom.engine that games import, in order."""
    found = set()
    for file in (file for folder in AUTHORS for file in (CHECKOUT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            name = getattr(node, "module", None) or ""
            if isinstance(node, ast.ImportFrom) and f"{name}.".startswith("kaboom.engine."):
                path = name.removeprefix("kaboom.engine").lstrip(".").replace(".", "/")
                names = [f"{path}/{alias.name}".lstrip("/") for alias in node.names]
                found.update([path] if (ENGINE / f"{path}.py").exists() else names)
    return sorted(found)


@cache
def used() -> frozenset[str]:
    """Return every name that the files of games mention."""
    names: set[str] = set()
    for file in (file for folder in AUTHORS for file in (CHECKOUT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                    names.add(name)
    return frozenset(names)


def module(name: str) -> Iterator[str]:
    """Yield the lines about a module of the engine: its signatures, as a stub file has them."""
    source = (ENGINE / f"{name}.py").read_text(encoding="utf-8")
    tree, lines = ast.parse(source), source.splitlines()
    yield from (f"## kaboom.engine.{name.replace('/', '.')}", summary(tree), "", "```python")
    for node in filter(is_public, tree.body):
        if isinstance(node, ast.ClassDef):
            yield from (*stub(lines, node), *written(lines, fields(node)))
            for method in filter(is_public, node.body):
                if isinstance(method, ast.FunctionDef):
                    yield from ("", *stub(lines, method))
        elif isinstance(node, ast.FunctionDef):
            yield from stub(lines, node)
        else:
            yield from written(lines, range(node.lineno, node.end_lineno + 1))
        yield ""
    yield from ("```", "")


def stub(lines: list[str], node: Definition) -> Iterator[str]:
    """Yield the head of a definition, then the first paragraph of its docstring."""
    yield from written(lines, head(node))
    if text := summary(node):
        indent = " " * (node.col_offset + 4)
        yield from wrap(f'"""{text}"""', 100, initial_indent=indent, subsequent_indent=indent)


def written(lines: list[str], numbers: range) -> Iterator[str]:
    """Yield the non-empty ones of these lines of a source."""
    yield from (line for line in (lines[number - 1] for number in numbers) if line.strip())


def head(node: Definition) -> range:
    """Return the numbers of the lines before the body of a definition, its decorators too."""
    first = min([node.lineno, *(it.lineno for it in node.decorator_list)])
    return range(first, max(node.body[0].lineno, node.lineno + 1))


def fields(node: ast.ClassDef) -> range:
    """Return the numbers of the lines that declare the fields of a class, with their comments."""
    found = [it for it in node.body if isinstance(it, ast.AnnAssign)]
    if not found:
        return range(0)
    before = [it.end_lineno for it in node.body if it.lineno < found[0].lineno]
    return range(max(before, default=node.lineno) + 1, found[-1].end_lineno + 1)


def is_public(node: ast.stmt) -> bool:
    """Return True if a statement defines a public name that games use."""
    if isinstance(node, Definition):
        return not node.name.startswith("_") and node.name in used()
    name = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return isinstance(name, ast.Name) and not name.id.startswith("_") and name.id in used()


def summary(node: ast.Module | Definition) -> str:
    """Return the first paragraph of a definition's docstring, in one line."""
    said = ast.get_docstring(node) or ""
    return " ".join(said.partition("\n\n")[0].split())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
