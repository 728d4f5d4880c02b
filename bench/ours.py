"""The same parts as bench.frozen, as they are today: for the reference's second column."""

from collections.abc import Callable
from typing import Any

from flask import Response

from kaboom.db.database import Database
from kaboom.realtime.hub import Hub
from kaboom.realtime.stream import Look
from kaboom.realtime.stream import TableEvents as Events
from kaboom.web.security import HEADERS

__all__ = ["HEADERS", "Database", "Hub", "TableEvents"]


class TableEvents(Events):
    """The streams of today, asked for as the frozen ones are."""

    def events(self, hub: Hub, topic: str, revision: Callable[[], int]) -> Response:  # type: ignore[override]
        """Return a stream of what `revision` says."""

        def looks(topic: str, viewers: Any) -> list[Look]:
            return [Look(revision()) for _ in viewers]

        return super().events(hub, topic, None, looks)
