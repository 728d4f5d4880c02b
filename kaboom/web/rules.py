"""Rules pages: each game's rules.md as HTML with a table of contents.

rules.md is Markdown in a Jinja template that is given `options`, so that a table's page speaks only
of what holds at that table: {% if options.fine %}…{% endif %}. rules.<code>.md is the same page in
another language, heading by heading: the anchors are those of the English headings everywhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from kaboom.core.game import Game
from kaboom.core.language import ENGLISH, spoken_now

GAMES_FOLDER = Path(__file__).parents[1] / "games"

# What comes out is Markdown, not HTML, and the source is our own file.
SOURCES = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A rules page: its HTML, and its headings below the first as (level, slug, text).

    `language` is what it is written in: English where a translation is missing.
    """

    html: Markup
    contents: list[tuple[int, str, str]]
    language: str = ENGLISH.code


def slug(heading: str) -> str:
    """Return the anchor of a heading: lower case letters and digits joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def rules_of(game: Game[Any], options: Any) -> RulesPage:
    """Return the rules page of a game as played with these options, in the language spoken."""
    return _rendered(game.key, options, spoken_now().code)


@lru_cache(maxsize=200)
def _rendered(key: str, options: Any, language: str) -> RulesPage:
    english = GAMES_FOLDER / key / "rules.md"
    translated = english.with_name(f"rules.{language}.md")
    if language == ENGLISH.code or not translated.exists():
        return _page(english, options)
    anchors = [anchor for _, anchor, _ in _rendered(key, options, ENGLISH.code).contents]
    return _page(translated, options, language, anchors)


def _page(
    path: Path, options: Any, language: str = ENGLISH.code, anchors: Sequence[str] = ()
) -> RulesPage:
    text = SOURCES.from_string(path.read_text(encoding="utf-8")).render(options=options)
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    contents: list[tuple[int, str, str]] = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            if token.tag == "h1":
                continue
            at = len(contents)
            anchor = anchors[at] if at < len(anchors) else slug(inline.content)
            token.attrSet("id", anchor)
            contents.append((int(token.tag[1]), anchor, inline.content))
    # Safe: the source is our own file and raw HTML in it is switched off.
    html = Markup(markdown.renderer.render(tokens, markdown.options, {}))
    return RulesPage(html, contents, language)
