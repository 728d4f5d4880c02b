"""Checks for every request and response: same-site posts only, readable text, safe headers."""

from collections.abc import Callable, Sequence
from functools import cache
from urllib.parse import unquote_to_bytes

from flask import Flask, Response, request
from werkzeug.exceptions import BadHost, BadRequest, Forbidden, HTTPException

from kaboom.engine.i18n import say
from kaboom.web.api.negotiation import FORMS
from kaboom.web.assets import SAME_FOR_ALL
from kaboom.web.idempotency import routes as idempotency_routes
from kaboom.web.log_once import advise
from kaboom.web.session import bearer, give_key

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; object-src 'none'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # no-referrer would turn Origin into "null"
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
}
# What an answer depends on, besides the language: who asks, for which voice.
VARY = "Accept, Authorization, Cookie, HX-Request"
# A table's page may show cards only for a moment: going back must ask for it again. And anyone who
# pressed "Forget me" wants nothing of their matches, friends and clubs left in the browser.
FLEETING = ("/t/", "/me", "/in", "/friend", "/turns", "/calls", "/feed", "/c/", "/club/")
# Sent only under https: a browser that has had it will not come back over plain http for a year.
ONLY_HTTPS = "max-age=31536000; includeSubDomains"
FOREIGN = (
    "a form was refused as another site's: the browser had it from %.99r, and this server takes "
    "itself for %.99r. If that is the same place, PROXIES is wrong, or the proxy does not set "
    "X-Forwarded-Proto and X-Forwarded-Host"
)


def init_app(app: Flask, identify: Callable[[Flask], None]) -> None:
    """Put the guard in front of every route. `identify` lets it find out whose key a request
    shows, once the host is known to be ours.
    """
    app.before_request(refuse_no_host)
    identify(app)
    app.before_request(refuse_other_sites)
    app.before_request(refuse_unreadable_text)
    idempotency_routes.init_app(app)
    app.after_request(give_key)
    app.after_request(add_headers)


def refuse_no_host() -> None:
    """Refuse a malformed Host before anything else looks at the request; raises BadHost.

    HTTP/1.0 may leave it out, HTTP/1.1 must not.
    """
    if isinstance(request.routing_exception, BadHost):
        raise request.routing_exception
    old = request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0"
    if not old and not request.environ.get("HTTP_HOST"):
        raise BadHost


def refuse_other_sites() -> None:
    """Refuse a POST that another site's page sent (a forged form); raises Forbidden.

    No page can have sent one with a key: browsers add cookies by themselves, but no keys.
    """
    if request.method in ("GET", "HEAD", "OPTIONS") or bearer() is not None:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        allowed = site in ("same-origin", "none")
    elif origin is not None:
        scheme, _, host = origin.partition("://")
        # A page that came unprotected may be anybody's. We know that we are under https only if the
        # proxy in front says so.
        allowed = host == request.host and not (request.is_secure and scheme != "https")
        if not allowed:
            advise("PROXIES", FOREIGN, origin, f"{request.scheme}://{request.host}")
    else:
        allowed = True  # text browsers send neither, and send no cookie to other sites' forms
    if not allowed:
        raise Forbidden(say("This form was sent from another site."))


def refuse_unreadable_text() -> None:
    """Refuse fields that are not UTF-8, or are incomplete; raises BadRequest."""
    try:
        unquote_to_bytes(request.query_string).decode()
        if request.method == "POST":
            sent = _body()
            # A file and JSON are sent as they are: a percent sign in them is just a percent sign.
            as_it_is = request.mimetype in ("multipart/form-data", "application/json")
            (sent if as_it_is else unquote_to_bytes(sent)).decode()
    except UnicodeDecodeError:
        if request.mimetype in FORMS:
            sentence = say("The form holds bytes that are not readable text (UTF-8).")
        else:
            sentence = say("What was sent holds bytes that are not readable text (UTF-8).")
        raise BadRequest(sentence) from None


def _body() -> bytes:
    try:
        sent = request.get_data()
        if request.content_length is None:
            request.stream.read(1)  # one more than allowed would otherwise be dropped silently
        return sent
    except HTTPException:
        raise
    except Exception:  # the server's own: the body breaks off, or its chunks are malformed
        raise BadRequest from None


@cache
def _headers(blueprint: str | None, fleeting: bool, is_secure: bool) -> Sequence[tuple[str, str]]:
    found = [*HEADERS.items()]
    if is_secure:
        found.append(("Strict-Transport-Security", ONLY_HTTPS))
    if blueprint not in ("pages", *SAME_FOR_ALL):
        # Tables and matches are for people who were given the link.
        found.append(("X-Robots-Tag", "noindex, nofollow"))
    if blueprint not in SAME_FOR_ALL:
        found.append(("Cache-Control", "private, no-store" if fleeting else "private, no-cache"))
        found.append(("Vary", VARY))
    return found


def add_headers(response: Response) -> Response:
    """Set the headers of every answer; caches on the way never keep personal pages."""
    set_already = {name for name, _ in response.headers} - {"Vary"}  # that adds up
    fleeting = request.path.startswith(FLEETING)
    for name, value in _headers(request.blueprint, fleeting, request.is_secure):
        if name not in set_already:
            response.headers.add(name, value)
    # Lynx halts for seconds at every redirect to a bare path. Browsers that say where a request
    # comes from keep the path: it is right even behind a proxy that tells us the wrong scheme.
    response.autocorrect_location_header = "Sec-Fetch-Site" not in request.headers
    return response
