"""While a match is on, open pages are sent over their streams what changes them.

Each update is drawn and packed once for all who see the same. A page fetches its update if its
browser does not take the packing, if several people share it, and for a deal that is shown for the
first time.
"""

import logging
from contextlib import ExitStack
from functools import lru_cache
from typing import Self

from flask import Flask, g, request

from kaboom.engine.i18n import speak, spoken_now
from kaboom.play.page import new_deal
from kaboom.play.updates import Sight, edition, is_sent, name_of, now_seen, remembered, update
from kaboom.realtime.stream import NUMBERS, Shape, view
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import compression, health
from kaboom.web.session import bearer, shared_here

log = logging.getLogger(__name__)

PACKING = "zstd"  # each message is a frame of its own, so one body fits every stream


def sight_of_stream() -> Sight | None:
    """Return the sight of the browser that opens a stream; None if it is to fetch its updates."""
    accepted = request.headers.get("Accept-Encoding", "")
    takes = request.args.get("views") == "1" and compression.takes_zstd(accepted)
    return now_seen() if takes and not bearer() and shared_here() is None else None


class Views:
    """The updates of one look at a table, as messages for all its streams. Those of one sight are
    drawn in one request context, whose `g` is emptied before each.
    """

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._packed: dict[tuple[Sight, int | None, int], bytes] = {}
        self._request = ExitStack()
        self._asked_by: Sight | None = None
        self._spoken = spoken_now()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self._request.close()
        speak(self._spoken)

    def sent(self, snapshot: TableSnapshot, seen_by: Sight, before: int) -> bytes:
        """Return the packed message for a browser with this sight that was told the number `before`
        last; empty if it has to fetch its update, such as what was last drawn by another process.
        """
        key = seen_by, snapshot.player if snapshot.me is not None else None, before
        message = self._packed.get(key)
        if message is None:
            try:
                message = self._packed[key] = self._message(snapshot, seen_by, before)
            except Exception:
                log.exception("an update cannot be drawn for a stream")
                message = self._packed[key] = b""
        if message:
            health.VIEWS_SENT.inc()
        return message

    def _message(self, snapshot: TableSnapshot, seen_by: Sight, before: int) -> bytes:
        if not is_sent(snapshot):
            return b""
        self._ask(snapshot.code, seen_by)
        # A browser is to remember that it has seen a deal, and only an answer sets the cookie.
        if new_deal(snapshot):
            return b""
        new, old = edition(snapshot), remembered(snapshot, name_of(snapshot, before, seen_by))
        return _packed(view(new.name, old.name, update(new, old))) if old else b""

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
