"""A short way through Flask for looks at a table: of open pages, that ask for the fragment after
every move, and of programs, that ask for it in another voice.

Of the two dozen hooks before and after a request nearly all are for forms or for other pages. A
look calls the few that are for it, in the same order, and what they say of headers is put together
once. Routing, hosts, proxies and errors stay Flask's. Whatever is unusual goes Flask's own way: a
program that asks as a page does, or waits, or has an answer already; people who share a browser, a
deal that is shown for the first time (docs/decisions/0026-a-short-way.md).
"""

from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from flask import Response, request

from kaboom.accounts.api_keys import auth as bearer
from kaboom.lobby import code_attempts
from kaboom.play.page import drawn_fragment
from kaboom.play.responses import changed
from kaboom.play.responses_api import body_of, labels, tag_of
from kaboom.social.chat import room
from kaboom.tables.context import tables
from kaboom.web import compression, health, i18n, limits
from kaboom.web import security as guard
from kaboom.web.api.negotiation import MEDIA, voice
from kaboom.web.api.requests import refuse_what_cannot_be_asked
from kaboom.web.context import clean_code
from kaboom.web.session import key_hash, shared_here

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

PAGE = "table.view"
PROGRAM = {"voices.json", "voices.text", "voices.say"}
# With one of these a program's look is unusual.
MORE = {"HTTP_HX_REQUEST", "HTTP_IF_NONE_MATCH"}
HTML = ("Content-Type", "text/html; charset=utf-8")
ENCODED = ("Vary", "Content-Encoding")
TO_PAGES = (guard.refuse_no_host, guard.refuse_unreadable_text, code_attempts.refuse)
TO_PROGRAMS = (
    guard.refuse_no_host,
    bearer.know,
    guard.refuse_unreadable_text,
    refuse_what_cannot_be_asked,
    code_attempts.refuse,
)


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
    """Say whether an open page or a program looks at a table, and nothing of that is unusual."""
    if request.method != "GET":
        return False
    sent = request.environ
    if request.endpoint == PAGE:
        return "HTTP_HX_REQUEST" in sent and "HTTP_AUTHORIZATION" not in sent
    return request.endpoint in PROGRAM and MORE.isdisjoint(sent) and "wait" not in request.args


def look() -> Answer | None:
    """Return the answer to a look that fits; None if Flask has to answer after all.

    Raises what Flask's own way would raise.
    """
    health.begin()
    i18n.speak_to_browser()
    values = request.view_args or {}
    clean_code(request.endpoint, values)
    of_page = request.endpoint == PAGE
    for refuse in TO_PAGES if of_page else TO_PROGRAMS:
        refuse()
    code: str = values["code"]
    if shared_here() is not None:
        return None
    return _of_page(code) if of_page else _of_program(code)


def _of_page(code: str) -> Answer | None:
    page = changed(tables().look(code, key_hash()))
    if page is None:
        return _answer(HTTPStatus.NO_CONTENT, b"", HTML, *compression.PLAIN)
    if page.dealt:
        return None
    packed = compression.compress(Response(drawn_fragment(page), mimetype="text/html"))
    encoding = [(name, packed.headers[name]) for name in ENCODED if name in packed.headers]
    return _answer(HTTPStatus.OK, packed.get_data(), HTML, *encoding)


def _of_program(code: str) -> Answer:
    limits.another_look()
    snapshot, spoken = tables().look(code, key_hash()), voice()
    body, menu = body_of(snapshot, spoken)
    room.note_asker()
    told = (("Content-Type", MEDIA[spoken]), ("Kaboom-Menu", menu))
    return _answer(
        HTTPStatus.OK, body, *told, *labels(snapshot, tag_of(snapshot, spoken)), *compression.PLAIN
    )


def _answer(status: HTTPStatus, body: bytes, *of_its_own: tuple[str, str]) -> Answer:
    health.count(status)
    length = [("Content-Length", str(len(body)))] if status is HTTPStatus.OK else []
    headers = [*of_its_own, *length, *guard.headers(), *i18n.headers()]
    return Answer(status, headers, body)
