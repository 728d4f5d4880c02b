"""The documents in docs/ for API clients, as pages on every server."""

from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from kaboom.config import ROOT

# By page, at /api/NAME: its file in docs/. All are in English.
PAGES = {"reference": "api.md", "records": "record.md", "chance": "chance.md"}
ADDRESSES = {file: f"/api/{name}" for name, file in PAGES.items()}
ADDRESSES |= {f"../static/{name}": f"/static/{name}" for name in ("play.py", "verify.py")}


@dataclass(frozen=True, slots=True)
class Reference:
    """A page of the documentation: its title, and the rest as HTML."""

    title: str
    html: Markup


def markdown(name: str) -> str:
    """Return the Markdown source of a page; raises KeyError for an unknown name."""
    return (ROOT / "docs" / PAGES[name]).read_text(encoding="utf-8")


@cache
def reference(name: str, root: str = "") -> Reference:
    """Return a page as HTML; raises KeyError for an unknown name.

    Links to other pages of this list become links under the path `root`; of all other links, only
    the text is kept.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    _, title, _, *tokens = parser.parse(markdown(name))
    called = title.content
    for before, token in zip([title, *tokens], tokens, strict=False):
        if before.type == "heading_open":
            called = token.content
        if token.type == "table_open":  # scrolls sideways on a phone, and by keyboard
            token.attrs |= {"tabindex": "0", "aria-label": called}
        if token.children:
            token.children = _relinked(token.children, root)
    # Safe: the source is our own file, in which raw HTML is disabled.
    return Reference(title.content, Markup(parser.renderer.render(tokens, parser.options, {})))


def _relinked(tokens: list[Token], root: str) -> list[Token]:
    found, shown = [], True
    for token in tokens:
        if token.type == "link_open":
            address = ADDRESSES.get(str(token.attrGet("href")))
            shown = address is not None
            if address:
                token.attrSet("href", f"{root}{address}")
        if shown or not token.type.startswith("link_"):
            found.append(token)
    return found
