"""What docs/security.md promises, where no other test shows it already."""

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
from kaboom.lobby.seat_transfer import new_pass
from kaboom.tables.maintenance.cleanup import stop
from kaboom.web.limits import both, stream_address
from kaboom.web.session import COOKIE
from tests.support.app import application, close
from tests.support.browsing import BY_HTMX, limiting, table_path
from tests.support.effort import LONG
from tests.support.forms import Browser, Page
from tests.support.html import Markup
from tests.web.test_permissions import ROLES, ROWS, at, key, service_on

__all__ = ["at"]  # the fixture: a table at one of some stages

ROOT = Path(__file__).parents[2]
PLANTED = {"next": "//evil.example/", "code": "//evil.example/x", "seat": "//evil.example/"}
ASKED = PLANTED | {"v": "x", "ask": "<x1>", "page": "2", "step": "3"}


@pytest.fixture
def visit(at, one_app, quick_folder):
    """A function: open the client of a role at a copy of the world at a stage."""

    def opened(stage):
        world = at(stage)
        file = quick_folder / f"{stage}.sqlite3"
        if not file.exists():
            shutil.copy(world.file, file)
        tables = service_on(one_app, file)

        def send(role, method, rule, **more):
            code = {"/m/": "record", "/lo": "look"}.get(rule[:3], "code")
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
    """Yield stage, route and form of everything one can do with a method."""
    for name, (stage, form, _) in ROWS.items():
        if name.startswith(method + " "):
            yield stage, name.split(" ", 1)[1], form


# Forms of other sites

SITES = (None, "same-origin", "same-site", "cross-site", "none")
ORIGINS = (None, "{own}", "{other scheme}", "https://evil.example", "http://localhost:81", "null")
OTHER_SITE = "sent from another site"


def expected(site, origin, scheme):
    """Say whether a form may come from there: the rule, written a second time."""
    if site is not None:
        return site in ("same-origin", "none")
    # Whoever hears "https" knows that a page under http is not our own; not the other way round,
    # for the proxy in front may have kept to itself that it speaks https.
    own = ("{own}",) if scheme == "https" else ("{own}", "{other scheme}")
    return origin is None or origin in own


# Whence a form is sent to every route; elsewhere the rule is tried by a few, and in full by
# KABOOM_LONG=1.
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
    # That it is let through is seen in the lobby; elsewhere one ends the other's match.
    asked = [row for row in rows("POST") if row[0] == "lobby" or not allowed]
    if not LONG and (site, origin, scheme) not in TO_EVERY_ROUTE:
        asked = asked[:3]
    ready = {stage: visit(stage)[2] for stage, _, _ in asked}
    if not allowed:
        monkeypatch.setattr(Database, "write", lambda self, work: written.append(work))
    for stage, rule, form in asked:
        send = visit(stage)[0]
        data = {name: value.format(**ready[stage]) for name, value in form.items()}
        for method in ("POST",) if allowed else ("POST", "PUT", "DELETE", "PATCH"):
            base = f"{scheme}://localhost"
            answer = send("host", method, rule, data=data, headers=headers, base_url=base)
            assert (OTHER_SITE in answer.text) == (not allowed), (method, rule)
            assert allowed or answer.status_code == 403
            assert allowed or "Set-Cookie" not in answer.headers
    assert not written


# Looking


@pytest.mark.parametrize("stage", sorted({stage for stage, _, _ in rows("GET")}))
def test_looking_writes_nothing_and_leads_nowhere_else(stage, visit, monkeypatch):
    send, tables, _ = visit(stage)
    written = []
    monkeypatch.setattr("kaboom.play.view_routes.WAIT", 0.0)
    monkeypatch.setattr(Database, "write", lambda self, work: written.append(work))

    def look_on(connection, cursor, statement, *_):
        if not statement.lstrip().startswith(("SELECT", "PRAGMA")):
            written.append(statement)

    event.listen(tables.database._reader, "before_cursor_execute", look_on)
    asked = 0
    for at_stage, rule, _ in rows("GET"):
        if at_stage != stage:
            continue
        for role, method in product(ROLES, ("GET", "HEAD", "OPTIONS")):
            answer = send(role, method, rule, query_string=ASKED)
            assert answer.status_code < 500, rule
            assert not written, f"{method} {rule} by {role} writes"
            assert re.match(r"/(?!/)|http://localhost/|$", answer.headers.get("Location", "")), rule
            asked += 1
    assert asked
    # What the trap is worth: a form that was sent runs into it.
    assert send("host", "POST", "/tables", data={"game": "gops", "name": "Eve"}).status_code == 500
    assert written


BACK = (
    "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example",
    "/\n/evil.example", " //evil.example", "https:evil.example", "https://evil.example",
    "javascript:alert(1)", "data:text/html,x", "http://localhost.evil.example/", "evil.example",
    "/\r\nSet-Cookie: kb=x", "", "/é", "/%0d%0aSet-Cookie:x", "/@evil.example", "/.evil.example",
)  # fmt: skip


@pytest.mark.parametrize("back", BACK)
def test_settings_lead_back_to_this_host_only(back, browser):
    answer = browser().client.post("/settings", data={"look": "dark", "next": back})
    assert answer.status_code == 303
    assert re.fullmatch(r"(http://localhost)?/[^/\\\s]?[^\\\s]*", answer.headers["Location"])
    assert "kb=x" not in ",".join(answer.headers.getlist("Set-Cookie"))


# Who a browser is


def test_under_https_the_key_is_for_this_host_alone(app):
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
        (f"kb={value}", secure, False),  # anybody at a neighbouring name could have planted it
        (f"kb={value}", plain, True),
        (f"__Host-kb={value}", plain, False),
        ("__Host-kb=made-up", secure, False),
    ):
        headers = {"Cookie": cookie}
        answer = app.test_client(use_cookies=False).get("/", headers=headers, base_url=base)
        assert (path in answer.text) == known, (cookie, base)


def test_only_under_https_a_browser_is_told_to_stay_there(app):
    secure = app.test_client().get("/", base_url="https://localhost").headers
    assert secure["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert "Strict-Transport-Security" not in app.test_client().get("/").headers


def test_forgetting_oneself_empties_the_browser_and_a_copied_key_is_nobodys(table, app):
    path, (ann, _) = table("Ann", "Ben")
    stop(app.config["TABLES"], path[3:])
    value = ann.client.get_cookie(COOKIE).value
    copied = {"Cookie": f"kb={value}"}
    other = app.test_client(use_cookies=False)
    assert "1 match" in other.get("/me", headers=copied).text
    answer = ann.client.post("/me/forget", data={"what": "all", "sure": "1"})
    assert answer.headers["Clear-Site-Data"] == '"cache", "storage"'
    assert "kb=;" in answer.headers["Set-Cookie"]
    assert "1 match" not in other.get("/me", headers=copied).text
    assert path not in other.get("/", headers=copied).text
    for page in ("/me", "/feed", "/me/clubs", f"/c/{path[3:]}", "/turns"):
        assert other.get(page).headers["Cache-Control"] == "private, no-store", page
    move = other.post(f"{path}/rematch", headers=copied)
    assert move.status_code == 403


# Text of others

MARKUP = ("\"><x1 y1='z'>", "' x1='{{7*7}}%(n)s{n}", "</p></title><x1>--><!--")
PLAIN = "Someone"
# Addresses on a page of ours; an invitation may be sent to somebody the reader chooses.
OUR_OWN = r"/(?!/)|[#?]|http://localhost/|data:image/(svg\+xml|png;base64,)|sms:\?|mailto:\?|$"


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
    """Let text be everything two people can type, and return every page that could show it."""
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
        snapshot = service.look(code)
        record = snapshot.table.record if snapshot.table.outcome else None
        for who, person in looking.items():
            for _, rule, _ in rows("GET"):
                if "<code>" not in rule and rule not in ("/", "/me", "/lobby", "/lobby/rooms"):
                    continue
                if re.search(r"json|svg|events|wait|secret|^/look", rule):
                    continue
                if rule.startswith("/m/") and not record:
                    continue
                address = rule.replace("<code>", record if rule.startswith("/m/") else code)
                address = re.sub("<int.*?>", "1", address)
                answer = person.client.get(address)
                if answer.mimetype == "text/html":
                    shown[stage, who, rule] = answer.text

    if LONG or game == "kaboom":  # where no card is dealt yet all games have the same pages
        look("lobby")
    ben.client.post(f"{path}/ready")
    for _ in range(GAMES[game].seats(GAMES[game].options())[0] - 2):
        ann.client.post(f"{path}/bot")
    ann.client.post(f"{path}/start")
    assert service.look(code).table.playing
    ben.client.post(f"{path}/propose", data={"about": "pause"})
    look("playing")
    stop(service, code)
    look("over")
    return shown


def tried(game):
    """Return what is typed: at the gate all of it in Kaboom, in the others one each, by turns."""
    return MARKUP if LONG or game == "kaboom" else [MARKUP[list(GAMES).index(game) % len(MARKUP)]]


@pytest.mark.parametrize("game", list(GAMES))
def test_whatever_people_type_stays_text_on_every_page(
    game, table, browser, app, watch, monkeypatch
):
    # The same cards each time, though people cut the cards with what they type.
    drawing = (
        "transaction",
        "snapshot",
        "maintenance.recovery",
        "match_record",
        "spectators.views",
    )
    for module in (*(f"tables.{name}" for name in drawing), "records.replay"):
        monkeypatch.setattr(f"kaboom.{module}.match_key", lambda *_: bytes(32))
    plain = {
        page: Shape(html).found for page, html in pages(table, browser, app, game, PLAIN).items()
    }
    for text in tried(game):
        watch.sleep(13 * 3600)  # the lobby lists no table that long
        found = pages(table, browser, app, game, text)
        assert found.keys() == plain.keys()
        told = 0
        for page, html in found.items():
            shape = Shape(html)
            assert "x1" not in str(shape.found), page
            assert shape.found == plain[page], page
            assert all(re.match(OUR_OWN, address) for address in shape.addresses), page
            told += text[:24].strip() in Page(html).text
        assert told > 20, "what was typed is hardly anywhere, so this proves nothing"


def test_only_five_places_may_make_markup_of_their_own():
    """The rules and the reference (Markdown of ours, without HTML in it), translated texts (facts
    are escaped), what keeps regions, and parts of tournaments' pages, that templates have drawn.
    """
    making = {
        str(path.relative_to(ROOT / "kaboom"))
        for path in (ROOT / "kaboom").rglob("*.py")
        if re.search(r"\bMarkup\b|autoescape=False|render_template_string", path.read_text())
    }
    ours = {"web/rules_pages.py", "web/api/reference.py"}
    drawn = {"web/i18n.py", "play/fragments.py", "tournaments/pages.py"}
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
def test_no_file_outside_of_the_static_folder_is_served(name, app):
    answer = app.test_client().get(f"/static/{name}")
    assert answer.status_code in (404, 308)
    assert "root:" not in answer.text
    assert "import" not in answer.text


@pytest.mark.parametrize("debug", [False, True])
def test_an_error_nobody_foresaw_is_logged_and_not_shown(debug, app, caplog, monkeypatch):
    def broken(*_):
        raise RuntimeError("SELECT secret FROM /srv/kaboom/instance")

    monkeypatch.setattr(app.config["TABLES"], "look", broken)
    monkeypatch.setattr(app, "debug", debug)
    answer = app.test_client().get("/t/AAAAAAAA")
    assert answer.status_code == 500
    assert "Something went wrong on our side" in answer.text
    for word in ("SELECT", "/srv", "RuntimeError", "Traceback", ".py"):
        assert word not in answer.text
    assert "RuntimeError" in caplog.text


def test_a_server_does_not_start_in_debugging(app):
    assert not app.debug
    assert "debug" not in (ROOT / "kaboom" / "gunicorn_conf.py").read_text()


def test_no_secret_comes_into_a_log(table, browser, app, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG)
    path, (ann, ben) = table("Ann", "Ben")
    ann.client.post(f"{path}/door", data={"password": "open sesame"})
    assert browser().client.get(f"{path}/view").status_code == 403
    code, service = path[3:], app.config["TABLES"]
    for word in ("open sesame", "wrong sesame"):
        browser().client.post(f"{path}/enter", data={"password": word})
    snapshot = service.look(code, hashlib.sha256(_key(ann).encode()).hexdigest())
    secret = new_pass(service, code, snapshot.player)
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


# Starts the bots that the user of the arena names, and serves nobody.
ARENA = {ROOT / "kaboom" / "cli" / "line_protocol.py", ROOT / "kaboom" / "cli" / "arena.py"}


def test_nothing_that_runs_what_it_reads_is_used():
    for path in (ROOT / "kaboom").rglob("*.py"):
        if path in ARENA:
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


def test_the_server_knows_nothing_of_the_arena_and_loads_no_migrations():
    unknown = "[n for n in sys.modules if 'arena' in n or n == 'alembic']"
    served = f"import sys, kaboom.app; print({unknown})"
    done = subprocess.run([sys.executable, "-c", served], capture_output=True, cwd=ROOT, text=True)
    assert done.stdout.strip() == "[]", done.stderr


# Limits


@pytest.fixture
def limited(one_app, sqlite_url):
    """A function that opens the application with its limits; other tests do without."""
    with ExitStack() as opened:
        yield lambda **more: opened.enter_context(limiting(sqlite_url, **more))


def test_a_redis_that_hangs_keeps_nobody_waiting_for_what_is_counted(limited):
    waits = {"socket_timeout", "socket_connect_timeout"}
    config = limited(redis_url="redis://127.0.0.1:1/0").config
    assert all(config["RATELIMIT_STORAGE_OPTIONS"][it] <= 0.5 for it in waits)
    assert limited().config["RATELIMIT_STORAGE_OPTIONS"] == {}


def opens(app, times, **more):
    """Open so many tables, each as another browser; return the last status."""
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


def test_whoever_has_pictures_drawn_is_limited(limited):
    client = limited().test_client()
    answers = [client.get("/pictures/gops.png").status_code for _ in range(61)]
    assert answers == [200] * 60 + [429]


FORGED = "198.51.100.{}"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "status"),
    [
        (0, FORGED, 429),  # nobody is believed
        (1, f"{FORGED}, 203.0.113.1", 429),  # what the client wrote stands left of the proxy's
        (1, FORGED, 303),  # these are different people
        (2, f"{FORGED}, 203.0.113.1, 203.0.113.2", 429),
    ],
)
def test_whom_a_limit_counts_is_not_for_the_client_to_say(proxies, forwarded, status, limited):
    app = limited(proxies=proxies)
    forged = {"headers": lambda n: {"X-Forwarded-For": forwarded.format(n)}}
    assert opens(app, 41, **forged) == status


def test_an_ipv6_household_counts_as_one(limited):
    app = limited()
    near = {"environ": lambda n: {"REMOTE_ADDR": f"2001:db8:0:1::{n:x}"}}
    assert opens(app, 41, **near) == 429
    assert opens(app, 1, environ=lambda n: {"REMOTE_ADDR": "2001:db8:0:2::1"}) == 303
    assert opens(app, 1, environ=lambda n: {"REMOTE_ADDR": "::ffff:203.0.113.9"}) == 303


@pytest.mark.parametrize("how", ["nobody listens", "it hangs"])
def test_limits_hold_without_redis_and_nobody_waits_for_it(how, limited):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        if how == "it hangs":
            silent.listen(64)  # the kernel accepts; nobody ever answers
        app = limited(redis_url=f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        began = time.monotonic()
        assert opens(app, 1) == 303
        assert opens(app, 41) == 429
        # Each waits for it a quarter of a second at most, and after the first few not at all.
        assert time.monotonic() - began < 30


ELSEWHERE = {"REMOTE_ADDR": "198.51.100.7"}  # not where Eve is


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "That was a little fast."), ("sw", "Umekwenda haraka kidogo.")],
)
def test_who_is_too_fast_is_told_in_their_language_and_when_to_come_again(
    language, sentence, limited
):
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
def test_who_has_to_wait_longer_than_a_moment_is_told_how_long(
    language, sentence, limited, monkeypatch
):
    app = limited()
    monkeypatch.setattr("kaboom.web.errors.seconds_left", lambda: 3541)
    for _ in range(21):
        answer = app.test_client().post(
            "/tables", data={"game": "gops"}, headers={"Accept-Language": language}
        )
    assert answer.status_code == 429 and sentence in answer.text


@pytest.mark.parametrize("by_script", [False, True])
def test_who_is_too_fast_at_a_table_still_sees_the_table(by_script, limited):
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
    assert "That was a little fast." in answer.text
    assert 'id="table"' in answer.text
    assert answer.text.lstrip().startswith("<!doctype") != by_script


@pytest.mark.parametrize("door", ["sit", "talk", "enter"])
def test_who_is_too_fast_where_no_table_is_or_a_password_keeps_them_out_is_told_so(door, limited):
    app = limited()
    ann = Browser(app.test_client())
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann", password="sesame")
    for path in ("/t/ZZZZZZZZ", table_path(ann)):
        for _ in range(62):
            answer = app.test_client().post(f"{path}/{door}", data={"password": "sesame"})
        assert answer.status_code == 429
        assert 0 < int(answer.headers["Retry-After"]) <= 3600
        assert "That was a little fast." in answer.text


def test_printing_is_limited(limited):
    app = limited()
    for _ in range(31):
        answer = app.test_client().get("/m/ZZZZZZZZ/print")
    assert answer.status_code == 429


WRONG_CODES = (
    *("/t/{}", "/t/{}/view", "/m/{}", "/m/{}.json", "/m/{}/verify", "/look/{}AA"),
    *("/c/{}", "/friend/{}"),
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
    assert refused.status_code == 429, "the right one would tell"
    assert "Too many wrong codes" in refused.text
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert refused.text.replace(path[3:], "") == eve.get("/t/WRNG9999").text.replace("WRNG9999", "")
    assert eve.get("/").status_code == 200
    assert eve.get(path, environ_overrides=ELSEWHERE).status_code == 200
    # Whoever sits there comes in from the same address.
    assert ann.client.get(path).status_code == 200
    assert ann.client.post(f"{path}/bot").status_code == 303


def test_who_has_guessed_too_often_is_told_when_to_come_again(limited):
    client, nowhere = limited().test_client(), "/nowhere/at/all"
    for number in range(30):
        assert client.get(f"/t/ZZZZ{1000 + number}").status_code == 404
        assert client.get(nowhere).status_code == 404
    refused = client.get("/t/YYYYYYYY")
    assert refused.status_code == 429
    assert "Too many wrong codes." in refused.text
    assert 50 < int(refused.headers["Retry-After"]) <= 60
    assert client.get(nowhere).status_code == 404  # that is no code


def test_a_page_that_asks_for_a_lost_table_again_and_again_guesses_nothing(limited):
    app = limited()
    for _ in range(100):
        assert app.test_client().get("/t/ZZZZZZZZ/view").status_code == 404
    assert app.test_client().get("/t/YYYYYYYY").status_code == 404


def test_whoever_waits_is_counted_with_the_streams_of_its_address(limited, monkeypatch):
    app = limited()
    ann = Browser(app.test_client())
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    monkeypatch.setattr("kaboom.play.view_routes.WAIT", 0.0)
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
        ("127.0.0.1", ""),  # perhaps everybody, behind a proxy that nobody told us of
        ("::1", ""),
    ],
)
def test_streams_are_counted_by_address_unless_it_is_our_own(asked_from, counted, limited, app):
    for served, found in ((limited(), counted), (app, "")):  # the last has no limits
        with served.test_request_context(environ_overrides={"REMOTE_ADDR": asked_from}):
            assert stream_address() == found


# Hosts and requests that are two things at once


def test_an_invitation_names_the_public_address_whatever_the_host_header_says(sqlite_url):
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
def test_what_two_servers_could_read_differently_is_refused(request_text, real):
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


def test_the_page_of_the_standard_names_every_item_once():
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


def test_the_security_page_names_every_threat_once():
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


def test_a_route_counts_each_browser_and_more_from_its_address_whoever_it_is(limited):
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
def test_only_http_1_0_may_leave_out_for_whom_a_request_is(app, protocol, host, status):
    asked = {"SERVER_PROTOCOL": protocol, "HTTP_HOST": host}
    assert app.test_client().get("/", environ_overrides=asked).status_code == status
