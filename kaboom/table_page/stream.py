"""The updates of open pages during a match, which are sent over their streams.

Each update is rendered and compressed once for all viewers who see the same. A page fetches its
update itself if its browser does not support the compression, if several people share the browser,
or if there is a new deal.
"""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack

from flask import Flask, g, request
from flask_sse import Message

from kaboom.engine.i18n import speak, spoken_now
from kaboom.realtime.stream import NUMBERS, Shape
from kaboom.table_page.page_data import new_deal
from kaboom.table_page.updates import Sight, edition, is_sent, name_of, now_seen, remembered, update
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import compression, metrics
from kaboom.web.session import bearer, shared_here

log = logging.getLogger(__name__)

PACKING = "zstd"  # each message is a frame of its own, so one body fits every stream


def sight_of_stream() -> Sight | None:
    """Return the `Sight` of the browser that opens a stream, or None if it should fetch its
    updates.
    """
    accepted = request.headers.get("Accept-Encoding", "")
    takes = request.args.get("views") == "1" and compression.takes_zstd(accepted)
    return now_seen() if takes and not bearer() and shared_here() is None else None


class Views(AbstractContextManager["Views"]):
    """The updates of one table at one moment, as messages for all its streams. Updates with the
    same `Sight` are rendered in one request context, whose `g` is emptied before each.
    """

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._packed: dict[tuple[int | None, str], bytes] = {}
        self._sent = 0
        self._request = ExitStack()
        self._asked_by: Sight | None = None
        self._spoken = spoken_now()

    def __exit__(self, *about: object) -> None:
        self._request.close()
        speak(self._spoken)
        metrics.VIEWS_SENT.inc(self._sent)

    def sent(self, snapshot: TableSnapshot, seen_by: Sight, before: int) -> bytes:
        """Return the compressed message for a browser with this `Sight` whose last message was
        number `before`; empty if the browser has to fetch its update, for example because another
        process rendered the previous one.
        """
        shown = name_of(snapshot, before, seen_by)
        key = None if snapshot.me is None else snapshot.player, shown
        message = self._packed.get(key)
        if message is None:
            try:
                message = self._message(snapshot, seen_by, shown)
            except Exception:
                log.exception("could not render an update for a stream")
                message = b""
            self._packed[key] = message
        self._sent += bool(message)
        return message

    def _message(self, snapshot: TableSnapshot, seen_by: Sight, shown: str) -> bytes:
        if not is_sent(snapshot):
            return b""
        self._ask(snapshot.code, seen_by)
        # A browser must remember that it has shown a deal, and only a response can set the cookie.
        if dealt := new_deal(snapshot):
            return b""
        new = edition(snapshot, dealt, seen_by=seen_by)
        old = remembered(snapshot, shown)
        if old is None:
            return b""
        # Without an event type, so that htmx swaps it as HTML. The page compares the id with the
        # edition that it shows.
        message = Message(update(new, old), id=f"{new.name} {old.name}")
        return compression.compress_message(str(message).encode())

    def _ask(self, code: str, sight: Sight) -> None:
        """Prepare to render the next view with this `Sight` and nothing else."""
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


def _says(kind: str, number: int, rendered: Callable[[], bytes], retry: int | None) -> bytes:
    update = rendered() if kind == "table" else b""
    return update or compression.compress_message(NUMBERS.says(kind, number, rendered, retry))


VIEWS = Shape(NUMBERS.media, _says, packing=PACKING)
