"""What spectators are shown: a view that is drawn and packed once for all who see the same, and
sent over their streams (docs/decisions/0027-spectators-are-sent-their-view.md).

Players fetch theirs. So does whoever looks in a way that is not everybody's: in a browser that
takes no such packing, that several people share, or that asks for numbers alone.
"""

import logging
from functools import lru_cache
from typing import Any, NamedTuple

from flask import Flask, g, request

from kaboom.core.language import Language, speak, spoken_now
from kaboom.core.page import Settings
from kaboom.push.stream import NUMBERS, Shape, view
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import health, packing
from kaboom.web.bearer import bearer
from kaboom.web.browser_settings import browser_settings
from kaboom.web.identity import shared_here
from kaboom.web.table_page import drawn_fragment, table_page

log = logging.getLogger(__name__)

PACKING = "zstd"  # each message is a frame of its own, so one body fits every stream
# Of a request, what addresses in a page are made of.
KEPT = ("HTTP_HOST", "SCRIPT_NAME", "SERVER_NAME", "SERVER_PORT", "wsgi.url_scheme")


class Sight(NamedTuple):
    """With what a view is drawn, besides the table: it is drawn with nothing else."""

    environ: tuple[tuple[str, Any], ...]
    settings: Settings
    language: Language


_sight = lru_cache(maxsize=1000)(Sight)  # of a thousand streams nearly all have the same


def sight() -> Sight | None:
    """Return how whoever opens a stream would see a view; None for whom none is sent."""
    accepted = request.headers.get("Accept-Encoding", "")
    takes = request.args.get("views") == "1" and packing.chosen(accepted, (PACKING,))
    if not takes or bearer() or shared_here() is not None:
        return None
    environ = tuple((name, request.environ[name]) for name in KEPT if name in request.environ)
    return _sight(environ, browser_settings(), spoken_now())


def is_shared(snapshot: TableSnapshot) -> bool:
    """Say whether a table looks the same to whoever has no seat there, and whoever asks has none:
    while a match is on.
    """
    shown = snapshot.table.playing and not snapshot.closed and not snapshot.frozen
    return shown and snapshot.me is None


class Views:
    """The views of one look at a table for all its streams, as messages: each is drawn once."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._drawn: dict[Sight, tuple[TableSnapshot, bytes]] = {}

    def sent(self, snapshot: TableSnapshot, seen_by: Sight) -> bytes:
        """Return the message with what a spectator is shown, packed; empty where it cannot be
        drawn, and whoever fetches it is told why.
        """
        message = self._message(snapshot, seen_by)
        if message:
            health.VIEWS_SENT.inc()
        return message

    def _message(self, snapshot: TableSnapshot, seen_by: Sight) -> bytes:
        # What is drawn is what is compared: nobody's name or number is in it.
        public = snapshot.asked_by(None, "")
        known = self._drawn.get(seen_by)
        if known is not None and known[0] == public:
            return known[1]
        try:
            html = _drawn(self._app, public, seen_by)
        except Exception:
            log.exception("a view for spectators cannot be drawn")
            message = b""
        else:
            message = _packed(view(public.table.revision(None), html))
        self._drawn[seen_by] = public, message
        return message


def _drawn(app: Flask, snapshot: TableSnapshot, sight: Sight) -> str:
    environ = {**dict(sight.environ), "REQUEST_METHOD": "GET", "QUERY_STRING": ""}
    before = spoken_now()
    with app.request_context(environ | {"PATH_INFO": f"/t/{snapshot.code}/view"}):
        g.settings = sight.settings
        speak(sight.language)
        html = drawn_fragment(table_page(snapshot))
    speak(before)
    return html


def _packed(message: bytes) -> bytes:
    return packing.PACKERS[PACKING](message)


_short = lru_cache(maxsize=200)(_packed)  # numbers, which a thousand streams are told as well

VIEWS = Shape(
    NUMBERS.media,
    lambda number, drawn, retry: drawn() or _short(NUMBERS.table(number, drawn, retry)),
    lambda number: _short(NUMBERS.beat(number)),
    lambda number: _short(NUMBERS.room(number)),
    lambda number, retry: _short(NUMBERS.bye(number, retry)),
    packing=PACKING,
)
