"""Rules pages: each game's rules.md as HTML with a table of contents.

rules.md is Markdown in a Jinja template that is given `options`, so that a table's page covers only
what applies at that table: {% if options.fine %}…{% endif %}; `say` translates an option's text
into the reader's language, and `described(options)` returns all options with their values.
rules.<code>.md is the same page in another language, heading by heading: the anchors are those of
the English headings in every language.

An inline code span that contains only cards is rendered as cards: `KS TH BJ`, a back `?`, a place
without a card `_`, and number cards with their points, `55/7`, which the game's own style sheet
formats. At the beginning of a paragraph or an item, it has a line of its own; within a line, its
cards are as high as the line.

The first chapter, “At a glance” in English, fits on one screen: the aim, a turn in a numbered list,
and what the cards do in a list whose items begin with cards.
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
from kaboom.engine.i18n import ENGLISH, spoken_now
from kaboom.engine.i18n import gettext as _
from kaboom.engine.options import described
from kaboom.games import folder
from kaboom.web.i18n import CardNames

# The output is Markdown, not HTML, and the source is a file of this package.
SOURCES = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
SOURCES.globals |= {"say": _, "described": described}

# The table macros that render cards. They only need the games' names from the globals.
MACROS = Environment(
    loader=FileSystemLoader(ROOT / "templates"), autoescape=True, undefined=StrictUndefined
)
MACROS.globals["card_names"] = CardNames()

# The anchors of the sections common to all games, after the game's own.
BACK, AHEAD, DAYS = "h-back", "h-ahead", "h-days"

GLANCE = "at-a-glance"  # the anchor of the chapter that fits on one screen

# On the first screen the cards before a line are its picture.
PICTURED = ('<li><span class="cards tiny">', Markup('<li><span class="cards">'))
# Rules that the printed ones leave open. The introduction explains the mark; from then on only
# screen readers and text browsers get the words, which would interrupt dozens of sentences.
OUR_CHOICE = re.compile(r"<em>(\((?:our\schoice|notre\schoix|uamuzi\swetu|اختيارنا)\))</em>")
WITH_POINTS = re.compile(r"(\d+)/(\d+)")


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A rules page: its HTML, and its headings below the first as (level, slug, text).

    `language` is the language of the text: English if a translation is missing. `own_cards` is True
    if it shows cards that need the style sheet of the game's tables.
    """

    html: Markup
    contents: list[tuple[int, str, str]]
    texts: list[str]  # the Markdown before the first of these headings, and under each
    language: str
    own_cards: bool

    @property
    def parts(self) -> tuple[Markup, Markup, Markup, Markup]:
        """Return the HTML of the title, the introduction, the chapter that fits on one screen
        (empty if there is none), and the rest.
        """
        opening, heading, rest = self.html.partition("<h2")
        title, end, intro = opening.partition("</h1>")
        glance = Markup("")
        if self.contents and self.contents[0][1] == GLANCE:
            first, second, rest = rest.partition("<h2")
            glance, heading = heading + first.replace(*PICTURED), second
        return title + end, intro, glance, heading + rest


def slug(heading: str) -> str:
    """Return the anchor of a heading: lower-case letters and digits joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def of_every_game(game: Game[Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the anchor, heading and text of the rules that the game shares with all games, or with
    several, in the reader's language.
    """
    back = _(
        "In every game, you can take back your last move on four conditions: it showed no one a "
        "card they had not seen; nothing in it was drawn by chance; it asked the others nothing "
        "new, so the turn was not passed on; and no one has acted since. If all four are met, "
        "the table shows a button for it. The record keeps both the move and the takeback."
    )
    for_you = _(
        "A choice that a bot or the draw made for you while you were away counts as your own "
        "move: once you are back, you can take it back in the same way."
    )
    yield BACK, _("Taking a move back"), f"{back} {for_you}"
    if game.plans:
        ahead = _(
            "While you wait, you can decide what to do when your turn comes: one move, which only "
            "you can see and cancel. It is played if it is still possible then, after the time "
            "that a quick press would take, so that no one can tell it was planned. It is dropped "
            "as soon as the question it answers changes."
        )
        yield AHEAD, _("Moves in advance"), ahead
    if game.over_days:
        days = _(
            "Each player has a number of days for each decision; the table shows how many. When "
            "time runs out, a bot decides that turn and the player keeps the seat. After two "
            "turns in a row, the bot plays on until the player returns. During a vacation, the "
            "player’s clock is paused."
        )
        yield DAYS, _("Correspondence play"), f"{_(game.over_days)} {days}"


def rules_of(game: Game[Any], options: Any) -> RulesPage:
    """Return the rules page of a game with these options, in the reader's language.

    A game without a rules.md gets a page that says so.
    """
    if not (folder(game.key) / "rules.md").is_file():
        sentence = _("The rules of this game are not available here.")
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
    """Return the anchors of a page's headings below the first, without parsing the rest."""
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
            assert token.map is not None  # some lines contain a heading
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
    # Safe: the source is a file of this package, and raw HTML is disabled.
    html = Markup(_marked(markdown.renderer.render(tokens, markdown.options, {})))
    return RulesPage(html, contents, texts, language, " data-p=" in html)


def _marked(html: str) -> str:
    """Return a page with small marks in place of “(our choice)”, except where it is explained."""
    html = OUR_CHOICE.sub(r'<em class="ours">\1</em>', html, count=1)
    return OUR_CHOICE.sub(r'<em class="ours"><span class="visually-hidden">\1</span></em>', html)


def _code(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    at: int,
    options: OptionsDict,
    env: Mapping[str, Any],
) -> str:
    cards = drawn(tokens[at].content)
    if cards and len(tokens) > 1:  # the span is not alone: it is drawn within its line
        return cards.replace('"cards"', '"cards tiny"', 1)
    return cards or renderer.code_inline(tokens, at, options, dict(env))


def drawn(text: str) -> str:
    """Return the HTML of a row of cards, or "" if the text contains anything else.

    The commas between them are for screen readers only; between cards with points they are
    semicolons.
    """
    looks = ["…" if card == "…" else _look(card) for card in text.split()]
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
