"""What docs/ says for those who write programs, as pages of every server."""

from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from kaboom.config import ROOT

# Of each page, at /api/NAME: its file in docs/. All are in English.
PAGES = {"reference": "api.md", "records": "record.md", "chance": "chance.md"}
ADDRESSES = {file: f"/api/{name}" for name, file in PAGES.items()}
ADDRESSES |= {f"../static/{name}": f"/static/{name}" for name in ("play.py", "verify.py")}


@dataclass(frozen=True, slots=True)
class Reference:
    """A page as it is read: its title, and what stands below it."""

    title: str
    html: Markup


def markdown(name: str) -> str:
    """Return a page as it is written; raises KeyError where there is none of that name."""
    return (ROOT / "docs" / PAGES[name]).read_text(encoding="utf-8")


@cache
def reference(name: str) -> Reference:
    """Return a page; raises KeyError where there is none of that name.

    Links lead to other pages of these; of others only the words are left.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    _, title, _, *tokens = parser.parse(markdown(name))
    called = title.content
    for before, token in zip([title, *tokens], tokens, strict=False):
        if before.type == "heading_open":
            called = token.content
        if token.type == "table_open":  # on a phone it scrolls sideways: by keys, too
            token.attrs |= {"tabindex": "0", "aria-label": called}
        if token.children:
            token.children = _relinked(token.children)
    # Safe: the source is our own file and raw HTML in it is switched off.
    return Reference(title.content, Markup(parser.renderer.render(tokens, parser.options, {})))


def _relinked(tokens: list[Token]) -> list[Token]:
    found, shown = [], True
    for token in tokens:
        if token.type == "link_open":
            address = ADDRESSES.get(str(token.attrGet("href")))
            shown = address is not None
            if address:
                token.attrSet("href", address)
        if shown or not token.type.startswith("link_"):
            found.append(token)
    return found
