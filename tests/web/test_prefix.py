"""A server below a path of a host: PUBLIC_URL=https://example.org/cards."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest

from kaboom.config import InvalidSetting
from kaboom.games import GAMES
from kaboom.notifications.delivery import said
from kaboom.notifications.notification import Notification, Waiting
from kaboom.web.prefix import under
from tests.support.app import application, close
from tests.support.crawler import ANN, STRANGER, Kind, World, asked, kind_of, made
from tests.support.effort import LONG

PREFIX = "/cards"
OUTSIDE = "https://example.org"
NO_HTML = re.compile(r"\.(json|txt|say|atom|png|css|js)$")
ATTRIBUTE = re.compile(
    r"""\b(?:href|src|action|formaction|content|data-[\w-]+|hx-[\w-]+)="([^"]*)"""
)
LINKED = re.compile(r"""<(?:a|form|link|script|img)\b[^>]*?\s(href|action|src)="([^"]*)"([^>]*)>""")
DOOR = re.compile(r"\b(?:GET|POST) (\S+)")
WITHIN = re.compile(r"<(?:id|link)[^>]*href=\"([^\"]*)")
BESIDE = (
    "/manifest.webmanifest", "/robots.txt", "/openapi.json", "/api", "/api/reference",
    "/learn.json", "/learn.txt", "/lobby.json", "/turns.json", "/daily.atom", "/favicon.ico",
    "/problems/not-yours", "/problems/not-yours.json", "/push.js", "/daily/2026-01-01",
)  # fmt: skip


@pytest.fixture
def app(sqlite_url):
    app = application(sqlite_url, public_url=OUTSIDE + PREFIX, proxies=1)
    yield app
    close(app)


def addresses(path: str, answer) -> Iterator[str]:
    """Yield every address in an answer: in its headers, HTML, JSON or text."""
    for name in ("Location", "Link", "Content-Location"):
        for value in answer.headers.getlist(name):
            yield from re.findall(r"<([^>]*)>", value) or [value]
    for cookie in answer.headers.getlist("Set-Cookie"):
        yield re.search(r"(?i)path=([^;]*)", cookie)[1] + "/"
    if answer.mimetype == "text/html":
        yield from map(unescape, ATTRIBUTE.findall(answer.text))
    elif answer.mimetype.endswith("json"):
        found = answer.json
        if path.endswith("/openapi.json"):
            assert found["servers"] == [{"url": f"{PREFIX}/"}]
        else:
            yield from strings(found)
    elif answer.mimetype == "text/plain" and "/api/" not in path:
        yield from DOOR.findall(answer.text)
        yield from re.findall(r"Disallow: (\S+)", answer.text)
    elif answer.mimetype in ("text/css", "application/atom+xml"):
        yield from WITHIN.findall(answer.text)


def strings(found) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(found, list | dict):
        for it in found.values() if isinstance(found, dict) else found:
            yield from strings(it)


def leaves(address: str) -> bool:
    """Return True if an address of this server is outside the path."""
    for host in (OUTSIDE, "http://localhost", "https://localhost"):
        if address.startswith(host):
            address = address.removeprefix(host)
    absolute = re.match(r"/[a-z.]", address) is not None
    return absolute and not f"{address}/".startswith(f"{PREFIX}/")


def alike(kind: Kind) -> Kind:
    """Return a kind of page without its game; in `make test` one game's pages stand for those of
    the others, except the table itself, which has templates of its own.
    """
    if LONG or kind[0] == "table.show":
        return kind
    return tuple(" ".join(it for it in part.split(" ") if it not in GAMES) for part in kind)


def crawl(app, world: World, key: str) -> Iterator[tuple[str, str]]:
    """Yield each linked page with its addresses, once for each kind of page."""
    waiting = [PREFIX + it for it in [*world.begins, *BESIDE, *(world.own if key else ())]]
    waiting += [
        f"{PREFIX}{it}{voice}" for it in world.begins for voice in (".json", ".txt", ".say")
    ]
    known = set()
    while waiting:
        path = waiting.pop(0)
        inner = path.removeprefix(PREFIX)
        kind = kind_of(app, world, inner) or kind_of(app, world, inner.replace(".", "+"))
        kind = kind and alike(kind)
        kind = (kind, NO_HTML.findall(urlsplit(path).path).__repr__())
        if kind in known or re.search(r"/(events|wait)$|\.ndjson$", urlsplit(path).path):
            continue
        known.add(kind)
        answer = asked(app, path, key, "en")
        assert answer.status_code < 500, path
        for it in addresses(path, answer):
            yield path, it
        for name, address, more in (
            LINKED.findall(answer.text) if answer.mimetype == "text/html" else ()
        ):
            address = urljoin(path, unescape(address))
            if address.startswith(PREFIX) and not (name == "action" and "post" in more):
                waiting.append(address)
        if answer.location:
            waiting.append(urlsplit(answer.location).path)


@pytest.mark.slow
@pytest.mark.parametrize("key", [ANN, STRANGER], ids=["player", "stranger"])
def test_every_url_is_below_the_path_prefix(app, key):
    found = list(crawl(app, made(app.config["TABLES"]), key))
    assert len({page for page, _ in found}) > 60
    assert sorted({it for it in found if leaves(it[1])})[:60] == []


def test_prefix_is_optional_behind_a_proxy(app):
    client = app.test_client()
    for path in ("/cards/lobby", "/lobby"):
        assert client.get(path, headers={"Accept": "text/html"}).status_code == 200
    moved = client.get("/cards?lang=fr")
    assert (moved.status_code, moved.location) == (308, "/cards/?lang=fr")
    assert client.get("/cardsharp").status_code == 404


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_cookies_under_a_path_stay_below_it(app, scheme):
    client = app.test_client()
    base = {"base_url": f"{scheme}://example.org"}
    page = client.get("/cards/settings", **base)
    answer = client.post("/cards/settings", data={"next": "/cards/lobby", "look": "dark"}, **base)
    assert page.status_code == 200
    assert urlsplit(answer.location).path == "/cards/lobby"
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert cookie.startswith("__Secure-kb" if scheme == "https" else "kb")
    assert "Path=/cards;" in f"{cookie};"
    assert "Strict-Transport-Security" not in answer.headers  # it would affect the whole host


def test_settings_return_only_below_the_path(app):
    client = app.test_client()
    for path in ("/elsewhere", "//evil.example", "https://evil.example/cards/"):
        answer = client.post("/cards/settings", data={"next": path})
        assert urlsplit(answer.location).path == "/cards/"


def test_erasing_clears_only_cookies_below_the_path(app):
    client = app.test_client()
    client.set_cookie("kb", "key", path="/cards")
    answer = client.post(
        "/cards/account/delete", data={"sure": "1"}, headers={"Accept": "text/html"}
    )
    assert "storage" not in answer.headers.get("Clear-Site-Data", "")
    for cookie in answer.headers.getlist("Set-Cookie"):
        assert "Path=/cards" in cookie


def test_notification_links_are_below_the_path(app):
    base = app.extensions["kaboom.post"].base("")
    table = Waiting("ABCDEFGH", "GOPS", ("Ann",))
    assert said(Notification("mail", "x", (table,)), base).link == f"{OUTSIDE}/cards/t/ABCDEFGH"


def test_prefix_equal_to_a_page_is_refused(sqlite_url):
    with pytest.raises(InvalidSetting, match="must not have a path that begins with /lobby"):
        application(sqlite_url, public_url=f"{OUTSIDE}/lobby")


def test_under_strips_the_prefix_once():
    seen = []
    served = under(
        lambda environ, _: seen.append((environ["SCRIPT_NAME"], environ["PATH_INFO"])), "/a"
    )
    for path in ("/a/b", "/b", "/a/a/b", "/", ""):
        served({"PATH_INFO": path}, None)
    assert seen == [("/a", "/b"), ("/a", "/b"), ("/a", "/a/b"), ("/a", "/"), ("/a", "")]
