"""A table in another voice than HTML, as an answer: its body, its headers, its validator."""

from collections.abc import Callable
from typing import Any

from flask import Flask, Response, current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from kaboom.engine.codec import to_json
from kaboom.engine.i18n import say, speak, spoken_now
from kaboom.engine.menu import menu_of
from kaboom.engine.table_view import TablePage
from kaboom.engine.views import token_of
from kaboom.errors import InvalidFields
from kaboom.play import speech
from kaboom.play.api import table_of
from kaboom.play.controls import besides_of, hosts_moves_of
from kaboom.play.page import table_page
from kaboom.play.text import text_of
from kaboom.tables.context import tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.web import limits
from kaboom.web.api.negotiation import MEDIA, Voice, by_page, columns, voice
from kaboom.web.api.problems import problem, slug_of
from kaboom.web.errors import sentence_of, status_of
from kaboom.web.forms import number
from kaboom.web.session import key_hash

# Of the links to a table's other voices, what follows its code.
ALTERNATES = [
    f'{it}>; rel="alternate"; type="{MEDIA[it].partition(";")[0]}"'
    for it in (Voice.JSON, Voice.TEXT, Voice.SAY)
]


def page_of(snapshot: TableSnapshot, spoken: Voice) -> TablePage:
    """Return the page that a voice is drawn from: for programs with some legal choices; only text
    has tips.
    """
    prompt = snapshot.prompt()
    some = spoken in (Voice.JSON, Voice.LINES)
    more: dict[str, Any] = {
        "tipped": spoken is Voice.TEXT,
        "besides": besides_of(snapshot),
        "hosts_moves": hosts_moves_of(snapshot),
    }
    if some and prompt is not None:
        me, revision = prompt.seat, snapshot.table.revision(prompt.seat)
        drawn_by = f"{menu_of(snapshot.table.match, prompt.offers)} {revision}"
        more["some"] = snapshot.position.some(me, drawn_by)
    return table_page(snapshot, **more)


def _as_text(page: TablePage) -> str:
    """Return a table in as many columns, and with the cards, as the request says."""
    asked = request.args
    return text_of(page, columns(), asked.get("cards") == "words", asked.get("would") == "1")


def body_of(snapshot: TableSnapshot, spoken: Voice) -> tuple[bytes, str]:
    """Return a table in a voice, and the menu that its numbers answer."""
    asked = request.args
    page = page_of(snapshot, spoken)
    if spoken is Voice.TEXT:
        return _as_text(page).encode(), page.menu
    if spoken is Voice.SAY:
        at = number(asked.get("page"), otherwise=1, digits=4)
        what = asked.get("about", "")
        return f"{speech.about(page, what, at)}\n".encode(), page.menu
    after = number(asked.get("after"), otherwise=0, digits=9)
    table = table_of(page, snapshot.table.revision(snapshot.me), after)
    return to_json(table), table.menu


def shown(snapshot: TableSnapshot, status: int = 200) -> Response:
    """Answer with a table in the voice that was asked for; 304 to a browser that has this one."""
    spoken = voice()
    tag = tag_of(snapshot, spoken)
    if request.method == "GET" and request.if_none_match.contains_weak(tag):
        response: Response = current_app.response_class(status=304)
    else:
        body, menu = body_of(snapshot, spoken)
        response = current_app.response_class(body, status=status, content_type=MEDIA[spoken])
        response.headers["Kaboom-Menu"] = menu
    response.set_etag(tag, weak=True)
    response.headers["Kaboom-Revision"] = str(snapshot.table.revision(snapshot.me))
    links = ", ".join(f"</t/{snapshot.code}.{rest}" for rest in ALTERNATES)
    response.headers["Link"] = links
    return response


# Of a request, what a table is drawn with when its stream goes on after the request.
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


def drawing_later(spoken: Voice) -> Callable[[TableSnapshot], bytes]:
    """Return what draws a table for this request's sender, also when the request is over."""
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    environ = {name: request.environ[name] for name in KEPT if name in request.environ}
    language = spoken_now()

    def draws(snapshot: TableSnapshot) -> bytes:
        before = spoken_now()
        with app.request_context(dict(environ)):
            speak(language)
            body, _ = body_of(snapshot, spoken)
        speak(before)
        return body

    return draws


def tag_of(snapshot: TableSnapshot, spoken: Voice) -> str:
    """Return what stays while a table looks the same to its viewer, but for clocks that run."""
    seen = (snapshot.table.revision(snapshot.me), snapshot.me, spoken)
    return token_of((*seen, spoken_now().code, request.query_string.decode()))


def refusal(
    snapshot: TableSnapshot, no: Exception, status: int | None = None, rule: str = ""
) -> Response:
    """Answer why something was not done at a table, with the table as it is."""
    g.refusal = slug_of(no)  # for the figures
    found = status or status_of(no)
    if found in (409, 422) and not limits.another_refusal():
        sentence = say("Many moves were refused. Look at the table, and choose from what it lists.")
        at = f"/t/{snapshot.code}/rules"
        response = problem(429, "too-fast", sentence, rule=rule, rules_at=at)
        response.headers["Retry-After"] = str(limits.until_another_refusal())
        return response
    more: dict[str, Any] = {}
    spoken = voice()
    page = page_of(snapshot, spoken)
    if spoken in (Voice.JSON, Voice.LINES):
        more["now"] = table_of(page, snapshot.table.revision(snapshot.me))
    elif spoken is Voice.TEXT:
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
    """Answer with the table one is now let in to: its page, or for programs the table itself, with
    its address in the same voice.
    """
    if by_page():
        return redirect(url_for("table.show", code=code), 303)
    response = shown(tables().look(code, key_hash()), 201)
    addresses = {Voice.TEXT: "voices.text", Voice.SAY: "voices.say"}
    response.headers["Location"] = url_for(addresses.get(voice(), "voices.json"), code=code)
    return response
