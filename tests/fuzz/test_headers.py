"""Every answer of every route, errors, files and streams too, carries the headers it needs."""

import re
from itertools import cycle, product

import pytest
from werkzeug.exceptions import HTTPException

from kaboom.games import GAMES
from kaboom.realtime.stream import table_events
from kaboom.web.security import HEADERS
from tests.secrecy.paired_server import seated
from tests.secrecy.states import tables_of
from tests.support.effort import LONG

VALUES = {"key": "kaboom", "name": "web/base.css", "number": "3", "secret": "nonsense"}
VALUES |= {
    "taken": "1",
    "seats": "4",
    "file": "icon-192.png",
    "slug": "too-late",
    "when": "2026-11-22",
    "club": "AAAAAAAA",
    "round": "1",
    "pod": "1",
}
METHODS = ("GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "BREW")
# What is the same for everybody may be kept by caches on the way.
SAME_FOR_ALL = r"/(static/|pictures/|icons/|favicon|robots|manifest|apple-touch-icon)"
NOWHERE = ("/nowhere", "/t/", "/t/AAAAAAAA", "/t/x", "/static/", "/static/../app.py", "//", "/%00")


@pytest.fixture
def asked(app, monkeypatch):
    """A function: send a request as a player of a running table, or as nobody in particular."""
    monkeypatch.setattr("kaboom.play.view_routes.WAIT", 0.0)
    monkeypatch.setattr(table_events, "life", 0.0)
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

    send.code, send.record = table.code, table.service.look(table.code).table.record
    return send


def paths(app, code, record):
    """Yield the address of every route, and which route it is."""
    bound = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        known = VALUES | {"code": code if rule.rule.startswith("/t/") else record}
        assert rule.arguments <= set(known), f"{rule.rule}: say here with what it is asked"
        method = "GET" if "GET" in rule.methods else "POST"
        yield bound.build(rule.endpoint, {n: known[n] for n in rule.arguments}, method=method), rule


def check(response, path, scheme="http"):
    """Fail when a header is missing, doubled or weak."""
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
        # Where talk was read to is kept for a table's path, and by the page's script, too.
        if not cookie.startswith("kb-read="):
            assert cookie.startswith("__Host-") == (scheme == "https"), cookie
    assert "X-Powered-By" not in response.headers


# At the gate each method by one of the two.
SCHEMES = ("http", "https")
BY = list(product(METHODS, SCHEMES) if LONG else zip(METHODS, cycle(SCHEMES), strict=False))


@pytest.mark.parametrize(("method", "scheme"), BY)
def test_every_route_answers_every_method_with_its_headers(method, scheme, app, asked):
    for path, rule in paths(app, asked.code, asked.record):
        if path.endswith("/leave"):
            continue  # the match goes on
        for known in (True, False):
            response = asked(method, path, known, scheme)
            response.get_data()
            check(response, path, scheme)
            assert response.status_code < 500, f"{method} {path}"
            if method not in (*rule.methods, "OPTIONS") and not elsewhere(app, path, method):
                assert response.status_code in (405, 404), f"{method} {path}"
                assert method not in response.headers.get("Allow", "")


def elsewhere(app, path, method):
    """Say whether another rule takes this method at the same address."""
    try:
        app.url_map.bind("localhost").match(path, method)
    except HTTPException:
        return False
    return True


@pytest.mark.parametrize("path", NOWHERE)
def test_what_is_nowhere_says_no_more_than_that(path, asked):
    for method in METHODS:
        response = asked(method, path)
        check(response, path)
        if method != "OPTIONS":
            assert response.status_code in (303, 308, 400, 403, 404, 405), method
        shown = response.get_data(as_text=True).lower()
        for word in ("traceback", "werkzeug", "sqlalchemy", "/kaboom/", "line "):
            assert word not in shown, method


def test_looking_sets_no_cookie(app, asked):
    """Only a form that was sent may leave a trace in a browser."""
    for path, rule in paths(app, asked.code, asked.record):
        if "GET" in rule.methods:
            assert not asked("GET", path, known=False).headers.getlist("Set-Cookie"), path


def test_asking_for_the_headers_alone_gives_the_same_headers_and_no_body(app, asked):
    for path, rule in paths(app, asked.code, asked.record):
        if "GET" not in rule.methods or path.endswith("/events"):
            continue
        whole, head = asked("GET", path), asked("HEAD", path)
        assert head.get_data() == b"", path
        assert head.status_code == whole.status_code, path
        assert head.headers.get("Content-Type") == whole.headers.get("Content-Type"), path


@pytest.mark.parametrize(
    ("problem", "status"),
    [
        ({"data": b"name=" + b"x" * 70_000}, 413),
        ({"data": b"name=%ff%fe"}, 400),
        (
            {"data": {"name": "Ann"}, "environ_overrides": {"HTTP_ORIGIN": "https://evil.example"}},
            403,
        ),
        ({"environ_overrides": {"HTTP_SEC_FETCH_SITE": "cross-site"}}, 403),
        ({"environ_overrides": {"HTTP_ORIGIN": "http://["}}, 403),
        ({"environ_overrides": {"HTTP_HOST": "a" * 300}}, 400),
    ],
)
def test_a_refused_request_has_the_headers_too(problem, status, app, asked):
    for path, rule in paths(app, asked.code, asked.record):
        if "POST" in rule.methods and not path.endswith("/leave"):
            response = asked("POST", path, **problem)
            large = status == 413 and path == "/look"  # which takes a whole record
            assert response.status_code == (422 if large else status), path
            check(response, path)
