"""Rules pages: each game's rules.md as HTML with a table of contents."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from kaboom.core.game import Game

GAMES_FOLDER = Path(__file__).parents[1] / "games"


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A rules page: its HTML, and its headings as (level, slug, text)."""

    html: Markup
    contents: list[tuple[int, str, str]]


def slug(heading: str) -> str:
    """Return the anchor of a heading: lower case letters and digits joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def rules_of(game: Game[Any]) -> RulesPage:
    """Return the rules page of a game."""
    return _rendered(game.key)


@cache
def _rendered(key: str) -> RulesPage:
    text = (GAMES_FOLDER / key / "rules.md").read_text(encoding="utf-8")
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    contents = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", slug(inline.content))
            contents.append((int(token.tag[1]), slug(inline.content), inline.content))
    # Safe: the source is our own file and raw HTML in it is switched off.
    html = Markup(markdown.renderer.render(tokens, markdown.options, {}))
    return RulesPage(html, contents)
