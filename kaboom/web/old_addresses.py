"""The URLs of earlier versions: where each has moved, and how requests for it are still answered.

Links in messengers, e-mails, bookmarks and feed readers contain them. `docs/addresses.md` explains
the table.
"""

import re
from collections.abc import Iterable
from urllib.parse import quote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from kaboom.web.api.negotiation import Format, accepted

# From the old path to the current one. Whatever follows the old part is kept:
# `/day/2026-11-25/compare.json` is `/daily/2026-11-25/compare.json`. The first matching row counts.
MOVED = {
    "/in/as": "/login/confirm",
    "/in/words": "/login/recovery-words",
    "/in": "/login",
    "/me/keep/passkey/drop": "/settings/account/passkey/remove",
    "/me/keep/passkey/made": "/settings/account/passkey/save",
    "/me/keep/words/tried": "/settings/account/recovery-words/check",
    "/me/keep/words": "/settings/account/recovery-words",
    "/me/keep": "/settings/account",
    "/me/devices/out": "/settings/devices/sign-out",
    "/me/devices": "/settings/devices",
    "/me/keys": "/settings/api-keys",
    "/me/calls/wake": "/settings/notifications/resume",
    "/me/calls/wishes": "/settings/notifications/preferences",
    "/me/calls": "/settings/notifications",
    "/me/rules": "/settings/presets",
    "/me/vacation": "/settings/vacation",
    "/me/friends": "/friends",
    "/me/clubs": "/clubs",
    "/me/forget": "/account/delete",
    "/me/ratings": "/account/leaderboards",
    "/me/told": "/account/messages/read",
    "/me": "/account",
    "/friend": "/friends/add",
    "/club": "/clubs/join",
    "/c": "/clubs",
    "/day": "/daily",
    "/e/CODE/run": "/tournaments/CODE/manage",
    "/e": "/tournaments",
    "/ratings": "/leaderboards",
    "/look": "/replay",
    "/calls/mail": "/notifications/mail",
    "/host/in": "/host/login",
}
FILES = (".json", ".txt", ".atom", ".svg")  # read by programs, which may not follow a redirect

Rule = tuple[re.Pattern[str], str]


def first_part(path: str) -> str:
    """Return the first part of a path: "day" of `/day.json` and of `/day/2026-11-25`."""
    return path[1:].partition("/")[0].partition(".")[0]


def _rules() -> dict[str, list[Rule]]:
    """Return the rules of the table by the first part of the old path."""
    rules: dict[str, list[Rule]] = {}
    for old, new in MOVED.items():
        pattern = re.compile(old.replace("CODE", "([^/.]+)") + r"(?=[/.]|$)")
        rules.setdefault(first_part(old), []).append((pattern, new.replace("CODE", r"\1")))
    return rules


RULES = _rules()
FIRST_PARTS = frozenset(RULES)


def current(path: str) -> str | None:
    """Return the current path for an old one; None for a path that has not moved."""
    for pattern, new in RULES.get(first_part(path), ()):
        if pattern.match(path):
            return pattern.sub(new, path, count=1)
    return None


def is_for_programs(environ: WSGIEnvironment) -> bool:
    """Return True if a program sent a request, which is then answered at the old URL.

    One such program is a mail service that unsubscribes a reader: it does not follow redirects.
    """
    accept = environ.get("HTTP_ACCEPT", "")
    return (
        environ.get("PATH_INFO", "").endswith(FILES)
        or "HTTP_AUTHORIZATION" in environ
        or accepted(accept) is not Format.HTML
        or (environ.get("REQUEST_METHOD") == "POST" and "text/html" not in accept)
    )


def init_app(app: Flask) -> None:
    """Answer programs at old URLs, and redirect browsers to the current ones."""
    app.wsgi_app = _for_programs(app.wsgi_app)  # type: ignore[method-assign, assignment]
    app.before_request(redirect_old)


def _for_programs(inner: WSGIApplication) -> WSGIApplication:
    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        new = current(environ.get("PATH_INFO", ""))
        if new is not None and is_for_programs(environ):
            environ["PATH_INFO"] = new
        return inner(environ, start_response)

    return answer


def redirect_old() -> AnyResponse | None:
    """Return the redirect to the current URL with the same query; None for a path that is current.

    308 keeps the method, so that a form from an old page arrives complete.
    """
    new = current(request.path)
    if new is None:
        return None
    query = request.query_string.decode("latin-1")
    answer = redirect(f"{request.script_root}{quote(new)}{'?' if query else ''}{query}", 308)
    answer.headers["Cache-Control"] = "private, no-store"  # some old URLs contain a secret
    return answer
