"""While a match is on, open pages are sent their views over their streams instead of fetching them
(docs/decisions/0028-players-are-sent-their-view-too.md).

What spectators see is drawn and packed once for all who see the same. A page still fetches its view
if its browser does not take the packing, if several people share it, if its settings or tips were
changed at the table, and for a deal that is shown for the first time. What a press was answered
with is not sent again.
"""

import logging
from contextlib import ExitStack
from functools import lru_cache
from typing import Any, NamedTuple, Self

from flask import Flask, g, request

from kaboom.engine.i18n import Language, speak, spoken_now
from kaboom.engine.table_view import Settings
from kaboom.play import tips
from kaboom.play.page import drawn_fragment, table_page
from kaboom.realtime.acks import Presses
from kaboom.realtime.stream import NUMBERS, Shape, view
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import compression, health
from kaboom.web.preferences import browser_settings
from kaboom.web.session import bearer, shared_here

log = logging.getLogger(__name__)

PACKING = "zstd"  # each message is a frame of its own, so one body fits every stream
# Of a request, what addresses in a page are made of.
KEPT = ("HTTP_HOST", "SCRIPT_NAME", "SERVER_NAME", "SERVER_PORT", "wsgi.url_scheme")


class Sight(NamedTuple):
    """Everything besides the table that a view depends on. `read` are the tips that a newcomer has
    read; none for spectators, who get no tips.
    """

    environ: tuple[tuple[str, Any], ...]
    settings: Settings
    language: Language
    read: frozenset[str] = frozenset()


_sight = lru_cache(maxsize=1000)(Sight)  # of a thousand streams nearly all have the same


def sight() -> Sight | None:
    """Return the sight of the browser that opens a stream; None if it is to fetch its views."""
    accepted = request.headers.get("Accept-Encoding", "")
    takes = request.args.get("views") == "1" and compression.takes_zstd(accepted)
    if not takes or bearer() or shared_here() is not None:
        return None
    environ = tuple((name, request.environ[name]) for name in KEPT if name in request.environ)
    return _sight(environ, browser_settings(), spoken_now(), frozenset(tips.read()))


@lru_cache(maxsize=1000)
def _of_all(sight: Sight) -> Sight:
    return sight._replace(read=frozenset())


def is_sent(snapshot: TableSnapshot) -> bool:
    """Say whether a table's view is sent as it is now: while a match is on."""
    return snapshot.table.playing and not snapshot.closed and not snapshot.frozen


class Views:
    """The views of one look at a table, as messages for all its streams. Each view is drawn once,
    those of one sight in one request context, whose `g` is emptied before each.
    """

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._presses: Presses = app.extensions["kaboom.presses"]
        self._drawn: dict[tuple[Sight, int | None], tuple[TableSnapshot, bytes]] = {}
        self._request = ExitStack()
        self._asked_by: Sight | None = None
        self._spoken = spoken_now()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self._request.close()
        speak(self._spoken)

    def sent(self, snapshot: TableSnapshot, seen_by: Sight, key: str, choices: int) -> bytes:
        """Return the packed message for the browser with that key; empty if it has been shown this
        view, or has to fetch it. `choices` counts its settings when its stream began.
        """
        if self._presses.choices(key) != choices:
            return b""
        if self._presses.show(snapshot.code, key, snapshot.table.revision(snapshot.me)):
            return b""
        message = self._message(snapshot, seen_by)
        if message:
            health.VIEWS_SENT.inc()
        return message

    def _message(self, snapshot: TableSnapshot, seen_by: Sight) -> bytes:
        if snapshot.me is None:
            # What is drawn is what is compared: nobody's name or number is in it.
            snapshot = snapshot.asked_by(None, "")
            seen_by = _of_all(seen_by)
        key = seen_by, snapshot.player
        known = self._drawn.get(key)
        if known is not None and known[0] == snapshot:
            return known[1]
        try:
            self._ask(snapshot.code, seen_by)
            html = _drawn(snapshot)
        except Exception:
            log.exception("a view cannot be drawn for a stream")
            message = b""
        else:
            revision = snapshot.table.revision(snapshot.me)
            message = _packed(view(revision, html)) if html else b""
        self._drawn[key] = snapshot, message
        return message

    def _ask(self, code: str, sight: Sight) -> None:
        """Prepare to draw the next view with this sight and with nothing else."""
        if sight != self._asked_by:
            self._request.close()
            environ = {**dict(sight.environ), "REQUEST_METHOD": "GET", "QUERY_STRING": ""}
            environ["PATH_INFO"] = f"/t/{code}/view"
            self._request.enter_context(self._app.request_context(environ))
            self._asked_by = sight
        for name in [*g]:
            g.pop(name)
        g.settings, g.tips = sight.settings, sight.read
        speak(sight.language)


def _drawn(snapshot: TableSnapshot) -> str:
    """Return the fragment; nothing for a new deal, since only an answer can set the cookie by which
    the browser remembers that it was shown.
    """
    page = table_page(snapshot)
    return "" if page.dealt else drawn_fragment(page)


_packed = compression.compress_message
_short = lru_cache(maxsize=200)(_packed)  # numbers, which a thousand streams are told as well

VIEWS = Shape(
    NUMBERS.media,
    lambda number, drawn, retry: drawn() or _short(NUMBERS.table(number, drawn, retry)),
    lambda number: _short(NUMBERS.beat(number)),
    lambda number: _short(NUMBERS.room(number)),
    lambda number, retry: _short(NUMBERS.bye(number, retry)),
    packing=PACKING,
)
