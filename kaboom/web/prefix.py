"""Serving under a path: `PUBLIC_URL=https://example.org/cards` puts every URL below `/cards`. WSGI
calls that path SCRIPT_NAME; `url_for` puts it before every path. Some proxies strip it from
requests and some do not: both kinds work.
"""

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask

from kaboom.config import InvalidSetting
from kaboom.web.old_addresses import FIRST_PARTS


def init_app(app: Flask, prefix: str) -> None:
    """Serve an application under a path; raises InvalidSetting if it begins like the path of a
    page.

    An empty path changes nothing. Call this after all pages are registered, because it compares the
    path with theirs: if `/t/t/ABCDEFGH` could be two URLs, the two kinds of proxies could not be
    told apart.
    """
    if not prefix:
        return
    pages = {rule.rule.split("/")[1].partition("<")[0] for rule in app.url_map.iter_rules()}
    first = prefix.split("/")[1]
    if first in pages | FIRST_PARTS:
        raise InvalidSetting(
            f"PUBLIC_URL must not have a path that begins with /{first}, which is a page of "
            "Kaboom. Choose another one, such as /cards."
        )
    app.wsgi_app = under(app.wsgi_app, prefix)  # type: ignore[method-assign, assignment]


def under(inner: WSGIApplication, prefix: str) -> WSGIApplication:
    """Return a WSGI application that serves another one under a path, stripped or not."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path == prefix:  # the home page would be outside its own folder
            query = environ.get("QUERY_STRING", "")
            location = f"{prefix}/{'?' if query else ''}{query}"
            headers = [("Location", location), ("Content-Length", "0")]
            start_response("308 Permanent Redirect", headers)
            return []
        environ["SCRIPT_NAME"] = prefix
        if path.startswith(f"{prefix}/"):
            environ["PATH_INFO"] = path[len(prefix) :]
        return inner(environ, start_response)

    return answer
