"""Content negotiation: the suffix of the URL decides, or else the Accept header.

HTML wins every tie, because browsers, text browsers and scripts that accept anything expect pages.
JSON wins ties for a POST whose body is not a form, since no form on a page can have sent it, and
for URLs that are not pages.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache

from flask import g, request
from werkzeug.http import parse_options_header

from kaboom.web.api.columns import NARROWEST, WIDEST, WIDTH
from kaboom.web.forms import number


class Format(StrEnum):
    """The format of a response."""

    HTML = "html"
    JSON = "json"
    TEXT = "txt"
    SAY = "say"
    LINES = "ndjson"


FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
FOR_PROGRAMS = re.compile(r"/guests|/t/[^/]+/events")  # URLs that are not pages
SUFFIXES = {f".{voice}": voice for voice in Format if voice is not Format.HTML}
MEDIA = {
    Format.HTML: "text/html; charset=utf-8",
    Format.JSON: "application/json",
    Format.TEXT: "text/plain; charset=utf-8",
    Format.SAY: "text/plain; charset=utf-8; profile=say",
    Format.LINES: "application/x-ndjson",
}


def response_format() -> Format:
    """Return the response format of this request."""
    found: Format | None = g.get("format")
    if found is None:
        found = g.format = _requested_format()
    return found


def wants_html() -> bool:
    """Return True if the response is a page or a part of one."""
    return response_format() is Format.HTML


def _requested_format() -> Format:
    ending = request.path.rpartition("/")[2].rpartition(".")
    if ending[1] and f".{ending[2]}" in SUFFIXES:
        return SUFFIXES[f".{ending[2]}"]
    if request.headers.get("HX-Request"):
        return Format.HTML
    return accepted(request.headers.get("Accept", ""), by_program())


def by_program() -> bool:
    """Return True if a program probably sent this request: it is a POST whose body is not a form,
    or its URL is not a page.
    """
    no_form = request.method == "POST" and request.mimetype not in FORMS
    return no_form or FOR_PROGRAMS.fullmatch(request.path) is not None


@lru_cache(maxsize=1000)
def accepted(accept: str, by_program: bool = False) -> Format:
    """Return the format that an Accept header prefers; for API clients, JSON beats HTML in ties."""
    wishes = list(_wishes(accept))
    html = max(_quality(wishes, "text/html"), _quality(wishes, "application/xhtml+xml", exact=True))
    best, liked = Format.HTML, html
    if by_program and (json := _quality(wishes, "application/json")) >= html:
        best, liked = Format.JSON, json
    for main, profile, quality in wishes:
        found = _named(main, profile)
        if found is not None and quality > liked:
            best, liked = found, quality
    return best


def _named(main: str, profile: str) -> Format | None:
    if main == "text/plain":
        return Format.SAY if profile == "say" else Format.TEXT
    return Format.JSON if main in ("application/json", "application/problem+json") else None


def _wishes(accept: str) -> Iterator[tuple[str, str, float]]:
    """Yield the type, profile and quality of each entry of an Accept header."""
    for part in accept.split(","):
        main, options = parse_options_header(part)
        try:
            quality = float(options.get("q", "1"))
        except ValueError:
            continue
        if main and 0 <= quality <= 1:
            yield main.strip().lower(), options.get("profile", ""), quality


def _quality(wishes: list[tuple[str, str, float]], media: str, exact: bool = False) -> float:
    """Return a type's quality in a header, from the most specific entry that matches it."""
    ranges = (media,) if exact else (media, media.partition("/")[0] + "/*", "*/*")
    if not wishes and not exact:
        return 1.0
    for wanted in ranges:
        found = [quality for main, _, quality in wishes if main == wanted]
        if found:
            return max(found)
    return 0.0


def columns() -> int:
    """Return the requested width of a text in columns."""
    width = number(request.args.get("width"), otherwise=WIDTH, digits=4)
    return max(NARROWEST, min(width, WIDEST))
