"""Finds the texts in our Python for Babel: those that are said, and those that wait in data.

English has no catalogue: a text is its own key. docs/languages.md tells how this is run.
"""

import ast
from collections.abc import Collection, Iterable, Iterator
from typing import IO, Any

Message = tuple[int, str | None, str | tuple[str, ...], list[str]]

# Calls whose arguments are texts: how many of the first ones, and which keywords and positions.
SAID = {"say": 1, "mark": 1, "gettext": 1, "_": 1, "say_counted": 2, "ngettext": 2}
DATA: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "number": ((3, 4, 5), ("label", "help", "unit")),
    "switch": ((1, 2), ("label", "help")),
    "choice": ((1, 2, 3), ("values", "label", "help")),
    "Words": ((0, 1), ("sayings", "offers")),
    "Game": ((2,), ("tagline",)),
}


def extract(
    fileobj: IO[bytes],
    keywords: Collection[str],
    comment_tags: Collection[str],
    options: dict[str, Any],
) -> Iterator[Message]:
    """Yield the texts of a Python file as Babel wants them: line, function, text, comments."""
    for node in ast.walk(ast.parse(fileobj.read())):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in SAID:
            texts = [text for argument in node.args[: SAID[name]] for text in _texts(argument)]
            if len(texts) == 2:
                yield node.lineno, "ngettext", (texts[0], texts[1]), []
            elif texts:
                yield node.lineno, None, texts[0], []
        elif name in DATA:
            positions, keys = DATA[name]
            found = [node.args[at] for at in positions if at < len(node.args)]
            found += [keyword.value for keyword in node.keywords if keyword.arg in keys]
            for text in _all_texts(found):
                yield node.lineno, None, text, []


def _all_texts(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        yield from _all_texts(node.values) if isinstance(node, ast.Dict) else _texts(node)


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the text that an expression is, if it is one that people read."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
