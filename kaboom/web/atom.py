"""Atom feeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from flask import Response, render_template


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a feed. `id` is its own within this server; `updated` in seconds since 1970."""

    id: str
    title: str
    updated: float
    link: str
    summary: str = ""


def feed(
    id: str,
    title: str,
    base: str,
    page: str,
    address: str,
    updated: float,
    entries: Sequence[Entry],
    older: str = "",
) -> bytes:
    """Return a feed of a server at `base`: it is found at `address`, and says what `page` says.

    With an empty address it does not say where it is found: that may be a secret. `older` is where
    older entries are, seen from there.
    """
    return render_template(
        "web/feed.xml",
        host=urlsplit(base).hostname or "localhost",
        id=id,
        title=title,
        page=page,
        address=address,
        updated=updated,
        entries=entries,
        older=older,
        rfc3339=rfc3339,
    ).encode()


def secret_feed(made: bytes) -> Response:
    """Return the answer with a feed whose address is secret: no cache keeps it."""
    answer = Response(made, mimetype="application/atom+xml")
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def rfc3339(seconds: float) -> str:
    """Return a time as feeds write it."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
