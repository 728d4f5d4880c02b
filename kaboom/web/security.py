"""Checks of all requests and responses: same-site POSTs (CSRF), valid text, security headers."""

from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from flask import Flask, Response, request
from werkzeug.exceptions import BadHost, BadRequest, Forbidden, HTTPException

from kaboom.engine.i18n import gettext as _
from kaboom.web.api.negotiation import FORMS
from kaboom.web.assets import SAME_FOR_ALL
from kaboom.web.config_warnings import advise
from kaboom.web.idempotency import routes as idempotency_routes
from kaboom.web.session import bearer, give_key

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
        "object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # no-referrer would turn Origin into "null"
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
}
# What a response depends on besides the language: the requester and the format.
VARY = "Accept, Authorization, Cookie, HX-Request"
# A table's page may show cards only for a moment, so going back must request it again. After an
# account is deleted, no matches, friends or clubs may be left in the browser cache.
FLEETING = (
    "/t/",
    "/account",
    "/clubs",
    "/feed",
    "/friends",
    "/host",
    "/login",
    "/notifications",
    "/players/",
    "/settings/",
    "/statistics",
    "/turns",
)
# Sent only over HTTPS. The browser will then refuse plain HTTP for a year.
ONLY_HTTPS = "max-age=31536000; includeSubDomains"
FOREIGN = (
    "a form was refused as another site's: the browser had it from %.99r, and this server takes "
    "itself for %.99r. If that is the same place, PROXIES is wrong, or the proxy does not set "
    "X-Forwarded-Proto and X-Forwarded-Host"
)


def init_app(app: Flask, identify: Callable[[Flask], None]) -> None:
    """Run the checks before every route.

    `identify` authenticates API keys; it runs after the host name has been checked.
    """
    app.before_request(refuse_no_host)
    identify(app)
    app.before_request(refuse_other_sites)
    app.before_request(refuse_unreadable_text)
    idempotency_routes.init_app(app)
    app.after_request(give_key)
    app.after_request(add_headers)


def refuse_no_host() -> None:
    """Refuse a request with a malformed Host before anything else uses it. Raises BadHost.

    HTTP/1.0 allows it to be missing; HTTP/1.1 does not.
    """
    if isinstance(request.routing_exception, BadHost):
        raise request.routing_exception
    old = request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0"
    if not old and not request.environ.get("HTTP_HOST"):
        raise BadHost


def refuse_other_sites() -> None:
    """Refuse a POST from another site's page (CSRF). Raises Forbidden.

    Requests with an API key are exempt: browsers add cookies automatically, but no keys.
    """
    if request.method in ("GET", "HEAD", "OPTIONS") or bearer() is not None:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        allowed = site in ("same-origin", "none")
    elif origin is not None:
        scheme, _unused, host = origin.partition("://")
        # A page loaded without HTTPS may have been tampered with. Only the proxy in front can
        # report that the connection uses HTTPS.
        allowed = host == request.host and not (request.is_secure and scheme != "https")
        if not allowed:
            advise("PROXIES", FOREIGN, origin, f"{request.scheme}://{request.host}")
    else:
        allowed = True  # text browsers send neither, and no cookie with other sites' forms
    if not allowed:
        raise Forbidden(_("This form was sent from another site."))


def refuse_unreadable_text() -> None:
    """Refuse fields that are not valid UTF-8, or are incomplete. Raises BadRequest."""
    try:
        unquote_to_bytes(request.query_string).decode()
        if request.method == "POST":
            sent = _body()
            # Files and JSON are not URL-encoded: a percent sign in them is literal.
            as_it_is = request.mimetype in ("multipart/form-data", "application/json")
            (sent if as_it_is else unquote_to_bytes(sent)).decode()
    except UnicodeDecodeError:
        if request.mimetype in FORMS:
            sentence = _("The form contains bytes that are not valid text (UTF-8).")
        else:
            sentence = _("The request contains bytes that are not valid text (UTF-8).")
        raise BadRequest(sentence) from None


def _body() -> bytes:
    try:
        sent = request.get_data()
        if request.content_length is None:
            request.stream.read(1)  # otherwise bytes beyond the limit would be silently dropped
        return sent
    except HTTPException:
        raise
    except Exception:  # raised by the server: an incomplete body or malformed chunks
        raise BadRequest from None


def add_headers(response: Response) -> Response:
    """Add the headers that a response lacks; shared caches must not store personal pages."""
    headers = dict(HEADERS)
    if request.is_secure and not request.script_root:  # below a path, sites share the host name
        headers["Strict-Transport-Security"] = ONLY_HTTPS
    if request.blueprint not in ("pages", *SAME_FOR_ALL):
        # Tables and matches are only for people with the link.
        headers["X-Robots-Tag"] = "noindex, nofollow"
    if request.blueprint not in SAME_FOR_ALL:
        kept = "no-store" if request.path.startswith(FLEETING) else "no-cache"
        headers["Cache-Control"] = f"private, {kept}"
        headers["Vary"] = VARY
    # Werkzeug's `setdefault` would read all headers for each of these.
    present = {name for name, _unused in response.headers} - {"Vary"}  # which accumulates
    for name, value in headers.items():
        if name not in present:
            response.headers.add(name, value)
    # Lynx pauses for seconds at each redirect to a bare path. Browsers that send Origin or Referer
    # keep the path, which is right even behind a proxy that reports the wrong scheme.
    response.autocorrect_location_header = "Sec-Fetch-Site" not in request.headers
    return response
