"""The readable parts of a page: its text, and attributes that are shown or spoken."""

import re

from tests.support.html import Markup

SHOWN = ("alt", "title", "aria-label", "placeholder", "aria-description", "label")
# What scripts and style sheets show.
SCRIPTED = ("data-words", "data-lost", "data-copied", "data-own", "data-about", "data-g")
SILENT = ("script", "style", "code")  # a hash is the same in every language

# Inline elements; the end of any other element ends a text.
INSIDE = {"a", "abbr", "b", "code", "em", "i", "input", "q", "small", "span", "strong", "time"}
EMPTY = {"br", "hr", "img", "input", "link", "meta", "rect", "animate"}


class Readable(Markup):
    """The texts of a page, in order. Elements in another language (lang) are left out."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._text = ""
        self._skipped: list[str] = []  # the open elements, from the first skipped one
        self.feed(html)
        self._end()

    def handle_starttag(self, tag, attrs):
        if tag not in INSIDE:
            self._end()
        a = dict(attrs)
        if self._skipped or tag in SILENT or ("lang" in a and tag != "html"):
            if tag not in EMPTY:
                self._skipped.append(tag)
            return
        self.texts += [a[name] for name in (*SHOWN, *SCRIPTED) if a.get(name)]
        if tag == "meta" and a.get("name") == "description":
            self.texts.append(a["content"])
        if tag == "input" and a.get("type") in ("submit", "button"):
            self.texts.append(a.get("value") or "")

    def handle_endtag(self, tag):
        if self._skipped:
            if tag in self._skipped:
                while self._skipped.pop() != tag:
                    pass
        elif tag not in INSIDE:
            self._end()

    def handle_data(self, data):
        if not self._skipped:
            self._text += data

    def _end(self):
        if self._text.strip():
            self.texts.append(re.sub(r"\s+", " ", self._text).strip())
        self._text = ""


def outside_brackets(text: str) -> str:
    """Return the parts of a text outside all [brackets]; an unclosed bracket is returned."""
    depth, kept = 0, ""
    for letter in text:
        if letter == "[":
            depth += 1
        elif letter == "]":
            depth -= 1
            kept += " "
        elif depth <= 0:
            kept += letter
    return kept if depth == 0 else f"{kept} (brackets: {text})"
