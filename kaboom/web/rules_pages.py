"""Rules pages: each game's rules.md as HTML with a table of contents.

rules.md is Markdown in a Jinja template that is given `options`, so that a table's page covers only
what applies at that table: {% if options.fine %}…{% endif %}; `say` puts a text of theirs into the
language spoken, and `described(options)` all of them with their values. rules.<code>.md is the same
page in another language, heading by heading: the anchors are those of the English headings
everywhere.

An inline code span of nothing but cards is drawn: `KS TH BJ`, a back `?`, a place without a card
`_`, and number cards with their points, `55/7`, which the game's own style sheet draws.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup, escape

from kaboom.config import ROOT
from kaboom.engine.game import Game
from kaboom.engine.i18n import ENGLISH, say, spoken_now
from kaboom.engine.options import described
from kaboom.games import folder
from kaboom.web.i18n import CardNames

# What comes out is Markdown, not HTML, and the source is our own file.
SOURCES = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
SOURCES.globals |= {"say": say, "described": described}

# The macros of tables, for what a card looks like. Of all their globals a card needs only its name.
MACROS = Environment(
    loader=FileSystemLoader(ROOT / "templates"), autoescape=True, undefined=StrictUndefined
)
MACROS.globals["card_names"] = CardNames()

# The anchors of what is so at every game; it stands below the game's own headings.
BACK, AHEAD, DAYS = "h-back", "h-ahead", "h-days"

WITH_POINTS = re.compile(r"(\d+)/(\d+)")


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A rules page: its HTML, and its headings below the first as (level, slug, text).

    `language` is what it is written in: English if a translation is missing. `own_cards` says that
    it shows cards drawn by the style sheet of the game's tables.
    """

    html: Markup
    contents: list[tuple[int, str, str]]
    texts: list[str]  # the same as Markdown: before the first of these headings, and under each
    language: str
    own_cards: bool

    @property
    def parts(self) -> tuple[Markup, Markup]:
        """Return the HTML of the title with what stands under it, and that of all the rest."""
        opening, heading, rest = self.html.partition("<h2")
        return opening, heading + rest


def slug(heading: str) -> str:
    """Return the anchor of a heading: lower case letters and digits joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def of_every_game(game: Game[Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the anchor, the heading and the text of what is so at every game, or at those like it,
    in the language spoken.
    """
    back = say(
        "At every game here you may take your own last move back, as long as four things are so: "
        "it showed nobody a card they had not seen; nothing was drawn by chance in it; it asked "
        "the others nothing new, so the turn was not handed on; and nobody has acted since. Then "
        "the table has a button for it. The record keeps both, the move and that it was taken "
        "back."
    )
    for_you = say(
        "What a bot or the lot chose for you while you were away counts as your own move: as soon "
        "as you are back you may take it back in the same way."
    )
    yield BACK, say("Taking a move back"), f"{back} {for_you}"
    if game.plans:
        ahead = say(
            "While you wait you may decide what to do when your turn comes: one move, which only "
            "you see and can cancel. It is made if it is still possible then, after as long as a "
            "quick press takes, so nobody can tell. It is thrown away as soon as what it answers "
            "has changed."
        )
        yield AHEAD, say("Deciding ahead"), ahead
    if game.over_days:
        days = say(
            "Everybody has days for each decision, as the table says. When they are over a bot "
            "decides that turn, and the seat stays theirs; after two turns in a row it plays on "
            "until they return. On vacation one’s clock stands still."
        )
        yield DAYS, say("Over days"), f"{say(game.over_days)} {days}"


def rules_of(game: Game[Any], options: Any) -> RulesPage:
    """Return the rules page of a game as played with these options, in the language spoken.

    A game that brings no rules.md has a page that says so.
    """
    if not (folder(game.key) / "rules.md").is_file():
        sentence = say("The rules of this game have not been written down here.")
        html = Markup(f"<h1>{escape(game.name)}</h1>\n<p>{escape(sentence)}</p>\n")
        return RulesPage(html, [], [sentence], spoken_now().code, own_cards=False)
    return _rendered(game.key, options, spoken_now().code)


@lru_cache(maxsize=200)
def _rendered(key: str, options: Any, language: str) -> RulesPage:
    english = folder(key) / "rules.md"
    translated = english.with_name(f"rules.{language}.md")
    if language == ENGLISH.code or not translated.exists():
        return _page(english, options)
    return _page(translated, options, language, _anchors(english, options))


@lru_cache
def _source(path: Path) -> Template:
    return SOURCES.from_string(path.read_text(encoding="utf-8"))


def _anchors(path: Path, options: Any) -> list[str]:
    """Return the anchors of a page's headings below the first. What stands between is not read."""
    markdown = MarkdownIt("commonmark").enable("table").disable("inline")
    tokens = markdown.parse(_source(path).render(options=options))
    return [
        slug(heading.content)
        for token, heading in pairwise(tokens)
        if token.type == "heading_open" and token.tag != "h1"
    ]


def _page(
    path: Path, options: Any, language: str = ENGLISH.code, anchors: Sequence[str] = ()
) -> RulesPage:
    text = _source(path).render(options=options)
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("code_inline", _code)
    tokens = markdown.parse(text)
    contents: list[tuple[int, str, str]] = []
    lines, texts, begun = text.splitlines(), list[str](), 0
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            assert token.map is not None  # a heading stands in some lines
            first, after = token.map
            if token.tag == "h1":
                begun = after
                continue
            texts.append("\n".join(lines[begun:first]).strip())
            begun = after
            at = len(contents)
            anchor = anchors[at] if at < len(anchors) else slug(inline.content)
            token.attrSet("id", anchor)
            contents.append((int(token.tag[1]), anchor, inline.content))
    texts.append("\n".join(lines[begun:]).strip())
    # Safe: the source is our own file and raw HTML in it is switched off.
    html = Markup(markdown.renderer.render(tokens, markdown.options, {}))
    return RulesPage(html, contents, texts, language, " data-p=" in html)


def _code(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    at: int,
    options: OptionsDict,
    env: Mapping[str, Any],
) -> str:
    return drawn(tokens[at].content) or renderer.code_inline(tokens, at, options, dict(env))


def drawn(text: str) -> str:
    """Return the HTML of cards in a row, or "" if something in the text is not a card.

    The comma between them is read, not seen; between cards with points it is a semicolon.
    """
    looks = [_look(card) for card in text.split()]
    if not looks or "" in looks:
        return ""
    between = '<span class="visually-hidden">%s </span>' % (";" if "/" in text else ",")
    return f'<span class="cards">{between.join(looks)}</span>'


def _look(card: str) -> str:
    """Return the HTML of one card, or "" if it is not a card."""
    macros: Any = MACROS.get_template("macros/cards.html").module
    if valued := WITH_POINTS.fullmatch(card):
        number, points = valued[1], int(valued[2])
        if number not in macros.FACE:
            return ""
        name = spoken_now().counted(
            "%(card)s, %(num)s point", "%(card)s, %(num)s points", points
        ) % {"card": number, "num": points}
        marked = f'{macros.DRAWN[number]} data-p="{points}"'
        return str(macros.LOOK % (macros.FACE[number], marked, escape(name)))
    if card.isdigit() or card not in macros.FACE:
        return ""
    return str(macros.card(card))
