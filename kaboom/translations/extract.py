"""Extracts the strings to translate from our Python code for Babel: those translated in place, and
those stored as data. English has no catalogue: each string is its own key. docs/languages.md
explains how to run this.
"""

import ast
from collections.abc import Callable, Collection, Iterable, Iterator
from inspect import signature
from typing import IO, Any

from kaboom.engine.game import Game
from kaboom.engine.options import Preset, choice, number, switch, time_limit
from kaboom.engine.texts import Words
from kaboom.engine.toolkit.tips import Tip
from kaboom.learn.lessons import lesson_from, texts_of

Message = tuple[int, str | None, str | tuple[str, ...], list[str]]

# Calls whose first argument is a string to translate (the first two for plurals).
SAID = ("_", "N_", "gettext", "gettext_noop", "say", "mark")  # the last two are old names
COUNTED = ("ngettext", "ngettext_noop", "say_counted", "mark_counted")

# Calls that store strings as data, and the parameters that hold them. The signature gives their
# positions in a call.
DATA: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "number": (number, ("label", "help", "unit", "zero")),
    "time_limit": (time_limit, ("label", "help")),
    "switch": (switch, ("label", "help")),
    "choice": (choice, ("values", "label", "help")),
    "Preset": (Preset, ("name", "help", "source")),
    "Words": (Words, ("sayings", "offers")),
    "Game": (Game, ("tagline", "over_days")),
    "Tip": (Tip, ("text",)),
}


def extract(
    fileobj: IO[bytes],
    keywords: Collection[str],
    comment_tags: Collection[str],
    options: dict[str, Any],
) -> Iterator[Message]:
    """Yield the strings of a Python file in Babel's form: line, function, string, comments."""
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
            called, holding = DATA[name]
            given = dict(zip(signature(called).parameters, node.args, strict=False))
            given |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
            for text in _all_texts(given[key] for key in holding if key in given):
                yield node.lineno, None, text, []


def extract_lessons(
    fileobj: IO[bytes],
    keywords: Collection[str],
    comment_tags: Collection[str],
    options: dict[str, Any],
) -> Iterator[Message]:
    """Yield the strings of a lesson (kaboom.learn.lessons) in Babel's form."""
    text = fileobj.read().decode()
    lesson = lesson_from("", "lesson", text)
    for said in texts_of(lesson.file):
        yield text[: text.find(said)].count("\n") + 1, None, said, []


def _all_texts(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        yield from _all_texts(node.values) if isinstance(node, ast.Dict) else _texts(node)


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the strings in an expression that people will read."""
    if isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
