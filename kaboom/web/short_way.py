"""A short way through Flask for what open pages ask for again and again: a table's fragment.

Nearly all of the two dozen hooks before and after a request are for forms, programs or other pages.
A look calls the few that matter to it, in the same order, and puts the headers together at once.
Routing, hosts, proxies and errors are left to Flask, and so is anything unusual: a program's key,
people who share a browser, a table of another hall, a deal that is shown for the first time
(docs/decisions/0026-a-short-way.md).
"""

from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from flask import request

from kaboom.tables.names import hall_of
from kaboom.web import guard, guessing, health, language, packing
from kaboom.web.identity import hall, key_hash, shared_here
from kaboom.web.service import clean_code, tables
from kaboom.web.table.answers import changed
from kaboom.web.table_page import drawn_fragment

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

LOOK = "table.view"
HTML = ("Content-Type", "text/html; charset=utf-8")
REFUSALS = (guard.refuse_no_host, guard.refuse_unreadable_text, guessing.refuse)


class Answer(NamedTuple):
    """An answer as it is sent."""

    status: HTTPStatus
    headers: list[tuple[str, str]]
    body: bytes

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Send it (WSGI)."""
        start_response(f"{self.status} {self.status.phrase.upper()}", self.headers)
        return (self.body,)


def fits() -> bool:
    """Say whether this is the usual look of an open page at its table."""
    return (
        request.endpoint == LOOK
        and request.method == "GET"
        and "HTTP_HX_REQUEST" in request.environ
        and "HTTP_AUTHORIZATION" not in request.environ
    )


def look() -> Answer | None:
    """Return the answer to a look that fits; None if Flask has to answer after all.

    Raises what Flask's own way would raise.
    """
    health.begin()
    language.speak_to_browser()
    values = request.view_args or {}
    clean_code(LOOK, values)
    for refuse in REFUSALS:
        refuse()
    if shared_here() is not None or hall_of(values["code"]) != hall():
        return None
    page = changed(tables().look(values["code"], key_hash()))
    if page is None:
        return _answer(HTTPStatus.NO_CONTENT, b"")
    return None if page.dealt else _answer(HTTPStatus.OK, drawn_fragment(page).encode())


def _answer(status: HTTPStatus, html: bytes) -> Answer:
    health.count(status)
    body, packed = packing.packed(html, whole=False)
    length = [("Content-Length", str(len(body)))] if status is HTTPStatus.OK else []
    return Answer(status, [HTML, *length, *packed, *guard.headers(), *language.headers()], body)
