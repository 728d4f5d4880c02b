"""Which voice a request is answered in: the suffix of its address decides, else what it accepts.

HTML wins every tie, for browsers, text browsers and scripts that take anything are shown pages:
another voice must be liked better than HTML. Where a POST is no form, so that no page can have sent
it, and where only programs come, JSON wins the ties.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache

from flask import g, request
from werkzeug.http import parse_options_header

from kaboom.web.api.columns import NARROWEST, WIDEST, WIDTH
from kaboom.web.forms import number


class Voice(StrEnum):
    """How an answer is given."""

    HTML = "html"
    JSON = "json"
    TEXT = "txt"
    SAY = "say"
    LINES = "ndjson"


FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
FOR_PROGRAMS = re.compile(r"/guests|/t/[^/]+/events")  # addresses of no page
SUFFIXES = {f".{voice}": voice for voice in Voice if voice is not Voice.HTML}
MEDIA = {
    Voice.HTML: "text/html; charset=utf-8",
    Voice.JSON: "application/json",
    Voice.TEXT: "text/plain; charset=utf-8",
    Voice.SAY: "text/plain; charset=utf-8; profile=say",
    Voice.LINES: "application/x-ndjson",
}


def voice() -> Voice:
    """Return the voice this request is answered in."""
    found: Voice | None = g.get("voice")
    if found is None:
        found = g.voice = _voice()
    return found


def by_page() -> bool:
    """Say whether this request is answered with a page, or a part of one."""
    return voice() is Voice.HTML


def _voice() -> Voice:
    ending = request.path.rpartition("/")[2].rpartition(".")
    if ending[1] and f".{ending[2]}" in SUFFIXES:
        return SUFFIXES[f".{ending[2]}"]
    if request.headers.get("HX-Request"):
        return Voice.HTML
    return accepted(request.headers.get("Accept", ""), by_program())


def by_program() -> bool:
    """Say whether no page can have sent this request: it is a POST that is no form, as browsers
    send all of theirs, or it goes where no page is.
    """
    no_form = request.method == "POST" and request.mimetype not in FORMS
    return no_form or FOR_PROGRAMS.fullmatch(request.path) is not None


@lru_cache(maxsize=1000)
def accepted(accept: str, by_program: bool = False) -> Voice:
    """Return the voice that an Accept header likes best; of a program's JSON, where it likes HTML
    no better.
    """
    wishes = list(_wishes(accept))
    html = max(_quality(wishes, "text/html"), _quality(wishes, "application/xhtml+xml", exact=True))
    best, liked = Voice.HTML, html
    if by_program and (json := _quality(wishes, "application/json")) >= html:
        best, liked = Voice.JSON, json
    for main, profile, quality in wishes:
        found = _named(main, profile)
        if found is not None and quality > liked:
            best, liked = found, quality
    return best


def _named(main: str, profile: str) -> Voice | None:
    if main == "text/plain":
        return Voice.SAY if profile == "say" else Voice.TEXT
    return Voice.JSON if main in ("application/json", "application/problem+json") else None


def _wishes(accept: str) -> Iterator[tuple[str, str, float]]:
    """Yield the types of an Accept header: type, profile and quality."""
    for part in accept.split(","):
        main, options = parse_options_header(part)
        try:
            quality = float(options.get("q", "1"))
        except ValueError:
            continue
        if main and 0 <= quality <= 1:
            yield main.strip().lower(), options.get("profile", ""), quality


def _quality(wishes: list[tuple[str, str, float]], media: str, exact: bool = False) -> float:
    """Return how much a header likes a type: its most exact range counts."""
    ranges = (media,) if exact else (media, media.partition("/")[0] + "/*", "*/*")
    if not wishes and not exact:
        return 1.0
    for wanted in ranges:
        found = [quality for main, _, quality in wishes if main == wanted]
        if found:
            return max(found)
    return 0.0


def columns() -> int:
    """Return how many columns the text that is asked for may have."""
    width = number(request.args.get("width"), otherwise=WIDTH, digits=4)
    return max(NARROWEST, min(width, WIDEST))
