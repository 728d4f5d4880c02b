"""The promises of docs/security.md that no other test proves."""

import ast
import hashlib
import logging
import re
import shutil
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import pytest
from sqlalchemy import event

from kaboom.db.database import Database
from kaboom.games import GAMES
from kaboom.lobby.seat_transfer.service import new_transfer
from kaboom.tables.maintenance.interventions import stop
from kaboom.web.rate_limits import both, stream_address
from kaboom.web.session import COOKIE
from tests.support.app import application, close
from tests.support.browsing import BY_HTMX, limiting, table_path
from tests.support.effort import LONG, some
from tests.support.forms import Browser, Page
from tests.support.html import Markup
from tests.web.test_permissions import ROLES, ROWS, at, key, service_on

__all__ = ["at"]  # the fixture: a table at one of several stages

ROOT = Path(__file__).parents[2]
PLANTED = {"next": "//evil.example/", "code": "//evil.example/x", "seat": "//evil.example/"}
ASKED = PLANTED | {"v": "x", "ask": "<x1>", "page": "2", "step": "3"}


@pytest.fixture
def visit(at, one_app, quick_folder):
    """Return a function that opens a role's client at a copy of the world at a stage."""

    def opened(stage):
        world = at(stage)
        file = quick_folder / f"{stage}.sqlite3"
        if not file.exists():
            shutil.copy(world.file, file)
        tables = service_on(one_app, file)

        def send(role, method, rule, **more):
            code = {"m": "record", "replay": "look"}.get(rule.split("/")[1], "code")
            facts = {**world.facts, "code": world.facts.get(code, "")}
            path = re.sub(r"<(?:[^>:]*:)?([a-z]+)>", lambda found: facts[found[1]], rule)
            client = one_app.test_client()
            if role != "nobody":
                client.set_cookie("kb", key(role))
                client.set_cookie("__Host-kb", key(role), secure=True)
            answer = client.open(path, method=method, **more)
            answer.close()
            return answer

        return send, tables, world.facts

    return opened


def rows(method):
    """Yield stage, route and form of every possible request with a method."""
    for name, (stage, form, _) in ROWS.items():
        if name.startswith(method + " "):
            yield stage, name.split(" ", 1)[1], form


# Forms of other sites

SITES = (None, "same-origin", "same-site", "cross-site", "none")
ORIGINS = (None, "{own}", "{other scheme}", "https://evil.example", "http://localhost:81", "null")
OTHER_SITE = "sent from another site"


def expected(site, origin, scheme):
    """Return True if a form may come from there, by an independent implementation of the rule."""
    if site is not None:
        return site in ("same-origin", "none")
    # Under https, a page under http is not our own. The reverse does not hold, because a proxy that
    # speaks https may not have said so.
    own = ("{own}",) if scheme == "https" else ("{own}", "{other scheme}")
    return origin is None or origin in own


# Origins from which a form is sent to every route. Others are tried on a few routes, and on all
# with KABOOM_LONG=1.
TO_EVERY_ROUTE = {
    ("cross-site", "https://evil.example", "https"),
    (None, None, "http"),
}


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(("site", "origin"), list(product(SITES, ORIGINS)))
def test_a_form_of_another_site_is_refused_by_every_route(site, origin, scheme, visit, monkeypatch):
    other = {"http": "https", "https": "http"}[scheme]
    filled = {"{own}": f"{scheme}://localhost", "{other scheme}": f"{other}://localhost"}
    headers = {"Sec-Fetch-Site": site, "Origin": filled.get(origin, origin)}
    headers = {name: value for name, value in headers.items() if value}
    allowed = expected(site, origin, scheme)
    written = []
    # Accepted forms are sent in the lobby only, since one of them would end a match for the others.
    asked = [row for row in rows("POST") if row[0] == "lobby" or not allowed]
    if not LONG and (site, origin, scheme) not in TO_EVERY_ROUTE:
        asked = asked[:3]
    ready = {stage: visit(stage)[2] for stage, _, _ in asked}
    if not allowed:
        monkeypatch.setattr(Database, "write", lambda self, work: written.append(work))
    for number, (stage, rule, form) in enumerate(asked):
        send = visit(stage)[0]
        data = {name: value.format(**ready[stage]) for name, value in form.items()}
        others = () if allowed else some(("PUT", "DELETE", "PATCH"), every=3, first=number % 3)
        for method in ("POST", *others):
            base = f"{scheme}://localhost"
            answer = send("host", method, rule, data=data, headers=headers, base_url=base)
            assert (OTHER_SITE in answer.text) == (not allowed), (method, rule)
            assert allowed or answer.status_code == 403
            assert allowed or "Set-Cookie" not in answer.headers
    assert not written


# GET requests


@pytest.mark.parametrize("stage", sorted({stage for stage, _, _ in rows("GET")}))
def test_get_requests_write_nothing_and_redirect_safely(stage, visit, monkeypatch):
    send, tables, _ = visit(stage)
    written = []
    monkeypatch.setattr("kaboom.table_page.view_routes.WAIT", 0.0)
    monkeypatch.setattr(Database, "write", lambda self, work: written.append(work))

    def look_on(connection, cursor, statement, *_):
        if not statement.lstrip().startswith(("SELECT", "PRAGMA")):
            written.append(statement)

    event.listen(tables.database._reader, "before_cursor_execute", look_on)
    asked = 0
    for at_stage, rule, _ in rows("GET"):
        if at_stage != stage:
            continue
        beside = [*product(ROLES, ("HEAD", "OPTIONS"))]
        for role, method in (*product(ROLES, ("GET",)), *some(beside, 5, asked % 5)):
            answer = send(role, method, rule, query_string=ASKED)
            assert answer.status_code < 500, rule
            assert not written, f"{method} {rule} by {role} writes"
            assert re.match(r"/(?!/)|http://localhost/|$", answer.headers.get("Location", "")), rule
            asked += 1
    assert asked
    # The check works: a form that writes is caught by it.
    assert send("host", "POST", "/tables", data={"game": "gops", "name": "Eve"}).status_code == 500
    assert written


BACK = (
    "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example",
    "/\n/evil.example", " //evil.example", "https:evil.example", "https://evil.example",
    "javascript:alert(1)", "data:text/html,x", "http://localhost.evil.example/", "evil.example",
    "/\r\nSet-Cookie: kb=x", "", "/é", "/%0d%0aSet-Cookie:x", "/@evil.example", "/.evil.example",
)  # fmt: skip


@pytest.mark.parametrize("back", BACK)
def test_settings_return_only_to_this_host(back, browser):
    answer = browser().client.post("/settings", data={"look": "dark", "next": back})
    assert answer.status_code == 303
    assert re.fullmatch(r"(http://localhost)?/[^/\\\s]?[^\\\s]*", answer.headers["Location"])
    assert "kb=x" not in ",".join(answer.headers.getlist("Set-Cookie"))


# Identifying a browser


def test_https_cookies_are_host_only(app):
    secure, plain = "https://localhost", "http://localhost"
    client = app.test_client()
    form = {"game": "gops", "name": "Ann"}
    answer = client.post("/tables", data=form, base_url=secure)
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-kb=")
    for part in ("; Secure", "; HttpOnly", "; Path=/", "; SameSite=Lax"):
        assert part in cookie
    assert "Domain" not in cookie
    path = re.sub("https?://localhost", "", answer.location)
    settled = client.post("/settings", data={"look": "dark"}, base_url=secure)
    assert settled.headers["Set-Cookie"].startswith("__Host-kb-settings=")
    assert 'data-look="dark"' in client.get("/", base_url=secure).text
    value = client.get_cookie("__Host-kb").value
    for cookie, base, known in (
        (f"__Host-kb={value}", secure, True),
        (f"kb={value}", secure, False),  # any site at a sibling host name could have set it
        (f"kb={value}", plain, True),
        (f"__Host-kb={value}", plain, False),
        ("__Host-kb=made-up", secure, False),
    ):
        headers = {"Cookie": cookie}
        answer = app.test_client(use_cookies=False).get("/", headers=headers, base_url=base)
        assert (path in answer.text) == known, (cookie, base)


def test_hsts_is_sent_under_https_only(app):
    secure = app.test_client().get("/", base_url="https://localhost").headers
    assert secure["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert "Strict-Transport-Security" not in app.test_client().get("/").headers


def test_erasing_a_player_clears_the_browser_and_revokes_the_key(table, app):
    path, (ann, _) = table("Ann", "Ben")
    stop(app.config["TABLES"], path[3:])
    value = ann.client.get_cookie(COOKIE).value
    copied = {"Cookie": f"kb={value}"}
    other = app.test_client(use_cookies=False)
    assert "/m/" in other.get("/account", headers=copied).text
    answer = ann.client.post("/account/delete", data={"what": "all", "sure": "1"})
    assert answer.headers["Clear-Site-Data"] == '"cache", "storage"'
    assert "kb=;" in answer.headers["Set-Cookie"]
    assert "/m/" not in other.get("/account", headers=copied).text
    assert path not in other.get("/", headers=copied).text
    for page in ("/account", "/feed", "/clubs", f"/clubs/{path[3:]}", "/turns"):
        assert other.get(page).headers["Cache-Control"] == "private, no-store", page
    move = other.post(f"{path}/rematch", headers=copied)
    assert move.status_code == 403


# Text of other people

MARKUP = ("\"><x1 y1='z'>", "' x1='{{7*7}}%(n)s{n}", "</p></title><x1>--><!--")
PLAIN = "Someone"
# Addresses allowed on our pages; invitations may be sent to anyone the reader chooses.
OUR_OWN = r"/(?!/)|[#?]|http://localhost/|data:image/(svg\+xml|png;base64,)|sms:\?|mailto:\?|$"
# Links that send an invitation when pressed.
MESSENGERS = r"https://wa\.me/\?text=|https://t\.me/share/url\?url=|sgnl://send\?text="


class Shape(Markup):
    """The elements of a page and the names of their attributes, without any text."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.addresses = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, *(name for name, _ in attrs)))
        self.addresses += [v or "" for n, v in attrs if n in ("href", "src", "action")]

    def handle_comment(self, data):
        self.found.append("a comment")


def pages(table, browser, app, game, text):
    """Use the text in everything two people can type; return every page that could show it."""
    path, (ann, ben) = table(text, text, game=game, listed="1", ready=False)
    service, code = app.config["TABLES"], path[3:]
    ann.client.post(f"{path}/cut", data={"cut": text})
    for person in (ann, ben):
        assert person.client.post(f"{path}/talk", data={"text": text}).status_code == 303
    watcher = browser()
    watcher.client.post(f"{path}/talk", data={"text": text, "name": text})
    shown = {}

    looking = {"host": ann, "other": ben, "watcher": watcher}
    if not LONG and game != "kaboom":  # another player reads the same sentences
        del looking["other"]

    def look(stage):
        snapshot = service.get(code)
        record = snapshot.table.record if snapshot.table.outcome else None
        for who, person in looking.items():
            for _, rule, _ in rows("GET"):
                if "<code>" not in rule and rule not in ("/", "/account", "/lobby", "/lobby/rooms"):
                    continue
                if re.search(r"json|svg|events|wait|secret|^/replay", rule):
                    continue
                if rule.startswith("/m/") and not record:
                    continue
                address = rule.replace("<code>", record if rule.startswith("/m/") else code)
                address = re.sub("<int.*?>", "1", address)
                answer = person.client.get(address)
                if answer.mimetype == "text/html":
                    shown[stage, who, rule] = answer.text

    if LONG or game == "kaboom":  # before a deal all games have the same pages
        look("lobby")
    ben.client.post(f"{path}/ready")
    for _ in range(GAMES[game].seats(GAMES[game].options())[0] - 2):
        ann.client.post(f"{path}/bot")
    ann.client.post(f"{path}/start")
    assert service.get(code).table.playing
    ben.client.post(f"{path}/propose", data={"about": "pause"})
    look("playing")
    stop(service, code)
    look("over")
    return shown


def tried(game):
    """Return the texts to type: in `make test` many in Kaboom, and one in each other game."""
    if LONG or game == "kaboom":
        return some(MARKUP)
    return [MARKUP[list(GAMES).index(game) % len(MARKUP)]]


@pytest.mark.parametrize("game", list(GAMES))
def test_player_input_is_escaped_on_every_page(game, table, browser, app, fake_clock, monkeypatch):
    # The cards are the same each time, although the typed text is also used as a cut.
    for module in ("match_record", "queries", "snapshot", "transaction"):
        monkeypatch.setattr(f"kaboom.tables.{module}.match_key", lambda *_: bytes(32))
    plain = {
        page: Shape(html).found for page, html in pages(table, browser, app, game, PLAIN).items()
    }
    for text in tried(game):
        fake_clock.sleep(13 * 3600)  # the lobby lists no table for so long
        found = pages(table, browser, app, game, text)
        assert found.keys() == plain.keys()
        told = 0
        for page, html in found.items():
            shape = Shape(html)
            assert "x1" not in str(shape.found), page
            assert shape.found == plain[page], page
            assert all(
                re.match(f"{OUR_OWN}|{MESSENGERS}", address) for address in shape.addresses
            ), page
            told += text[:24].strip() in Page(html).text
        assert told > 20, "the typed text is hardly shown, so this proves nothing"


def test_only_seven_modules_create_markup():
    """The rules and the reference (Markdown without HTML), translated texts (facts are escaped),
    the caches of regions and of parts of tournament pages, which templates have rendered, the file
    of a match, with our script and style, and the times on the host's pages.
    """
    making = {
        str(path.relative_to(ROOT / "kaboom"))
        for path in (ROOT / "kaboom").rglob("*.py")
        if re.search(r"\bMarkup\b|autoescape=False|render_template_string", path.read_text())
    }
    ours = {"web/rules_pages.py", "web/api/reference.py"}
    drawn = {
        "admin/blueprint.py",
        "web/i18n.py",
        "table_page/table_html.py",
        "tournaments/pages.py",
        "records/html_file.py",
    }
    assert making == ours | drawn
    assert all('"html": False' in (ROOT / "kaboom" / path).read_text() for path in ours)


# Files, errors, logs, code

OUTSIDE = (
    "../app.py", "..%2fapp.py", "%2e%2e/app.py", "%2e%2e%2fapp.py", "vendor/../../app.py",
    "vendor/%2e%2e/%2e%2e/app.py", "/etc/passwd", "%2fetc/passwd", "..\\app.py", "..%5capp.py",
    "games/../../app.css", "games/kaboom/../kaboom.css", "kaboom.css%00.py", "%00", ".", "..",
    "....//app.py", "%252e%252e/app.py", "vendor", "file:///etc/passwd", "games/kaboom.py",
)  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_file_outside_the_static_folder_is_served(name, app):
    answer = app.test_client().get(f"/static/{name}")
    assert answer.status_code in (404, 308)
    assert "root:" not in answer.text
    assert "import" not in answer.text


def test_unexpected_error_is_logged_and_not_shown(app, caplog, monkeypatch):
    def broken(*_):
        raise RuntimeError("SELECT secret FROM /srv/kaboom/instance")

    monkeypatch.setattr(app.config["TABLES"], "get", broken)
    answer = app.test_client().get("/t/AAAAAAAA")
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.text
    for word in ("SELECT", "/srv", "RuntimeError", "Traceback", ".py"):
        assert word not in answer.text
    assert "RuntimeError" in caplog.text


def test_unexpected_error_is_raised_in_debug_mode(app, monkeypatch):
    def broken(*_):
        raise RuntimeError("an internal error")

    monkeypatch.setattr(app.config["TABLES"], "get", broken)
    monkeypatch.setattr(app, "debug", True)
    with pytest.raises(RuntimeError, match="an internal error"):
        app.test_client().get("/t/AAAAAAAA")


def test_server_is_never_started_in_debug_mode(app):
    assert not app.debug
    assert "debug" not in (ROOT / "kaboom" / "gunicorn_conf.py").read_text()


def test_secrets_are_never_logged(table, browser, app, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG)
    path, (ann, ben) = table("Ann", "Ben")
    ann.client.post(f"{path}/door", data={"password": "open sesame"})
    assert browser().client.get(f"{path}/view").status_code == 403
    code, service = path[3:], app.config["TABLES"]
    for word in ("open sesame", "wrong sesame"):
        browser().client.post(f"{path}/enter", data={"password": word})
    snapshot = service.get(code, hashlib.sha256(_key(ann).encode()).hexdigest())
    secret = new_transfer(service, code, snapshot.player)
    carried = browser()
    carried.open(f"{path}/carry/{secret}")
    carried.client.post(f"{path}/carry/{secret}")
    call = "https://hooks.example.org/call-me"
    ben.client.post(f"{path}/call", data={"address": call})
    broken = Database.write

    def failing(self, work):
        broken(self, work)
        raise RuntimeError("the store fails")

    monkeypatch.setattr(Database, "write", failing)
    ben.client.post(f"{path}/call", data={"address": call + "2"})
    ben.client.post(f"{path}/enter", data={"password": "open sesame"})
    carried.client.post(f"{path}/carry/{secret}")
    assert "the store fails" in caplog.text
    keys = [_key(person) for person in (ann, carried)]
    for hidden in ("sesame", secret, "call-me", *keys):
        assert hidden not in caplog.text


def _key(browser):
    return browser.client.get_cookie(COOKIE).value


DANGEROUS = {"pickle", "marshal", "shelve", "yaml", "subprocess", "ctypes", "xml", "code"}


# The arena starts bots that its user names; the coach starts this program with fixed arguments.
STARTING = {
    ROOT / "kaboom" / path for path in ("cli/line_protocol.py", "cli/arena.py", "coach/runner.py")
}


def test_no_unsafe_deserializer_is_used():
    for path in (ROOT / "kaboom").rglob("*.py"):
        if path in STARTING:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name.split(".")[0] for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [(node.module or "").split(".")[0]]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile"), path
            assert not DANGEROUS & set(names), path


def test_server_imports_no_arena_and_loads_no_migrations():
    unknown = "[n for n in sys.modules if 'arena' in n or n == 'alembic']"
    served = f"import sys, kaboom.app; print({unknown})"
    done = subprocess.run([sys.executable, "-c", served], capture_output=True, cwd=ROOT, text=True)
    assert done.stdout.strip() == "[]", done.stderr


# Limits


@pytest.fixture
def limited(one_app, sqlite_url):
    """A function that opens the application with its limits, which are off in other tests."""
    with ExitStack() as opened:
        yield lambda **more: opened.enter_context(limiting(sqlite_url, **more))


def test_redis_counter_timeouts_are_short(limited):
    waits = {"socket_timeout", "socket_connect_timeout"}
    config = limited(redis_url="redis://127.0.0.1:1/0").config
    assert all(config["RATELIMIT_STORAGE_OPTIONS"][it] <= 0.5 for it in waits)
    assert limited().config["RATELIMIT_STORAGE_OPTIONS"] == {}


def opens(app, times, **more):
    """Open this many tables, each in a new browser; return the last status."""
    form = {"game": "gops", "name": "Ann"}
    for number in range(times):
        asked = {name: value(number) for name, value in more.items()}
        answer = app.test_client().post(
            "/tables",
            data=form,
            headers=asked.get("headers", {}),
            environ_overrides=asked.get("environ", {}),
        )
    return answer.status_code


def test_picture_requests_are_limited(limited):
    client = limited().test_client()
    answers = [client.get("/pictures/gops.png").status_code for _ in range(61)]
    assert answers == [200] * 60 + [429]


FORGED = "198.51.100.{}"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "status"),
    [
        (0, FORGED, 429),  # no header is trusted
        (1, f"{FORGED}, 203.0.113.1", 429),  # the client's text is left of the proxy's
        (1, FORGED, 303),  # these are different people
        (2, f"{FORGED}, 203.0.113.1, 203.0.113.2", 429),
    ],
)
def test_client_cannot_choose_its_rate_limit_key(proxies, forwarded, status, limited):
    app = limited(proxies=proxies)
    forged = {"headers": lambda n: {"X-Forwarded-For": forwarded.format(n)}}
    assert opens(app, 41, **forged) == status


def test_ipv6_subnet_counts_as_one_ip_address(limited):
    app = limited()
    near = {"environ": lambda n: {"REMOTE_ADDR": f"2001:db8:0:1::{n:x}"}}
    assert opens(app, 41, **near) == 429
    assert opens(app, 1, environ=lambda n: {"REMOTE_ADDR": "2001:db8:0:2::1"}) == 303
    assert opens(app, 1, environ=lambda n: {"REMOTE_ADDR": "::ffff:203.0.113.9"}) == 303


@pytest.mark.parametrize("how", ["nobody listens", "it hangs"])
def test_limits_hold_without_redis_and_do_not_block(how, limited):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        if how == "it hangs":
            silent.listen(64)  # the kernel accepts; no process answers
        app = limited(redis_url=f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        began = time.monotonic()
        assert opens(app, 1) == 303
        assert opens(app, 41) == 429
        # The first few requests wait a quarter of a second each, at most; later ones do not wait.
        assert time.monotonic() - began < 30


ELSEWHERE = {"REMOTE_ADDR": "198.51.100.7"}  # not where Eve is


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Too many requests."), ("sw", "Umekwenda haraka kidogo.")],
)
def test_rate_limited_client_gets_a_translated_retry_time(language, sentence, limited):
    app = limited()
    answer = None
    for _ in range(21):
        answer = app.test_client().post(
            "/tables", data={"game": "gops"}, headers={"Accept-Language": language}
        )
        assert ("Retry-After" in answer.headers) == (answer.status_code == 429)
    assert answer.status_code == 429
    assert sentence in answer.text
    assert "per 1 minute" not in answer.text
    assert 0 < int(answer.headers["Retry-After"]) <= 60


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Try again in 60 minutes."), ("sw", "Jaribu tena baada ya dakika 60.")],
)
def test_longer_wait_is_stated(language, sentence, limited, monkeypatch):
    app = limited()
    monkeypatch.setattr("kaboom.web.errors.seconds_left", lambda: 3541)
    for _ in range(21):
        answer = app.test_client().post(
            "/tables", data={"game": "gops"}, headers={"Accept-Language": language}
        )
    assert answer.status_code == 429 and sentence in answer.text


@pytest.mark.parametrize("by_script", [False, True])
def test_rate_limited_player_still_sees_the_table(by_script, limited):
    app = limited()
    ann = Browser(app.test_client())
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)
    headers = BY_HTMX if by_script else {}
    for _ in range(31):
        answer = ann.client.post(f"{path}/sit", data={"name": "Ann"}, headers=headers)
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 60
    assert "Too many requests." in answer.text
    assert 'id="table"' in answer.text
    assert answer.text.lstrip().startswith("<!doctype") != by_script


@pytest.mark.parametrize("door", ["sit", "talk", "enter"])
def test_rate_limited_guess_looks_the_same_with_or_without_table(door, limited):
    app = limited()
    ann = Browser(app.test_client())
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann", password="sesame")
    for path in ("/t/ZZZZZZZZ", table_path(ann)):
        for _ in range(62):
            answer = app.test_client().post(f"{path}/{door}", data={"password": "sesame"})
        assert answer.status_code == 429
        assert 0 < int(answer.headers["Retry-After"]) <= 3600
        assert "Too many requests." in answer.text


def test_print_page_requests_are_limited(limited):
    app = limited()
    for _ in range(31):
        answer = app.test_client().get("/m/ZZZZZZZZ/print")
    assert answer.status_code == 429


WRONG_CODES = (
    *("/t/{}", "/t/{}/view", "/m/{}", "/m/{}.json", "/m/{}/verify", "/replay/{}AA"),
    *("/clubs/{}", "/friends/add/{}"),
)


@pytest.mark.parametrize("asked", [*WRONG_CODES, "{path}/carry/{}"])
def test_codes_cannot_be_guessed(asked, limited):
    app = limited()
    ann, eve = Browser(app.test_client()), app.test_client()
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)
    statuses = []
    for number in range(40):
        address = asked.format(f"WRNG{number:04}", path=path)
        statuses.append(eve.get(address).status_code)
    assert statuses[:30] in ([404] * 30, [410] * 30)
    assert statuses[30:] == [429] * 10
    refused = eve.get(path)
    assert refused.status_code == 429, "the right one would reveal it"
    assert "Too many wrong codes" in refused.text
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert refused.text.replace(path[3:], "") == eve.get("/t/WRNG9999").text.replace("WRNG9999", "")
    assert eve.get("/").status_code == 200
    assert eve.get(path, environ_overrides=ELSEWHERE).status_code == 200
    # A player seated there is admitted from the same address.
    assert ann.client.get(path).status_code == 200
    assert ann.client.post(f"{path}/bot").status_code == 303


def test_blocked_guesser_gets_a_retry_time(limited):
    client, nowhere = limited().test_client(), "/nowhere/at/all"
    for number in range(30):
        assert client.get(f"/t/ZZZZ{1000 + number}").status_code == 404
        assert client.get(nowhere).status_code == 404
    refused = client.get("/t/YYYYYYYY")
    assert refused.status_code == 429
    assert "Too many wrong codes." in refused.text
    assert 50 < int(refused.headers["Retry-After"]) <= 60
    assert client.get(nowhere).status_code == 404  # this is not a table code


def test_repeated_requests_for_a_lost_table_do_not_count(limited):
    app = limited()
    for _ in range(100):
        assert app.test_client().get("/t/ZZZZZZZZ/view").status_code == 404
    assert app.test_client().get("/t/YYYYYYYY").status_code == 404


def test_waiting_client_counts_against_its_ip_stream_limit(limited, monkeypatch):
    app = limited()
    ann = Browser(app.test_client())
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    monkeypatch.setattr("kaboom.table_page.view_routes.WAIT", 0.0)
    asked = []
    hub = app.extensions["kaboom.hub"]
    subscribe = hub.subscribe
    monkeypatch.setattr(hub, "subscribe", lambda *who: asked.append(who) or subscribe(*who))
    path = table_path(ann)
    ann.client.get(f"{path}/wait", environ_overrides=ELSEWHERE)
    assert asked == [(path[3:], hashlib.sha256(_key(ann).encode()).hexdigest(), "198.51.100.7")]


@pytest.mark.parametrize(
    ("asked_from", "counted"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("2001:db8:0:1::7", "2001:db8:0:1::/64"),
        ("127.0.0.1", ""),  # perhaps all clients, behind an undeclared proxy
        ("::1", ""),
    ],
)
def test_streams_are_counted_by_ip_address_except_local_ones(asked_from, counted, limited, app):
    for served, found in ((limited(), counted), (app, "")):  # the second application has no limits
        with served.test_request_context(environ_overrides={"REMOTE_ADDR": asked_from}):
            assert stream_address() == found


# Ambiguous hosts and requests


def test_invitation_uses_the_public_url_not_the_host_header(sqlite_url):
    app = application(sqlite_url, public_url="https://cards.example.org")
    try:
        ann = Browser(app.test_client())
        ann.open("/start/gops")
        ann.send(ann.page.form("/tables"), name="Ann")
        path = next(f.action for f in ann.page.forms if f.action.startswith("/t/"))
        path = "/".join(path.split("/")[:3])
        cookie = {"Cookie": f"kb={_key(ann)}", "Host": "evil.example"}
        page = app.test_client(use_cookies=False).get(path, headers=cookie)
        assert page.status_code == 200
        assert f"https://cards.example.org{path}" in page.text
        assert "evil.example" not in page.text
    finally:
        close(app)


HEAD = "POST /settings HTTP/1.1\r\nHost: localhost\r\n"
CHUNKS = "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
TWO_THINGS = {
    "length and chunks": f"{HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n{CHUNKS}",
    "two lengths": f"{HEAD}Content-Length: 4\r\nContent-Length: 44\r\n\r\nlook",
    "a signed length": f"{HEAD}Content-Length: +4\r\n\r\nlook",
    "an unknown encoding": f"{HEAD}Transfer-Encoding: xchunked\r\n\r\n{CHUNKS}",
    "a space before the colon": f"{HEAD}Transfer-Encoding : chunked\r\n\r\n{CHUNKS}",
    "a folded line": f"{HEAD}X-A: b\r\n Content-Length: 4\r\n\r\nlook",
    "a line end in a name": f"{HEAD}X\rA: b\r\nContent-Length: 4\r\n\r\nlook",
    "a bad size of a chunk": f"{HEAD}Transfer-Encoding: chunked\r\n\r\n0x4\r\nlook\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("request_text", TWO_THINGS.values(), ids=list(TWO_THINGS))
def test_ambiguous_http_is_refused(request_text, real):
    with socket.create_connection(("127.0.0.1", real.port), timeout=10) as connection:
        connection.sendall(request_text.encode())
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while more := connection.recv(65536):
            answer += more
    assert re.match(rb"HTTP/1.1 (400|501) ", answer), answer[:200]
    assert answer.count(b"HTTP/1.1 ") == 1, "a second request was read out of the first"
    assert b"Traceback" not in answer


# The page itself

# How many items ASVS 5.0.0 has up to level 2, by chapter and section.
ITEMS = """1: 2 9 11 3 2; 2: 3 3 4 1; 3: 0 2 4 6 5 0 2; 4: 3 1 2 4; 5: 1 3 2 3; 6: 3 12 4 4 5 3 0 4;
7: 3 4 2 5 2 2; 8: 2 3 1 1; 9: 3 4; 10: 2 2 4 11 5 2 3; 11: 2 3 3 4 1 1; 12: 3 2 4; 13: 1 5 2 5;
14: 2 4 3; 15: 3 3 7; 16: 1 5 4 3 3; 17: 1 4 2"""


THREATS = 35


def test_asvs_page_lists_every_item_once():
    page = (ROOT / "docs/asvs.md").read_text()
    wanted = {
        f"{chapter}.{section}.{number}"
        for chapter, counts in (part.split(":") for part in ITEMS.replace("\n", "").split(";"))
        for section, count in enumerate(counts.split(), 1)
        for number in range(1, int(count) + 1)
        for chapter in [chapter.strip()]
    }
    assert len(wanted) == 253
    found = []
    for row in page.splitlines():
        items = row.split("|")[1] if row.startswith("|") else row
        for first, last in re.findall(r"(\d+\.\d+\.\d+)(?:–(\d+\.\d+\.\d+))?", items):
            section, low = first.rsplit(".", 1)
            high = (last or first).rsplit(".", 1)[1]
            found += [f"{section}.{number}" for number in range(int(low), int(high) + 1)]
    found = [item for item in found if item != "5.0.0"]
    assert sorted(found) == sorted(wanted)


def test_security_page_lists_every_threat_once():
    page = (ROOT / "docs/security.md").read_text()
    assert [int(number) for number in re.findall(r"^\| T(\d+) \|", page, re.M)] == [
        *range(1, THREATS + 1)
    ]


@pytest.mark.parametrize(("name", "least"), [("security.md", 100), ("asvs.md", 60)])
def test_only_tests_that_exist_are_named_as_proofs(name, least):
    page = (ROOT / "docs" / name).read_text()
    named = re.findall(r"`([a-z0-9_/]+\.py)::(test_\w+)`", page)
    assert len(named) >= least
    for file, test in named:
        assert f"def {test}(" in (ROOT / "tests" / file).read_text(), f"{file}::{test}"
    assert page.count(".py::") == len(named)


def test_route_limits_each_browser_and_its_ip_address(limited):
    app = limited()
    app.add_url_rule("/dear", view_func=both("1 per hour", "4 per hour")(lambda: "done"))

    def asked(*browsers):
        return [browser.get("/dear").status_code for browser in browsers]

    ann, ben, nameless = (app.test_client() for _ in range(3))
    for browser, letter in ((ann, "a"), (ben, "b")):
        browser.set_cookie(COOKIE, letter * 43)
    assert asked(ann, ann) == [200, 429]
    assert asked(ben) == [200]
    assert asked(nameless, nameless, nameless) == [200, 200, 429], "the fifth from this address"


@pytest.mark.parametrize(
    ("protocol", "host", "status"),
    [
        ("HTTP/1.1", "localhost", 200),
        ("HTTP/1.1", "", 400),
        ("HTTP/1.0", "localhost", 200),
        ("HTTP/1.0", "", 200),
    ],
)
def test_only_http_1_0_may_omit_the_host(app, protocol, host, status):
    asked = {"SERVER_PROTOCOL": protocol, "HTTP_HOST": host}
    assert app.test_client().get("/", environ_overrides=asked).status_code == status
