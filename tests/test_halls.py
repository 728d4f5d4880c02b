"""docs/hosting/nginx-halls.conf and Caddyfile-halls as they stand: two whole Kabooms, each on a
database of its own, behind one name. Friends play at a table in each, and a browser has a seat at
both.
"""

import json
import re
import shutil
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import create_engine, text

from kaboom.db.database import Database
from kaboom.records.replay import Check, check
from kaboom.tables.service import Tables
from tests.conftest import postgres_database
from tests.counts import PATIENCE, some
from tests.proxies import behind_caddy, behind_nginx
from tests.server import SECRET, HttpClient, Server
from tests.web.conftest import table_path
from tests.web.forms import Browser

HALLS = ("First hall", "Hall B")
Behind = Callable[..., AbstractContextManager[str]]


class TwoHalls:
    def __init__(self, folder: Path, databases: list[str], behind: Behind) -> None:
        self.databases = databases
        self.servers = [
            Server(database, HALL=letter, HALLS="B", PROXIES="1")
            for letter, database in zip(("", "B"), databases, strict=True)
        ]
        self.proxy = ExitStack()
        with ThreadPoolExecutor() as at_once:
            list(at_once.map(Server.start, self.servers))
        ports = [it.port for it in self.servers]
        self.url = self.proxy.enter_context(behind(folder, *ports))

    def browser(self) -> Browser:
        return Browser(HttpClient(self.url))

    def stop(self) -> None:
        self.proxy.close()
        for server in self.servers:
            server.kill()

    def checked(self, number: int, code: str) -> Check:
        """Replay all matches of a table in a hall from their logs."""
        database = Database(self.databases[number], SECRET)
        try:
            return check(Tables(database), code)
        finally:
            database.close()

    def codes(self, number: int, table: str = "tables") -> set[str]:
        """Return the codes in a hall's database."""
        engine = create_engine(self.databases[number].replace("sql://", "sql+psycopg://"))
        with engine.connect() as connection:
            found = {code for (code,) in connection.execute(text(f"select code from {table}"))}
        engine.dispose()
        return found


@contextmanager
def two_databases(kind: str, folder: Path, migrated_sqlite: Path) -> Iterator[list[str]]:
    """The addresses of two new databases of a kind, which know nothing of each other."""
    if kind == "postgresql":
        with postgres_database() as first, postgres_database() as second:
            yield [first, second]
    else:
        files = [folder / "first.sqlite3", folder / "b.sqlite3"]
        for file in files:
            shutil.copy(migrated_sqlite, file)
        yield [f"sqlite:///{file}" for file in files]


@pytest.fixture(
    scope="module", params=some([("postgresql", behind_nginx), ("sqlite", behind_caddy)])
)
def two_halls(request, tmp_path_factory, migrated_sqlite):
    folder = tmp_path_factory.mktemp("halls")
    kind, behind = request.param
    with two_databases(kind, folder, migrated_sqlite) as databases:
        running = TwoHalls(folder, databases, behind)
        yield running
        running.stop()


def here(browser: Browser) -> str:
    """Return the name of the hall that a page says it is of."""
    return browser.html.split('<h2 id="h-halls">')[1].split("<")[0]


def go(browser: Browser, hall: str) -> None:
    """Go to a hall's home page: some are led there by themselves, the others press its button."""
    browser.open("/")
    for link, words in browser.page.links:
        if words.startswith(hall):
            browser.open(link)
    assert here(browser) == hall


def opened(people: Sequence[Browser], hall: str) -> str:
    """Let the first go to a hall and open a table, the second follow the link; they begin."""
    ann, ben = people
    go(ann, hall)
    ann.open(next(link for link, _ in ann.page.links if link.startswith("/start/gops")))
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)
    ben.open(path)
    ben.send(ben.page.form("/sit"), name="Ben")
    ann.open(path)
    ann.send(ann.page.form("/start"))
    return path


def bid(person: Browser, path: str) -> None:
    """Bid the first card of the hand."""
    form, button = person.open(path).moves()[0]
    person.send(form, button, form.boxes[:1])


def keys(browser: Browser) -> dict[str, str]:
    return {it.name: it.value for it in browser.client.jar if it.name in ("kb", "kb-B")}


def at_home(browser: Browser) -> str:
    return next(it.value for it in browser.client.jar if it.name == "kb-at")


def test_friends_play_in_both_halls_and_keep_their_seats(two_halls):
    people = [two_halls.browser(), two_halls.browser()]
    paths = [opened(people, hall) for hall in HALLS]
    codes = [path.removeprefix("/t/") for path in paths]
    assert [len(code) for code in codes] == [8, 9] and codes[1][0] == "B"
    for number, code in enumerate(codes):
        assert code in two_halls.codes(number) and code not in two_halls.codes(1 - number)
    kept = [keys(person) for person in people]
    assert all(set(each) == {"kb", "kb-B"} for each in kept)
    for _ in range(13):  # by turns at the one and at the other, as with two tabs
        for path in paths:
            for person in people:
                bid(person, path)
    for number, path in enumerate(paths):
        for person in people:
            record = next(
                link for link, _ in person.open(path).links if link.startswith("/m/")
            ).split("?")[0]
            assert person.open(record) and person.status == 200
            assert person.client.get(f"{record}.json").status_code == 200
        assert record.split("/")[2] in two_halls.codes(number, "matches")
        found = two_halls.checked(number, codes[number])
        assert found.wrong == [] and found.moves == 26
    assert [keys(person) for person in people] == kept
    # Both are at home where they first sat down; each hall tells of the other.
    homes = [at_home(person) for person in people]
    assert homes == ["first", "first"]
    for person in people:
        person.open("/")
        for hall, other in (HALLS, HALLS[::-1]):
            assert here(person) == hall
            mine = [code for code in codes if code in person.page.text]
            assert mine == [codes[HALLS.index(hall)]]
            assert f"{other}: you are known there" in person.page.text
            go(person, other)


def test_a_code_of_no_table_is_answered_by_its_hall(two_halls):
    ann = two_halls.browser()
    for code in ("QQQQQQQQ", "BQQQQQQQQ", "bqqqqqqqq", "QQQQQQQQQ"):
        assert ann.open(f"/t/{code}") and ann.status == 404
        assert "There is no table with that code" in ann.page.text
        ann.open(f"/m/{code}")
        assert ann.status == 404 and "no match with that code" in ann.page.text
    ann.open("/join?code=bqqqqqqqq")
    assert ann.status == 404 and "There is no table with that code" in ann.page.text
    # A proxy that leads to the wrong hall is told so, in every voice.
    for server, code in zip(two_halls.servers, ("BQQQQQQQQ", "QQQQQQQQ"), strict=True):
        lost = Browser(HttpClient(server.url))
        for address in (f"/t/{code}", f"/m/{code}", f"/e/{code}", f"/c/{code}", f"/t/{code}.json"):
            lost.open(address)
            assert lost.status == 421, address
            assert "This belongs to another hall" in lost.html


def test_who_is_forgotten_in_one_hall_sits_on_in_the_other(two_halls):
    people = ann, _ = two_halls.browser(), two_halls.browser()
    path = opened(people, HALLS[0])
    key = keys(ann)["kb"]
    go(ann, HALLS[1])
    ann.press("GOPS")  # against bots
    assert set(keys(ann)) == {"kb", "kb-B"}
    table = table_path(ann)
    ann.open(f"{table}/leave")
    ann.send(ann.page.form("/leave"))
    go(ann, HALLS[1])
    ann.open(next(link for link, words in ann.page.links if words == "Your matches"))
    assert here(ann) == HALLS[1]
    ann.send(ann.page.form("/me/forget"), ("what", "all", ""), [("sure", "1")])
    assert keys(ann) == {"kb": key}
    assert ann.open(path).moves()


def test_secret_links_lead_to_their_hall_and_clubs_open_tables_in_theirs(two_halls):
    """Whose home is in the other hall has come by their link, and stays by those of the pages."""
    ann, ben = two_halls.browser(), two_halls.browser()
    opened([ann, ben], HALLS[0])
    go(ann, HALLS[1])
    ann.open(next(link for link, words in ann.page.links if words == "Your clubs"))
    ann.send(ann.page.form("/me/clubs"), club="The Terns", called="Ann")
    ann.press("Make a link into the club")
    link = re.search(r"/club/B\.[\w-]{32}", ann.html)
    ben.open(link[0])
    ben.send(ben.page.form(link[0]), name="Ben")
    assert "as Ben" in ben.page.text and set(keys(ben)) == {"kb", "kb-B"}
    ben.press("Open")
    assert table_path(ben).startswith("/t/B")
    assert at_home(ben) == "first"


def test_programs_are_led_by_their_key(two_halls):
    client, json_please = two_halls.browser().client, {"Accept": "application/json"}
    for hall, letter in (("first", ""), ("B", "B")):
        made = client.post(f"/guests?hall={hall}", {"name": "Zoe"}, json_please)
        key = json.loads(made.text)["key"]
        assert key.startswith(f"kb{letter}_")
        shown = json_please | {"Authorization": f"Bearer {key}"}
        table = client.post("/tables", {"game": "gops", "name": "Zoe"}, shown)
        assert re.fullmatch(rf"{letter}[A-Z0-9]{{8}}", json.loads(table.text)["code"])


A, B, NOBODY = "first_hall", "hall_b", ""  # nobody: a newcomer, who is spread
SECRET_PART = "x" * 31 + "-"
ADDRESSES = [  # where it leads, the address, and what is sent along
    *((A, f"/{it}/AAAABBBB{more}", {}) for it in "tmec" for more in ("", "/view", ".json")),
    *((B, f"/{it}/BAAAABBBB{more}", {}) for it in "tmec" for more in ("", "/view", ".json")),
    (B, "/t/baaaabbbb", {}),
    (A, f"/look/{'A' * 20}", {}),
    (B, f"/look/B{'A' * 20}/3", {}),
    *((A, f"/{it}/{SECRET_PART}", {}) for it in ("in", "friend", "club", "calls/mail")),
    *((B, f"/{it}/B.{SECRET_PART}.atom", {}) for it in ("feed", "turns")),
    (A, "/t/AAAABBBB?hall=B", {"Cookie": "kb-at=B"}),  # what stands in the address comes first
    (B, "/t/BAAAABBBB", {"Authorization": "Bearer kb_1"}),
    (A, "/turns.json", {"Authorization": "Bearer kb_1", "Cookie": "kb-at=B"}),
    (B, "/turns.json", {"Authorization": "bearer  kbB_1"}),
    (A, "/me?page=2&hall=first", {"Cookie": "kb-at=B"}),
    (B, "/me?hall=B", {"Cookie": "kb-at=first"}),
    (A, "/", {"Cookie": "x=1; kb-at=first; kb-B=2"}),
    (B, "/", {"Cookie": "kb=1; __Host-kb-at=B"}),
    (A, "/", {"Cookie": "__Host-kb=1"}),
    *((NOBODY, it, {}) for it in ("/", "/t/short", "/t/AAAABBBB99", "/me?hall=C", "/static/x.css")),
    (NOBODY, "/", {"Cookie": "kb-B=1; notkb-at=first"}),
]


class Says(BaseHTTPRequestHandler):
    """A hall that says only which one it is."""

    def do_GET(self) -> None:
        name = self.server.hall.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(name)))
        self.end_headers()
        self.wfile.write(name)

    def log_message(self, *args) -> None:
        pass


@contextmanager
def saying(hall: str) -> Iterator[int]:
    """The port of such a hall."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Says) as server:
        server.hall = hall
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("behind", [behind_nginx, behind_caddy])
def test_an_address_leads_to_its_hall(tmp_path, behind):
    with saying(A) as first, saying(B) as second, behind(tmp_path, first, second) as url:
        for hall, address, headers in ADDRESSES:
            asked = urllib.request.Request(url + address, headers=headers)
            with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
                found = answer.read().decode()
            assert found == hall or hall == NOBODY, address
