"""A table as a response in a format other than HTML: body, headers and ETag."""

from collections.abc import Callable
from typing import Any

from flask import Flask, Response, current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from kaboom.engine.codec import to_json
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import speak, spoken_now
from kaboom.engine.menu import menu_of
from kaboom.engine.table_view import TablePage
from kaboom.engine.views import token_of
from kaboom.errors import InvalidFields
from kaboom.table_page import speech
from kaboom.table_page.api import table_of
from kaboom.table_page.controls import besides_of, hosts_moves_of
from kaboom.table_page.page_data import table_page
from kaboom.table_page.text import text_of
from kaboom.tables.context import tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import MEDIA, Format, columns, response_format, wants_html
from kaboom.web.api.problems import problem, slug_of
from kaboom.web.errors import sentence_of, status_of
from kaboom.web.forms import number
from kaboom.web.links import rooted
from kaboom.web.session import key_hash

# What follows a table's code in the links to its other formats.
ALTERNATES = [
    f'{it}>; rel="alternate"; type="{MEDIA[it].partition(";")[0]}"'
    for it in (Format.JSON, Format.TEXT, Format.SAY)
]


def page_of(snapshot: TableSnapshot, spoken: Format) -> TablePage:
    """Return the page from which a format is rendered: JSON includes some legal choices, and only
    text includes tips.
    """
    prompt = snapshot.prompt()
    some = spoken in (Format.JSON, Format.LINES)
    more: dict[str, Any] = {
        "tipped": spoken is Format.TEXT,
        "besides": besides_of(snapshot),
        "hosts_moves": hosts_moves_of(snapshot),
    }
    if some and prompt is not None:
        me, revision = prompt.seat, snapshot.table.revision(prompt.seat)
        drawn_by = f"{menu_of(snapshot.table.match, prompt.offers)} {revision}"
        more["some"] = snapshot.position.some(me, drawn_by)
    return table_page(snapshot, **more)


def _as_text(page: TablePage) -> str:
    """Return a table as text, with the requested width and card names."""
    asked = request.args
    return text_of(page, columns(), asked.get("cards") == "words", asked.get("would") == "1")


def body_of(snapshot: TableSnapshot, spoken: Format) -> tuple[bytes, str]:
    """Return a table's body in a format, and the token of the menu whose numbers it uses."""
    asked = request.args
    page = page_of(snapshot, spoken)
    if spoken is Format.TEXT:
        return _as_text(page).encode(), page.menu
    if spoken is Format.SAY:
        at = number(asked.get("page"), otherwise=1, digits=4)
        what = asked.get("about", "")
        return f"{speech.about(page, what, at)}\n".encode(), page.menu
    after = number(asked.get("after"), otherwise=0, digits=9)
    table = table_of(page, snapshot.table.revision(snapshot.me), after)
    return to_json(table), table.menu


def shown(snapshot: TableSnapshot, status: int = 200) -> Response:
    """Return the table in the requested format, or 304 if the client has this version."""
    spoken = response_format()
    tag = tag_of(snapshot, spoken)
    if request.method == "GET" and request.if_none_match.contains_weak(tag):
        response: Response = current_app.response_class(status=304)
    else:
        body, menu = body_of(snapshot, spoken)
        response = current_app.response_class(body, status=status, content_type=MEDIA[spoken])
        response.headers["Kaboom-Menu"] = menu
    response.set_etag(tag, weak=True)
    response.headers["Kaboom-Revision"] = str(snapshot.table.revision(snapshot.me))
    at = rooted(f"/t/{snapshot.code}")
    links = ", ".join(f"<{at}.{rest}" for rest in ALTERNATES)
    response.headers["Link"] = links
    return response


# The parts of a request that are needed to render a table when its stream outlives the request.
KEPT = (
    "HTTP_AUTHORIZATION",
    "HTTP_COOKIE",
    "HTTP_HOST",
    "PATH_INFO",
    "QUERY_STRING",
    "REMOTE_ADDR",
    "REQUEST_METHOD",
    "SCRIPT_NAME",
    "SERVER_NAME",
    "SERVER_PORT",
    "SERVER_PROTOCOL",
    "wsgi.url_scheme",
)


def rendering_later(spoken: Format) -> Callable[[TableSnapshot], bytes]:
    """Return a function that renders a table for this client after the request has ended."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    environ = {name: request.environ[name] for name in KEPT if name in request.environ}
    language = spoken_now()

    def draws(snapshot: TableSnapshot) -> bytes:
        before = spoken_now()
        with app.request_context(dict(environ)):
            speak(language)
            body, _unused = body_of(snapshot, spoken)
        speak(before)
        return body

    return draws


def tag_of(snapshot: TableSnapshot, spoken: Format) -> str:
    """Return a hash of the viewer's table that ignores running clocks."""
    seen = (snapshot.table.revision(snapshot.me), snapshot.me, spoken)
    return token_of((*seen, spoken_now().code, request.query_string.decode()))


def refusal(
    snapshot: TableSnapshot, no: Exception, status: int | None = None, rule: str = ""
) -> Response:
    """Return the reason why something was refused, with the current table."""
    g.refusal = slug_of(no)  # for the metrics
    found = status or status_of(no)
    if found in (409, 422) and not rate_limits.count_refusal():
        sentence = _("Many moves were refused. Look at the table and choose one that it lists.")
        at = rooted(f"/t/{snapshot.code}/rules")
        response = problem(429, "too-fast", sentence, rule=rule, rules_at=at)
        response.headers["Retry-After"] = str(rate_limits.until_another_refusal())
        return response
    more: dict[str, Any] = {}
    spoken = response_format()
    page = page_of(snapshot, spoken)
    if spoken in (Format.JSON, Format.LINES):
        more["now"] = table_of(page, snapshot.table.revision(snapshot.me))
    elif spoken is Format.TEXT:
        more["now_text"] = _as_text(page)
    response = problem(
        found,
        slug_of(no, found),
        sentence_of(no),
        rule=rule,
        rules_at=f"{page.at}/rules",
        fields=no.fields if isinstance(no, InvalidFields) else None,
        over=found == 409 and page.outcome is not None,
        **more,
    )
    response.headers["Kaboom-Menu"] = page.menu
    return response


def opened(code: str) -> AnyResponse:
    """Return the table that the player may now enter: a redirect to its page or, for programs, the
    table itself with its URL in the same format.
    """
    if wants_html():
        return redirect(url_for("table.show", code=code), 303)
    response = shown(tables().get(code, key_hash()), 201)
    addresses = {Format.TEXT: "voices.text", Format.SAY: "voices.say"}
    response.headers["Location"] = url_for(
        addresses.get(response_format(), "voices.json"), code=code
    )
    return response
