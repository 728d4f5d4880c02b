"""HTML parsing for tests."""

import re
from html import unescape

Attributes = list[tuple[str, str | None]]

QUOTED = r"""[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*"""
TOKEN = re.compile(
    rf"""([^<]+ | <(?![a-zA-Z/!?]))
    | </([a-zA-Z][^\s/>]*)[^>]*>
    | <(script|style)\b({QUOTED})>(.*?)(?=</\3)
    | <([a-zA-Z][^\s/>]*)({QUOTED})>
    | <[!?](--.*?--|[^>]*)>""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
ATTRIBUTE = re.compile(r"""([^\s=/"']+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]+))?""")


class Markup:
    """A parser that calls back like Python's HTMLParser (test_html.py), in less than half the time.
    HTMLParser took a twentieth of the time of the tests without browsers.
    """

    def feed(self, html: str) -> None:
        """Parse a whole page."""
        for text, closed, raw, its, inside, tag, attributes, run_in_thread in TOKEN.findall(html):
            if text:
                self.handle_data(unescape(text) if "&" in text else text)
            elif tag and attributes.endswith("/"):
                self.handle_startendtag(tag.lower(), read(attributes))
            elif tag:
                self.handle_starttag(tag.lower(), read(attributes) if attributes else [])
            elif closed:
                self.handle_endtag(closed.lower())
            elif raw:
                self.handle_starttag(raw.lower(), read(its))
                if inside:
                    self.handle_data(inside)
            elif run_in_thread.startswith("--"):
                self.handle_comment(run_in_thread[2:-2])

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        """Handle a tag and its attributes, None for one without a value."""

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        """Handle an element that ends where it begins."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Handle the end of an element."""

    def handle_data(self, data: str) -> None:
        """Handle text."""

    def handle_comment(self, data: str) -> None:
        """Handle a comment."""


def read(attributes: str) -> Attributes:
    """Return names and values of a tag's attributes."""
    return [
        (name.lower(), valued(value) if value else None)
        for name, value in ATTRIBUTE.findall(attributes)
    ]


def valued(written: str) -> str:
    """Return an attribute's value, with or without quotes."""
    value = written[1:-1] if written[0] in "\"'" else written
    return unescape(value) if "&" in value else value
