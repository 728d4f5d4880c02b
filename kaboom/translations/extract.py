"""Finds the texts in our Python for Babel: those that are said, and those that wait in data.

English has no catalogue: a text is its own key. docs/languages.md tells how this is run.
"""

import ast
from collections.abc import Collection, Iterable, Iterator
from typing import IO, Any

Message = tuple[int, str | None, str | tuple[str, ...], list[str]]

# Calls whose first argument is a text (two of them where it is counted).
SAID = ("say", "mark", "gettext", "_")
COUNTED = ("say_counted", "ngettext")

# Calls that hold texts as data: at which positions, under which keywords.
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
        if name in COUNTED:
            texts = tuple(text for argument in node.args[:2] for text in _texts(argument))
            if len(texts) == 2:
                yield node.lineno, "ngettext", texts, []
        elif name in SAID:
            for text in _all_texts(node.args[:1]):
                yield node.lineno, None, text, []
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
    if isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
