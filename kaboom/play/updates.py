"""The one way in which a table's page is kept up to date.

A page is a tree of named fragments: elements with an id, the table itself being the outermost. The
page, the answer to a press, what is fetched and what streams bring are all put together here: from
the fragments of an edition, and if the page says which edition it shows, from those alone that have
changed since (docs/architecture.md).

An edition stands for all that a page depends on: the revision of the viewer's own view, and the
sight of the browser (its settings, language, address). A page that shows something besides, such as
a refusal, has one that nobody remembers, so whatever comes next replaces it as a whole.
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
from kaboom.play import tips
from kaboom.play.fragments import PART, PART_ENDS, REVISION, SIGHT, marked_table
from kaboom.play.page import new_deal, table_page
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web.preferences import browser_settings

MOST = 3_000  # editions that a process remembers: of each viewer the last ones
TABLE, HEAD = "table", "ver"  # the outermost fragment, and the one that every update brings
# Of a request, what addresses in a page are made of.
ADDRESS = ("HTTP_HOST", "SCRIPT_NAME", "SERVER_NAME", "SERVER_PORT", "wsgi.url_scheme")

_MARKS = re.compile("(\0[()]\0)")
_HOLE = re.compile(r"\0\[(.+?)\]\0")  # where a fragment lies in the one around it
_LIST = re.compile(r"<[^<>]*>(?:\0\[[^<>]+\]\0)*</\w+>")  # nothing but fragments in an element
_ID = re.compile(r'\bid="([^"]+)"')


class Sight(NamedTuple):
    """Everything besides the table that a view depends on. `read` are the tips that a newcomer has
    read; none for spectators, who get no tips.
    """

    environ: tuple[tuple[str, Any], ...]
    settings: Settings
    language: Language
    read: frozenset[str] = frozenset()


class Edition(NamedTuple):
    """A drawn table: its fragments by name, each with holes where others lie in it, and its title.

    `dealt` names the deal that it shows for the first time.
    """

    name: str
    revision: int
    title: str
    fragments: Mapping[str, str]
    dealt: str = ""

    @property
    def titled(self) -> str:
        """Return the title as an element."""
        return f"<title>{escape(self.title)}</title>"

    def html(self, fragment: str = TABLE) -> str:
        """Return a fragment with all that lies in it."""
        revision = str(self.revision)
        html = self._joined(fragment).replace(SIGHT, self.name.removeprefix(revision))
        return html.replace(REVISION, revision)

    def _joined(self, fragment: str) -> str:
        return _HOLE.sub(lambda hole: self._joined(hole[1]), self.fragments[fragment])


class _Memory(OrderedDict[tuple[str, int | None, str], tuple[Any, Edition]]):
    """The last editions by table, player and name, with what else they depend on."""


def init_app(app: Flask) -> None:
    """Let an application remember editions, as `extensions["kaboom.editions"]`."""
    app.extensions["kaboom.editions"] = _Memory()


def is_sent(snapshot: TableSnapshot) -> bool:
    """Say whether the table can be seen in a match: then its view depends on its viewer alone."""
    return snapshot.table.playing and not snapshot.closed and not snapshot.frozen


def now_seen() -> Sight:
    """Return the sight of the browser that asks."""
    environ = tuple((name, request.environ[name]) for name in ADDRESS if name in request.environ)
    return _one(environ, browser_settings(), spoken_now(), frozenset(tips.read()))


_one = lru_cache(maxsize=1000)(Sight)  # of a thousand browsers nearly all have the same


@lru_cache(maxsize=1000)
def _digest(sight: Sight) -> str:
    seen = (sight.environ, sight.settings, sight.language.code, sorted(sight.read))
    return blake2b(repr(seen).encode(), digest_size=4).hexdigest()


@lru_cache(maxsize=1000)
def _untipped(sight: Sight) -> Sight:
    return sight._replace(read=frozenset())


def edition(snapshot: TableSnapshot, **more: Any) -> Edition:
    """Return the table for the person asking; `more` is what table_page takes."""
    revision = snapshot.table.revision(snapshot.me)
    if not is_sent(snapshot) or any(more.values()) or new_deal(snapshot):
        return drawn(table_page(snapshot, **more), f"{revision}!", revision)
    name = name_of(snapshot, revision, now_seen())
    if snapshot.me is None:
        # Nobody's name or number is in what spectators see, so one edition serves them all.
        snapshot = snapshot.asked_by(None, "")
    memory: _Memory = current_app.extensions["kaboom.editions"]
    key, stamp = _key(snapshot, name), _stamp(snapshot)
    known = memory.get(key)
    if known is None or known[0] != stamp:
        known = memory[key] = stamp, drawn(table_page(snapshot), name, revision)
    memory.move_to_end(key)
    if len(memory) > MOST:
        memory.popitem(last=False)
    return known[1]


def name_of(snapshot: TableSnapshot, revision: int, seen_by: Sight) -> str:
    """Return the name of the edition that a browser with this sight is shown of a revision."""
    return f"{revision}.{_digest(seen_by if snapshot.me is not None else _untipped(seen_by))}"


def _key(snapshot: TableSnapshot, name: str) -> tuple[str, int | None, str]:
    """Return under what an edition is remembered: nobody is sent what is another viewer's."""
    return snapshot.code, None if snapshot.me is None else snapshot.player, name


def _stamp(snapshot: TableSnapshot) -> tuple[Any, ...]:
    """Return what tells two tables apart whose view has one revision: clocks go on."""
    table = snapshot.table
    timed = bool(table.days) or any(True for _ in table.clocks())
    now = int(4 * current_app.config["TABLES"].now()) if timed else 0
    return snapshot.version, snapshot.until, now


def drawn(page: TablePage, name: str, revision: int) -> Edition:
    """Return a page as an edition of that name."""
    html = marked_table(page)
    for mark, text in page.marks.items():
        if mark not in (REVISION, SIGHT):
            html = html.replace(mark, text)
    return Edition(name, revision, page.title, cut(html), page.dealt)


def cut(html: str) -> dict[str, str]:
    """Return the fragments of a page between its marks."""
    found: dict[str, str] = {}
    within: list[list[str]] = [[]]
    for piece in _MARKS.split(html):
        if piece == PART:
            within.append([])
        elif piece == PART_ENDS:
            own = "".join(within.pop())
            name = _ID.search(own)
            assert name is not None
            found[name[1]] = own
            within[-1].append(f"\0[{name[1]}]\0")
        else:
            within[-1].append(piece)
    return found


def remembered(snapshot: TableSnapshot, name: str) -> Edition | None:
    """Return the edition that a page of the person asking shows, if it is known here."""
    memory: _Memory = current_app.extensions["kaboom.editions"]
    known = memory.get(_key(snapshot, name))
    return known and known[1]


def update(new: Edition, old: Edition | None) -> str:
    """Return what makes a page that shows the one edition show the other: its head, and htmx's
    partials of what is different; of all, if nobody knows what it shows.
    """
    parts = changes(old.fragments, new) if old else [_partial(TABLE, new.html())]
    return "".join((new.titled, new.html(HEAD), *parts))


def changes(old: Mapping[str, str], new: Edition, name: str = TABLE) -> Iterator[str]:
    """Yield the partials for a fragment that the page has in an old state."""
    was, now = old[name], new.fragments[name]
    before, after = _HOLE.findall(was), _HOLE.findall(now)
    if (
        _LIST.fullmatch(was)
        and _LIST.fullmatch(now)
        and was[: was.index(">")] == now[: now.index(">")]
    ):
        kept = [one for one in before if one in after]
        if after[: len(kept)] == kept:
            yield from (_partial(one, "", "delete") for one in before if one not in after)
            for one in kept:
                yield from changes(old, new, one)
            if added := "".join(map(new.html, after[len(kept) :])):
                yield _partial(name, added, "beforeend")
            return
    if _HOLE.split(was)[::2] != _HOLE.split(now)[::2]:
        yield _partial(name, new.html(name))
        return
    for one, other in zip(before, after, strict=True):
        if one != other:
            yield _partial(one, new.html(other))
        elif one != HEAD:
            yield from changes(old, new, one)


def _partial(target: str, html: str, swap: str = "outerMorph") -> str:
    return f'<hx-partial id="{target}" hx-swap="{swap}">{html}</hx-partial>'
