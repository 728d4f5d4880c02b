"""Every response of every route, including errors, files and streams, has the required headers."""

import re
from itertools import cycle, product

import pytest
from werkzeug.exceptions import HTTPException

from kaboom.games import GAMES
from kaboom.puzzles.book import book
from kaboom.web.security import HEADERS
from tests.secrecy.paired_server import seated
from tests.secrecy.states import tables_of
from tests.support.effort import LONG, some

VALUES = {"key": "kaboom", "lesson": "first", "name": "web/base.css", "number": "3"}
VALUES |= {
    "secret": "nonsense",
    "word": "nonsense",
    "page": "login.show",
    "taken": "1",
    "seats": "4",
    "file": "icon-192.png",
    "slug": "too-late",
    "when": "2026-11-22",
    "month": "2026-11",
    "club": "AAAAAAAA",
    "review": "AAAAAAAA",
    "round": "1",
    "pod": "1",
    "bot": "1",
    "puzzle": next(iter(book("gops"))),
}
METHODS = ("GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "BREW")
# Public answers may be kept by shared caches.
SAME_FOR_ALL = r"/(static/|pictures/|icons/|favicon|robots|manifest|apple-touch-icon)"
NOWHERE = ("/nowhere", "/t/", "/t/AAAAAAAA", "/t/x", "/static/", "/static/../app.py", "//", "/%00")


@pytest.fixture
def asked(app, monkeypatch):
    """Return a function that sends a request as a player at a running table, or anonymously."""
    monkeypatch.setattr("kaboom.table_page.view_routes.WAIT", 0.0)
    monkeypatch.setattr("kaboom.realtime.stream.LIFE", 0.0)
    game = GAMES["gops"]
    table = seated(app, game, *tables_of(game)[0])

    def send(method, path, known=True, scheme="http", **more):
        cookies = table.cookies(0)
        if scheme == "https":
            cookies = re.sub("(^|; )kb=", r"\1__Host-kb=", cookies)
        headers = {"Cookie": cookies} if known else {}
        return app.test_client(use_cookies=False).open(
            path, method=method, headers=headers, base_url=f"{scheme}://localhost", **more
        )

    send.code, send.record = table.code, table.service.get(table.code).table.record
    return send


def paths(app, code, record):
    """Yield the address of every route, with the route."""
    bound = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        known = VALUES | {"code": code if rule.rule.startswith("/t/") else record}
        assert rule.arguments <= set(known), f"{rule.rule}: name its request here"
        method = "GET" if "GET" in rule.methods else "POST"
        yield bound.build(rule.endpoint, {n: known[n] for n in rule.arguments}, method=method), rule


def check(response, path, scheme="http"):
    """Fail if a header is missing, repeated or weak."""
    for name, value in HEADERS.items():
        assert response.headers.getlist(name) == [value], f"{name} of {path}"
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "object-src 'none'" in policy
    assert not re.search(r"unsafe|\*|https?:", policy)
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert ("Strict-Transport-Security" in response.headers) == (scheme == "https"), path
    kept = response.headers.get("Cache-Control", "")
    if re.match(SAME_FOR_ALL, path):
        assert "private" not in kept or response.status_code >= 400
    else:
        assert re.search(r"no-store|private", kept), f"{kept!r} of {path}"
        assert "Cookie" in ",".join(response.headers.getlist("Vary")), path
    if path.startswith("/t/"):
        assert "no-store" in kept, f"{kept!r} of {path}"
    if response.mimetype == "text/html":
        assert "charset=utf-8" in response.headers["Content-Type"].lower(), path
    for cookie in response.headers.getlist("Set-Cookie"):
        assert "; HttpOnly" in cookie, cookie
        assert "; SameSite=Lax" in cookie, cookie
        assert "; Path=/" in cookie, cookie
        assert ("; Secure" in cookie) == (scheme == "https"), cookie
        assert "Domain" not in cookie, cookie
        # The last line read of a table's chat has a cookie for its path, set by the page's script
        # too.
        if not cookie.startswith("kb-read="):
            assert cookie.startswith("__Host-") == (scheme == "https"), cookie
    assert "X-Powered-By" not in response.headers


# `make test` sends each method as one of the two.
SCHEMES = ("http", "https")
BY = list(product(METHODS, SCHEMES) if LONG else zip(METHODS, cycle(SCHEMES), strict=False))


@pytest.mark.parametrize(("method", "scheme"), BY)
def test_every_route_sends_its_headers_for_every_method(method, scheme, app, asked):
    """Request as a player and as an anonymous client; in `make test`, each method is sent to a
    third of the routes that do not accept it, as one of the two in turn.
    """
    place = METHODS.index(method)
    for number, (path, rule) in enumerate(paths(app, asked.code, asked.record)):
        if path.endswith("/leave"):
            continue  # the match continues
        if method not in rule.methods and not (LONG or (number // 2 + place) % 3 == 0):
            continue
        turn = some((True, False), first=number % 2)
        for known in (True, False) if method in rule.methods else turn:
            response = asked(method, path, known, scheme)
            response.get_data()
            check(response, path, scheme)
            assert response.status_code < 500, f"{method} {path}"
            if method not in (*rule.methods, "OPTIONS") and not elsewhere(app, path, method):
                assert response.status_code in (405, 404), f"{method} {path}"
                assert method not in response.headers.get("Allow", "")


def elsewhere(app, path, method):
    """Return True if another route accepts this method at the same address."""
    try:
        app.url_map.bind("localhost").match(path, method)
    except HTTPException:
        return False
    return True


@pytest.mark.parametrize("path", NOWHERE)
def test_unknown_url_reveals_nothing(path, asked):
    for method in METHODS:
        response = asked(method, path)
        check(response, path)
        if method != "OPTIONS":
            assert response.status_code in (303, 308, 400, 403, 404, 405), method
        shown = response.get_data(as_text=True).lower()
        for word in ("traceback", "werkzeug", "sqlalchemy", "/kaboom/", "line "):
            assert word not in shown, method


def test_get_requests_set_no_cookie(app, asked):
    """Only a submitted form may set a cookie."""
    for path, rule in paths(app, asked.code, asked.record):
        if "GET" in rule.methods and rule.endpoint != "learn.done":  # progress is stored
            assert not asked("GET", path, known=False).headers.getlist("Set-Cookie"), path


def test_head_request_returns_the_same_headers_without_body(app, asked):
    for path, rule in paths(app, asked.code, asked.record):
        if "GET" not in rule.methods or path.endswith("/events"):
            continue
        whole, head = asked("GET", path), asked("HEAD", path)
        assert head.get_data() == b"", path
        assert head.status_code == whole.status_code, path
        assert head.headers.get("Content-Type") == whole.headers.get("Content-Type"), path


PROBLEMS = (
    ({"data": b"name=" + b"x" * 70_000}, 413),
    ({"data": b"name=%ff%fe"}, 400),
    ({"data": {"name": "Ann"}, "environ_overrides": {"HTTP_ORIGIN": "https://evil.example"}}, 403),
    ({"environ_overrides": {"HTTP_SEC_FETCH_SITE": "cross-site"}}, 403),
    ({"environ_overrides": {"HTTP_ORIGIN": "http://["}}, 403),
    ({"environ_overrides": {"HTTP_HOST": "a" * 300}}, 400),
)


@pytest.mark.parametrize("number", range(len(PROBLEMS)))
def test_a_refused_request_also_has_the_headers(number, app, asked):
    """`make test` tries each route with two of the problems."""
    problem, status = PROBLEMS[number]
    posted = (it for it in paths(app, asked.code, asked.record) if "POST" in it[1].methods)
    for path, _ in some(posted, every=3, first=number % 3):
        if not path.endswith("/leave"):
            response = asked("POST", path, **problem)
            large = status == 413 and path == "/replay"  # which accepts a whole record
            assert response.status_code == (422 if large else status), path
            check(response, path)
