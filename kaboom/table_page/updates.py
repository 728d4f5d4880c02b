"""How a table's page is kept up to date.

A page is a tree of named fragments, elements with an id; the table is the outermost one. The page,
the response to a move, fetched updates and stream messages are all made here: from the fragments of
an edition or, if the page names the edition that it shows, only from those that have changed since
(docs/architecture.md).

An edition covers everything that a page depends on: the viewer's revision, and the browser's
`Sight` (settings, language, URL). A page that shows something else as well, such as a refusal, has
an edition that no process remembers, so the next update replaces the whole page.
"""

import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
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
from kaboom.tables.context import tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web.preferences import browser_settings

MOST = 3_000  # number of editions that a process remembers: the latest ones of each viewer
HEAD = "ver"  # the first fragment of a table, which every update contains
# The parts of a request on which URLs in a page depend.
ADDRESS = ("HTTP_HOST", "SCRIPT_NAME", "SERVER_NAME", "SERVER_PORT", "wsgi.url_scheme")

_LIST = re.compile(r"(<[^<>]*>)</[^<>]*>")  # an element with nothing of its own but its tags
_ID = re.compile(r'\bid="([^"]+)"')


@dataclass(frozen=True, eq=False)
class Sight:
    """Everything besides the table that a view depends on. `read` has the tips that a newcomer has
    read. `now_seen` returns the same object for the same values.
    """

    environ: tuple[tuple[str, Any], ...]
    settings: Settings
    language: Language
    read: frozenset[str]


class Fragment(NamedTuple):
    """An element of a page: its id, its own HTML, and the fragments between these pieces."""

    name: str
    pieces: tuple[str, ...]
    inner: tuple["Fragment", ...] = ()

    @property
    def html(self) -> str:
        """Return the element with all fragments inside it."""
        first, *others = self.pieces
        inside = (one.html + piece for one, piece in zip(self.inner, others, strict=True))
        return first + "".join(inside) if others else first

    @property
    def names(self) -> list[str]:
        """Return the ids of this fragment and of all fragments inside it."""
        return [self.name, *(name for one in self.inner for name in one.names)]

    @property
    def list_tag(self) -> str | None:
        """Return the opening tag of an element that contains only fragments, so that another can be
        appended; None for other elements.
        """
        found = _LIST.fullmatch("".join(self.pieces))
        return found and found[1]


class Edition(NamedTuple):
    """A rendered table and its title. `dealt` names the deal that it shows for the first time."""

    name: str
    revision: int
    title: str
    table: Fragment
    dealt: str = ""

    @property
    def titled(self) -> str:
        """Return the title as an element."""
        return f"<title>{escape(self.title)}</title>"

    def filled(self, html: str) -> str:
        """Return a part of the page with the edition's name in place of its marks."""
        revision = str(self.revision)
        return html.replace(SIGHT, self.name.removeprefix(revision)).replace(REVISION, revision)


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


_one = lru_cache(maxsize=1000)(Sight)  # nearly all browsers have the same one


@lru_cache(maxsize=2000)
def _digest(sight: Sight, watches: bool) -> str:
    read = [] if watches else sorted(sight.read)  # spectators get no tips
    settings = replace(sight.settings, sound=None)  # no update depends on the sound
    seen = (sight.environ, settings, sight.language.code, read)
    return blake2b(repr(seen).encode(), digest_size=4).hexdigest()


def edition(
    snapshot: TableSnapshot,
    dealt: str | None = None,
    page: TablePage | None = None,
    seen_by: Sight | None = None,
    **more: Any,
) -> Edition:
    """Return the edition of the table for this viewer; `more` is passed to `table_page`.

    `dealt` is the result of `new_deal`, `page` that of `table_page`, `seen_by` that of `now_seen`,
    all for this viewer; None if the caller has not computed it.
    """
    revision = snapshot.table.revision(snapshot.me)
    dealt = new_deal(snapshot) if dealt is None else dealt
    if not is_sent(snapshot) or any(more.values()) or dealt:
        page = page or table_page(snapshot, dealt=dealt, **more)
        return rendered(page, f"{revision}!", revision)
    name = name_of(snapshot, revision, seen_by or now_seen())
    if snapshot.me is None:
        # No player's name or number is in what spectators see, so one edition serves them all.
        snapshot, page = snapshot.asked_by(None, ""), None
    memory: Memory = current_app.extensions["kaboom.editions"]
    key, stamp = _key(snapshot, name), _stamp(snapshot)
    known = memory.get(key)
    if known is None or known[0] != stamp:
        made = rendered(page or table_page(snapshot, dealt=dealt), name, revision)
        if known is not None and made.table.names != known[1].table.names:
            # A page may show either of the two, so the next update replaces the whole page.
            return made._replace(name=f"{revision}!")
        known = memory[key] = stamp, made
    memory.move_to_end(key)
    if len(memory) > MOST:
        memory.popitem(last=False)
    return known[1]


def name_of(snapshot: TableSnapshot, revision: int, seen_by: Sight) -> str:
    """Return the name of the edition of a revision that is shown to a browser with this `Sight`."""
    return f"{revision}.{_digest(seen_by, snapshot.me is None)}"


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
    now = int(4 * tables().now()) if timed else 0
    return snapshot.version, snapshot.until, now


def rendered(page: TablePage, name: str, revision: int) -> Edition:
    """Return a page as an edition with this name."""
    later = {REVISION: REVISION, SIGHT: SIGHT}  # filled in where an edition is shown
    table = cut(marked_table(page), {**page.marks, **later})
    return Edition(name, revision, page.title, table, page.dealt)


def cut(html: str, marks: Mapping[str, str]) -> Fragment:
    """Return a page as the tree of its marked elements; the other marks are filled in."""
    # Each mark is between two NUL characters.
    _, *rest = str(html).split("\0")
    marked = zip(rest[::2], rest[1::2], strict=True)

    def element(text: str) -> tuple[Fragment, str]:
        """Return the element that begins with this text, and the text after it."""
        pieces, inner = [text], list[Fragment]()
        for mark, after in marked:
            if mark == "(":
                fragment, after = element(after)
                inner.append(fragment)
                pieces.append(after)
            elif mark == ")":
                named = _ID.search(pieces[0])
                assert named is not None
                return Fragment(named[1], tuple(pieces), tuple(inner)), after
            else:
                pieces[-1] += marks[f"\0{mark}\0"] + after
        raise ValueError("an element is not closed")

    _, begins = next(marked)
    return element(begins)[0]


def remembered(snapshot: TableSnapshot, name: str) -> Edition | None:
    """Return the edition that the requesting page shows, or None if it is not in the cache."""
    memory: Memory = current_app.extensions["kaboom.editions"]
    known = memory.get(_key(snapshot, name))
    return known and known[1]


def update(new: Edition, old: Edition | None) -> str:
    """Return the update that turns a page with the old edition into the new one: its head, and an
    htmx partial for each fragment that differs; for all of them if the old edition is unknown.
    """
    now = new.table
    parts = changed_fragments(old.table, now) if old else [_partial(now.name, now.html)]
    return new.filled("".join((new.titled, now.inner[0].html, *parts)))


def changed_fragments(was: Fragment, now: Fragment) -> Iterator[str]:
    """Yield the partials that turn a fragment, and those inside it, into another."""
    if was == now or was.name == HEAD:
        return
    if now.list_tag and was.list_tag == now.list_tag:
        before, after = ({one.name: one for one in it.inner} for it in (was, now))
        kept = [name for name in before if name in after]
        if [*after][: len(kept)] == kept:
            yield from (_partial(name, "", "delete") for name in before if name not in after)
            for name in kept:
                yield from changed_fragments(before[name], after[name])
            if added := now.inner[len(kept) :]:
                yield _partial(now.name, "".join(one.html for one in added), "beforeend")
            return
    if was.pieces != now.pieces:
        yield _partial(was.name, now.html)
    else:
        for one, other in zip(was.inner, now.inner, strict=True):
            yield from changed_fragments(one, other)


def _partial(target: str, html: str, swap: str = "outerMorph") -> str:
    return f'<hx-partial id="{target}" hx-swap="{swap}">{html}</hx-partial>'
