"""The server's answers in plain form: a tree of lines that people can read and diffs can show.

HTML and JSON become trees, text its lines. Only htmx attributes are left out; long unreadable
values such as pictures become a hash.
"""

import hashlib
import json
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from tests.support.html import Markup

WIDE = 170  # longest line in characters
SHORT = 100  # characters up to which items share a line
FEW = 160  # characters below which a reference is not worthwhile
LONG = 200  # longest attribute that is shown

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
# How htmx swaps fragments is tested in browsers.
SILENT = {
    f"data-hx-{name}"
    for name in ("include", "morph-skip", "swap", "swap-oob", "sync", "target", "trigger")
} | {"data-hx-status:2xx", "data-hx-status:4xx"}
ASSET = re.compile(r"\?v=[0-9a-f]{8}\b")  # the hash of a file


@dataclass
class Node:
    """A line with its indented children."""

    head: str
    children: list["Node"] = field(default_factory=list)

    @cached_property
    def text(self) -> str:
        """Return the whole tree."""
        below = [f" {line}" for child in self.children for line in child.text.split("\n")]
        return "\n".join([self.head, *below])


def packed(nodes: list[Node]) -> list[Node]:
    """Return nodes with adjacent short leaves joined on one line."""
    found: list[Node] = []
    open_line = False
    for node in nodes:
        is_short = not node.children and len(node.head) <= SHORT
        if is_short and open_line and len(found[-1].head) + len(node.head) < WIDE:
            found[-1] = Node(f"{found[-1].head} | {node.head}")
        else:
            found.append(node)
        open_line = is_short
    return found


class Printed:
    """Prints trees as lines. A tree that was printed before is named instead of repeated: “as
    above” stands for the first child tree of a line, and others with the same line are numbered.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._known: dict[str, int] = {}
        self._alike: dict[str, int] = {}

    def add(self, node: Node, indent: str = "") -> None:
        """Print a tree."""
        if not node.children or len(node.text) <= FEW:
            self.lines += [f"{indent}{line}" for line in node.text.split("\n")]
            return
        number = self._known.get(node.text)
        if number is not None:
            self.lines.append(f"{indent}{node.head} ‹as above{_numbered(number)}›")
            return
        number = self._alike[node.head] = self._alike.get(node.head, 0) + 1
        self._known[node.text] = number
        self.lines.append(f"{indent}{node.head}{f' ‹{number}›' if number > 1 else ''}")
        for child in node.children:
            self.add(child, f"{indent} ")


def _numbered(number: int) -> str:
    return f" {number}" if number > 1 else ""


# HTML


@dataclass
class Element:
    """An element with its text and child elements."""

    tag: str
    attributes: list[tuple[str, str | None]]
    inside: list["Element | str"] = field(default_factory=list)

    @property
    def told(self) -> str:
        """Return its attributes as recorded."""
        words = []
        for name, value in self.attributes:
            if name in SILENT or name in ("id", "class"):
                continue
            if name in ("data-hx-post", "data-hx-get") and value in dict(self.attributes).values():
                others = [v for n, v in self.attributes if n != name]
                if value in others:  # the same address as without scripts
                    continue
            words.append(name if value is None else f'{name}="{_short(value)}"')
        return " ".join(words)

    @property
    def name(self) -> str:
        """Return its name as in a CSS selector."""
        known = dict(self.attributes)
        mark = f"#{known['id']}" if known.get("id") else ""
        classes = "".join(f".{it}" for it in (known.get("class") or "").split())
        return f"{self.tag}{mark}{classes}"

    @cached_property
    def inline(self) -> str:
        """Return it as part of a line."""
        told = f" {self.told}" if self.told else ""
        if self.tag in VOID:
            return f"<{self.name}{told}>"
        return f"<{self.name}{told}>{self.words}</>"

    @cached_property
    def words(self) -> str:
        """Return its content on one line."""
        parts = [it if isinstance(it, str) else it.inline for it in self.inside]
        return re.sub(r"\s+", " ", "".join(parts)).strip()

    @property
    def node(self) -> Node:
        """Return it as a tree."""
        told = f" [{self.told}]" if self.told else ""
        head = f"{self.name}{told}"
        words = self.words
        if len(head) + len(words) < WIDE:
            return Node(f"{head} {words}".strip())
        if self.tag in ("datalist", "script", "style"):
            return Node(f"{head} {_hash(words)}")
        if all(isinstance(it, str) for it in self.inside):
            return Node(f"{head} {words}")
        if self.tag == "head":
            return Node(head, _parted(self.below))
        return Node(head, self.below)

    @property
    def below(self) -> list[Node]:
        """Return its content as trees; inline elements stay on one line with their text."""
        found: list[Node] = []
        line = ""
        for it in self.inside:
            if isinstance(it, str) or (len(it.inline) < WIDE and it.tag in SENTENCE):
                line += it if isinstance(it, str) else it.inline
                continue
            found += _line(line)
            line = ""
            found.append(it.node)
        return packed(found + _line(line))


def _parted(nodes: list[Node]) -> list[Node]:
    """Return the head of a page, with the part that is common to many pages separate."""
    usual = [it for it in nodes if it.head.startswith(("link", "meta [name", "meta [charset"))]
    return [it for it in nodes if it not in usual] + [Node("links and the like", usual)]


SENTENCE = {"a", "abbr", "b", "bdi", "br", "code", "em", "i", "q", "small", "strong", "time"}


def _line(text: str) -> list[Node]:
    words = re.sub(r"\s+", " ", text).strip()
    return [Node(f"“{words}”")] if words else []


def _hash(text: str) -> str:
    return f"‹{len(text)} letters, {hashlib.sha256(text.encode()).hexdigest()[:6]}›"


def _short(value: str) -> str:
    value = ASSET.sub("", value)
    if value.startswith("data:"):
        return f"data:{_hash(value)}"
    return _hash(value) if len(value) > LONG else value


# Which open elements another one closes.
ENDED_BY = {
    "option": ("option",),
    "li": ("li",),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    "td": ("td", "th"),
    "th": ("td", "th"),
    "tr": ("td", "th", "tr"),
}


class Reading(Markup):
    """Parses a page into elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.root = Element("page", [])
        self._open = [self.root]
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        while self._open[-1].tag in ENDED_BY.get(tag, ()):
            self._open.pop()
        element = Element(tag, attrs)
        self._open[-1].inside.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].inside.append(Element(tag, attrs))

    def handle_endtag(self, tag: str) -> None:
        if any(it.tag == tag for it in self._open[1:]):
            while self._open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        self._open[-1].inside.append(data)


def of_html(html: str) -> list[Node]:
    """Return a page as trees."""
    return Reading(html).root.below


# JSON and text


def of_json(text: str) -> list[Node]:
    """Return a JSON document as trees."""
    return _values(json.loads(text))


def _values(value: Any) -> list[Node]:
    if isinstance(value, dict):
        return packed([_value(f"{name}:", it) for name, it in value.items()])
    if isinstance(value, list):
        return packed([_value("-", it) for it in value])
    return [Node(_compact(value))]


def _value(head: str, value: Any) -> Node:
    words = _compact(value)
    if len(head) + len(words) < WIDE or not isinstance(value, dict | list):
        return Node(f"{head} {words}")
    return Node(head, _values(value))


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def of_text(text: str) -> list[Node]:
    """Return a text as lines, by its paragraphs."""
    return [
        Node("¶", [Node(line) for line in part.split("\n")])
        for part in re.split(r"\n\n+", text.strip("\n"))
    ]


@lru_cache(maxsize=500)
def of_body(kind: str, body: bytes, brief: bool = False) -> list[Node]:
    """Return the readable form of an answer with a content type; if `brief`, its length and
    a hash.
    """
    if not body:
        return []
    kind = kind.partition(";")[0]
    readable = kind.startswith("text/") or kind.endswith(("json", "xml"))
    if not readable:
        return [Node(f"‹{len(body)} bytes, {hashlib.sha256(body).hexdigest()[:6]}›")]
    text = body.decode()
    if brief:
        return [Node(_hash(ASSET.sub("", text)))]
    if kind.endswith("json"):
        return of_json(text) if "ndjson" not in kind else of_text(text)
    return of_html(text) if kind.endswith(("html", "xml")) else of_text(text)
