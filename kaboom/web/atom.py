"""Atom feeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from urllib.parse import urlsplit

from flask import Response

ATOM = "http://www.w3.org/2005/Atom"


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
    host = urlsplit(base).hostname or "localhost"
    parts = [
        _text("id", f"tag:{host},2026:{id}"),
        _text("title", title),
        _text("updated", _written(updated)),
        *([f'<link rel="self" href="{escape(address)}"/>'] if address else []),
        *([f'<link rel="next" href="{escape(older)}"/>'] if older else []),
        f'<link href="{escape(page)}"/>',
        "<author><name>Kaboom</name></author>",
        *(_entry(it, host) for it in entries),
    ]
    head = '<?xml version="1.0" encoding="utf-8"?>'
    body = "\n".join(parts)
    return f'{head}\n<feed xmlns="{ATOM}">\n{body}\n</feed>\n'.encode()


def secret_feed(made: bytes) -> Response:
    """Return the answer with a feed whose address is secret: no cache keeps it."""
    answer = Response(made, mimetype="application/atom+xml")
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _entry(it: Entry, host: str) -> str:
    parts = [
        _text("id", f"tag:{host},2026:{it.id}"),
        _text("title", it.title),
        _text("updated", _written(it.updated)),
        f'<link href="{escape(it.link)}"/>',
        *([_text("summary", it.summary)] if it.summary else []),
    ]
    return f"<entry>{''.join(parts)}</entry>"


def _text(tag: str, text: str) -> str:
    return f"<{tag}>{escape(text)}</{tag}>"


def _written(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
