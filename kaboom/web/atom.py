"""Atom feeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from flask import Response, render_template


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a feed. `id` is unique on this server; `updated` is in seconds since 1970."""

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
    """Return the feed with the URL `address`, on a server at `base`, for the page at `page`.

    With an empty `address`, the feed omits its own URL, which may be secret. `older` is the URL of
    older entries, relative to the feed.
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


def public_feed(made: bytes) -> Response:
    """Return the response with a feed, which is checked again before a cached copy is used."""
    return _response(made, "private, no-cache")


def secret_feed(made: bytes) -> Response:
    """Return the response with a feed at a secret URL, which must not be cached."""
    return _response(made, "private, no-store")


def _response(made: bytes, cached: str) -> Response:
    headers = {"Cache-Control": cached}
    return Response(made, mimetype="application/atom+xml", headers=headers)


def rfc3339(seconds: float) -> str:
    """Return a time in the format of RFC 3339."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
