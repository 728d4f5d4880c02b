"""How a table's page is kept up to date.

A page is a tree of named fragments, elements with an id; the table is the outermost one. The page,
the answer to a move, fetched updates and stream messages are all made here: from the fragments of
an edition and, if the page says which edition it shows, only from those that have changed since
(docs/architecture.md).

An edition covers everything that a page depends on: the viewer's revision, and the browser's
`Sight` (settings, language, address). A page that shows something else as well, such as a refusal,
has an edition that no process remembers, so the next update replaces the whole page.
"""

import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

from flask import Flask, current_app, request
from markupsafe import escape

from kaboom.engine.i18n import Language, spoken_now
from kaboom.engine.table_view import Settings, TablePage
from kaboom.table_page import tips
from kaboom.table_page.page_data import new_deal, table_page
from kaboom.table_page.table_html import REVISION, SIGHT, marked_table
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web.preferences import browser_settings

MOST = 3_000  # editions that a process remembers: the latest ones of each viewer
TABLE, HEAD = "table", "ver"  # the outermost fragment, and the one that every update contains
# The parts of a request that addresses in a page depend on.
ADDRESS = ("HTTP_HOST", "SCRIPT_NAME", "SERVER_NAME", "SERVER_PORT", "wsgi.url_scheme")

_TAG = re.compile(r"<[^<>]*>")
_ID = re.compile(r'\bid="([^"]+)"')


class Sight(NamedTuple):
    """Everything besides the table that a view depends on. `read` are the tips that a newcomer has
    read; empty for spectators, who get no tips.
    """

    environ: tuple[tuple[str, Any], ...]
    settings: Settings
    language: Language
    read: frozenset[str] = frozenset()


class Fragment(NamedTuple):
    """An element of a page: its own HTML, and the names of the fragments between these pieces."""

    pieces: tuple[str, ...]
    inner: tuple[str, ...] = ()

    @property
    def opening_tag(self) -> str:
        """Return the tag that the fragment begins with, or ""."""
        found = _TAG.match(self.pieces[0])
        return found[0] if found else ""

    @property
    def is_list(self) -> bool:
        """Return True if the fragment contains only other fragments, so that one can be
        appended.
        """
        first = self.opening_tag
        *between, last = (self.pieces[0].removeprefix(first), *self.pieces[1:])
        return not any(between) and bool(first and _TAG.fullmatch(last))


class Edition(NamedTuple):
    """A rendered table: its fragments by name, and its title.

    `dealt` names the deal that it shows for the first time.
    """

    name: str
    revision: int
    title: str
    fragments: Mapping[str, Fragment]
    dealt: str = ""

    @property
    def titled(self) -> str:
        """Return the title as an element."""
        return f"<title>{escape(self.title)}</title>"

    def html(self, fragment: str = TABLE) -> str:
        """Return a fragment with all fragments inside it."""
        revision = str(self.revision)
        html = self._joined(fragment).replace(SIGHT, self.name.removeprefix(revision))
        return html.replace(REVISION, revision)

    def _joined(self, name: str) -> str:
        fragment = self.fragments[name]
        html = fragment.pieces[0]
        for inner, piece in zip(fragment.inner, fragment.pieces[1:], strict=True):
            html += self._joined(inner) + piece
        return html


# The latest editions by table, player and name, each with its stamp.
Memory = OrderedDict[tuple[str, int | None, str], tuple[Any, Edition]]


def init_app(app: Flask) -> None:
    """Create the cache of page editions, `extensions["kaboom.editions"]`."""
    app.extensions["kaboom.editions"] = Memory()


def is_sent(snapshot: TableSnapshot) -> bool:
    """Return True if the table is in a match that the viewer can see: then its view depends on the
    viewer alone.
    """
    return snapshot.table.playing and not snapshot.closed and not snapshot.frozen


def now_seen() -> Sight:
    """Return the `Sight` of the requesting browser."""
    environ = tuple((name, request.environ[name]) for name in ADDRESS if name in request.environ)
    return _one(environ, browser_settings(), spoken_now(), frozenset(tips.read()))


_one = lru_cache(maxsize=1000)(Sight)  # nearly all browsers have the same


@lru_cache(maxsize=1000)
def _digest(sight: Sight) -> str:
    seen = (sight.environ, sight.settings, sight.language.code, sorted(sight.read))
    return blake2b(repr(seen).encode(), digest_size=4).hexdigest()


def edition(
    snapshot: TableSnapshot, dealt: str | None = None, page: TablePage | None = None, **more: Any
) -> Edition:
    """Return the edition of the table for this viewer; `more` is passed to `table_page`.

    `dealt` is the result of `new_deal`, `page` that of `table_page`, both for this viewer; None
    if the caller has not computed it.
    """
    revision = snapshot.table.revision(snapshot.me)
    dealt = new_deal(snapshot) if dealt is None else dealt
    if not is_sent(snapshot) or any(more.values()) or dealt:
        page = page or table_page(snapshot, dealt=dealt, **more)
        return drawn(page, f"{revision}!", revision)
    name = name_of(snapshot, revision, now_seen())
    if snapshot.me is None:
        # No player's name or number is in what spectators see, so one edition serves them all.
        snapshot, page = snapshot.asked_by(None, ""), None
    memory: Memory = current_app.extensions["kaboom.editions"]
    key, stamp = _key(snapshot, name), _stamp(snapshot)
    known = memory.get(key)
    if known is None or known[0] != stamp:
        made = drawn(page or table_page(snapshot, dealt=dealt), name, revision)
        if known is not None and made.fragments.keys() != known[1].fragments.keys():
            # A page may show either of the two, so the next update replaces the whole page.
            return made._replace(name=f"{revision}!")
        known = memory[key] = stamp, made
    memory.move_to_end(key)
    if len(memory) > MOST:
        memory.popitem(last=False)
    return known[1]


def name_of(snapshot: TableSnapshot, revision: int, seen_by: Sight) -> str:
    """Return the name of the edition that a browser with this `Sight` is shown for a revision."""
    sight = seen_by if snapshot.me is not None else seen_by._replace(read=frozenset())
    return f"{revision}.{_digest(sight)}"


def _key(snapshot: TableSnapshot, name: str) -> tuple[str, int | None, str]:
    """Return the key under which an edition is cached, so that no player is sent another
    viewer's.
    """
    return snapshot.code, None if snapshot.me is None else snapshot.player, name


def _stamp(snapshot: TableSnapshot) -> tuple[Any, ...]:
    """Return the values that distinguish two states of a table with the same revision, such as its
    clocks.
    """
    table = snapshot.table
    timed = bool(table.days) or any(True for _ in table.clocks())
    now = int(4 * current_app.config["TABLES"].now()) if timed else 0
    return snapshot.version, snapshot.until, now


def drawn(page: TablePage, name: str, revision: int) -> Edition:
    """Return a page as an edition with this name."""
    later = {REVISION: REVISION, SIGHT: SIGHT}  # filled in where an edition is shown
    return Edition(
        name, revision, page.title, cut(marked_table(page), {**page.marks, **later}), page.dealt
    )


def cut(html: str, marks: Mapping[str, str]) -> dict[str, Fragment]:
    """Return the fragments of a page between its marks; the other marks are filled in."""
    found: dict[str, Fragment] = {}
    around: list[tuple[list[str], list[str]]] = []
    start, *rest = str(html).split("\0")  # each mark is between two of these
    pieces, inner = [start], list[str]()
    for mark, text in zip(rest[::2], rest[1::2], strict=True):
        if mark == "(":
            around.append((pieces, inner))
            pieces, inner = [text], []
        elif mark == ")":
            named = _ID.search(pieces[0])
            assert named is not None
            found[named[1]] = Fragment(tuple(pieces), tuple(inner))
            pieces, inner = around.pop()
            pieces.append(text)
            inner.append(named[1])
        else:
            pieces[-1] += marks[f"\0{mark}\0"] + text
    return found


def remembered(snapshot: TableSnapshot, name: str) -> Edition | None:
    """Return the edition that the requesting page shows, or None if it is not in the cache."""
    memory: Memory = current_app.extensions["kaboom.editions"]
    known = memory.get(_key(snapshot, name))
    return known and known[1]


def update(new: Edition, old: Edition | None) -> str:
    """Return the update that turns a page with the old edition into the new one: its head, and an
    htmx partial for each fragment that differs; for all of them if the old edition is unknown.
    """
    parts = changed_fragments(old.fragments, new) if old else [_partial(TABLE, new.html())]
    return "".join((new.titled, new.html(HEAD), *parts))


def changed_fragments(
    old: Mapping[str, Fragment], new: Edition, name: str = TABLE
) -> Iterator[str]:
    """Yield the partials that bring a fragment, and those inside it, from an old state to the new
    one.
    """
    was, now = old[name], new.fragments[name]
    if was != now and was.is_list and now.is_list and was.opening_tag == now.opening_tag:
        kept = tuple(one for one in was.inner if one in now.inner)
        if now.inner[: len(kept)] == kept:
            yield from (_partial(one, "", "delete") for one in was.inner if one not in now.inner)
            for one in kept:
                yield from changed_fragments(old, new, one)
            if added := "".join(map(new.html, now.inner[len(kept) :])):
                yield _partial(name, added, "beforeend")
            return
    if was.pieces != now.pieces:
        yield _partial(name, new.html(name))
        return
    for one, other in zip(was.inner, now.inner, strict=True):
        if one != other:
            yield _partial(one, new.html(other))
        elif one != HEAD:
            yield from changed_fragments(old, new, one)


def _partial(target: str, html: str, swap: str = "outerMorph") -> str:
    return f'<hx-partial id="{target}" hx-swap="{swap}">{html}</hx-partial>'
