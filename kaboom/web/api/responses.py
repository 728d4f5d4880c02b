"""Responses in the requested format: schemas as JSON, lines as text or speech; and rules."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from flask import Response, current_app

from kaboom.engine.codec import to_json
from kaboom.engine.game import Game as Playable
from kaboom.web.api.columns import wrapped
from kaboom.web.api.negotiation import MEDIA, Format, columns, response_format
from kaboom.web.api.schemas import Rules, Section
from kaboom.web.api.spoken import cut, plain
from kaboom.web.rules_pages import RulesPage, of_every_game


def answer(found: Any, lines: Iterable[str], status: int = 200) -> Response:
    """Return a response in the requested format: the schema as JSON, or the lines as text."""
    spoken = response_format()
    if spoken in (Format.JSON, Format.LINES):
        body = to_json(found)
    elif spoken is Format.SAY:
        body = f"{cut(plain(' '.join(map(_stopped, lines))))}\n".encode()
    else:
        width = columns()
        broken = (part for line in lines for part in wrapped(line, width))
        body = ("\n".join(broken) + "\n").encode()
    return current_app.response_class(body, status=status, content_type=MEDIA[spoken])


def _stopped(line: str) -> str:
    """Return a line with a full stop at its end, because only full stops separate lines in
    speech.
    """
    return line if not line or line.endswith((".", "?", "!", "…")) else f"{line}."


def rules(game: Playable[Any], options: Any, page: RulesPage) -> Response:
    """Return the response with the rules of a game under these options."""
    headings = [(1, "", game.name), *page.contents]
    sections = [
        Section(anchor, level, heading, text)
        for (level, anchor, heading), text in zip(headings, page.texts, strict=True)
    ]
    sections += [Section(anchor, 2, heading, text) for anchor, heading, text in of_every_game(game)]
    found = Rules(game=game.key, language=page.language, options=options, sections=sections)
    lines = (
        line for it in sections for line in (f"{'#' * it.level} {it.heading}", *paragraphs(it.text))
    )
    return answer(found, lines)


BEGINS = re.compile(r"[-*] |\d+\. |\|")  # an item of a list, or a row of a table
BETWEEN = re.compile(r"[-|: ]+")  # the line below the headings of a table
MARKUP = re.compile(r"\[([^]]*)]\([^)]*\)|[*`]")


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs, list items and table rows of a Markdown text, each as a line without
    its markup.
    """
    found = ""
    for line in map(str.strip, [*text.splitlines(), ""]):
        if found and (not line or BEGINS.match(line)):
            yield found
            found = ""
        if line.startswith("|"):
            line = "" if BETWEEN.fullmatch(line) else "; ".join(_cells(line))
        plain_line = MARKUP.sub(r"\1", line)
        found = f"{found} {plain_line}".strip()


def _cells(row: str) -> Iterator[str]:
    """Yield the texts in the cells of a table row."""
    yield from filter(None, map(str.strip, row.strip("|").split("|")))
