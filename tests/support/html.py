"""HTML as tests read it."""

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
    """Tells of a page what Python's HTMLParser tells (test_markup.py), in less than half the time:
    the tests without browsers spent a twentieth of theirs there.
    """

    def feed(self, html: str) -> None:
        """Tell of a whole page, part by part."""
        for text, closed, raw, its, inside, tag, attributes, aside in TOKEN.findall(html):
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
            elif aside.startswith("--"):
                self.handle_comment(aside[2:-2])

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        """Hear of a tag and its attributes, None for one without a value."""

    def handle_startendtag(self, tag: str, attrs: Attributes) -> None:
        """Hear of an element that ends where it begins."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Hear of the end of an element."""

    def handle_data(self, data: str) -> None:
        """Hear of a text."""

    def handle_comment(self, data: str) -> None:
        """Hear of a comment."""


def read(attributes: str) -> Attributes:
    """Return names and values of the attributes that are written in a tag."""
    return [
        (name.lower(), valued(value) if value else None)
        for name, value in ATTRIBUTE.findall(attributes)
    ]


def valued(written: str) -> str:
    """Return the value that is written so, with or without quotes."""
    value = written[1:-1] if written[0] in "\"'" else written
    return unescape(value) if "&" in value else value
