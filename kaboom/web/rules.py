"""Rules pages: each game's rules.md as HTML with a table of contents.

rules.md is Markdown in a Jinja template that is given `options`, so that a table's page speaks only
of what holds at that table: {% if options.fine %}…{% endif %}.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from kaboom.core.game import Game

GAMES_FOLDER = Path(__file__).parents[1] / "games"

# What comes out is Markdown, not HTML, and the source is our own file.
SOURCES = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A rules page: its HTML, and its headings below the first as (level, slug, text)."""

    html: Markup
    contents: list[tuple[int, str, str]]


def slug(heading: str) -> str:
    """Return the anchor of a heading: lower case letters and digits joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def rules_of(game: Game[Any], options: Any) -> RulesPage:
    """Return the rules page of a game as played with these options."""
    return _rendered(game.key, options)


@lru_cache(maxsize=200)
def _rendered(key: str, options: Any) -> RulesPage:
    source = (GAMES_FOLDER / key / "rules.md").read_text(encoding="utf-8")
    text = SOURCES.from_string(source).render(options=options)
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    contents = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            if token.tag == "h1":
                continue
            token.attrSet("id", slug(inline.content))
            contents.append((int(token.tag[1]), slug(inline.content), inline.content))
    # Safe: the source is our own file and raw HTML in it is switched off.
    html = Markup(markdown.renderer.render(tokens, markdown.options, {}))
    return RulesPage(html, contents)
