"""docs/hosting/two-servers.sh unchanged: two servers behind nginx, killed while people play."""

import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from contextlib import closing, suppress
from pathlib import Path

import pytest

from kaboom.accounts.api_keys.service import is_key
from kaboom.db.database import Database
from kaboom.records.verify import check
from kaboom.tables.service import TableService
from tests.chaos.play import some_move
from tests.conftest import REDIS, missing
from tests.support.browsing import table_path
from tests.support.effort import PATIENCE, often
from tests.support.forms import Browser
from tests.support.server import ROOT, SECRET, HttpClient, free_port
from tests.support.server_pool import Forked, begun

CROWD = often(24, soak=80)  # people looking for a game simultaneously
AGAIN = often("1", soak="2")  # workers of a restarted server


class TwoServers:
    def __init__(self, folder, postgres_url: str) -> None:
        self.folder = folder
        self.port, self.first, self.second = free_port(), free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.again: list[Forked] = []
        self.log = (folder / "log").open("w")
        settings = {
            "DATABASE_URL": postgres_url, "REDIS_URL": REDIS, "SECRET_KEY": SECRET,
            "PORT": str(self.port), "FIRST": str(self.first), "SECOND": str(self.second),
            "FOLDER": str(folder), "RATE_LIMITS": "0", "BOT_PACE": "instant",
        }  # fmt: skip
        self.process = subprocess.Popen(
            ["sh", "docs/hosting/two-servers.sh"],
            cwd=ROOT,
            env=os.environ | settings,
            stdout=self.log,
            stderr=self.log,
            start_new_session=True,
        )
        self.settings = settings
        try:
            for port in (self.port, self.first, self.second):
                self.wait_for(port)
        except AssertionError:
            self.stop()  # or they would stay alive
            raise

    def wait_for(self, port: int, seconds: float = 2 * PATIENCE) -> None:
        deadline = time.monotonic() + seconds
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5):
                    return
            except OSError:
                assert time.monotonic() < deadline, Path(self.log.name).read_text()
                time.sleep(0.1)

    def pid(self, port: int) -> int:
        return int((self.folder / f"{port}.pid").read_text())

    def kill(self, port: int) -> None:
        """Kill a server's master and workers together, without a shutdown."""
        master = self.pid(port)
        children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        for pid in [master, *map(int, children)]:
            os.kill(pid, signal.SIGKILL)

    def start(self, port: int) -> None:
        """Restart a killed server, as its machine would."""
        more = {"HOST": "127.0.0.1", "PROXIES": "1", "PORT": str(port), "WEB_CONCURRENCY": AGAIN}
        file = str(self.folder / f"{port}.pid")
        command = ["-c", "kaboom/gunicorn_conf.py", "--pid", file, "tests.support.wsgi_app:app"]
        environ = os.environ | self.settings | more
        again = begun("gunicorn", command, environ, self.log.fileno())
        self.again.append(again)
        self.wait_for(port)

    def stop(self) -> None:
        self.log.close()
        self.process.terminate()
        try:
            self.process.wait(20)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            for server in self.again:
                server.terminate()
                server.wait(20)


@pytest.fixture(scope="module")
def two_servers(tmp_path_factory, postgres_server):
    """Two servers behind nginx, for all tests here, on the database left by other tests."""
    if not (shutil.which("nginx") or os.path.exists("/usr/sbin/nginx")):
        missing("nginx")
    running = TwoServers(tmp_path_factory.mktemp("two"), postgres_server)
    yield running
    running.stop()


def asked(port: int) -> int:
    """Return the number of requests a server has answered, with all of its workers."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as figures:
        counts = re.findall(r"^kaboom_requests_total\S* (\d+)", figures.read().decode(), re.M)
    return sum(map(int, counts))


def test_tables_are_spread_each_on_one_server(two_servers):
    ports = (two_servers.first, two_servers.second)
    before, homes = [asked(port) for port in ports], []
    for letter in "ABCDEFGHJKLMNPQRSTUV":  # an unknown table, but the servers get the requests
        for path in ("", ".txt", "/events"):
            with (
                pytest.raises(urllib.error.HTTPError),
                closing(
                    urllib.request.urlopen(
                        f"{two_servers.url}/t/{letter * 8}{path}", timeout=PATIENCE
                    )
                ),
            ):
                pass
        after = [asked(port) for port in ports]  # the question before is counted, too
        homes.append(tuple(now - was - 1 for now, was in zip(after, before, strict=True)))
        before = after
    assert set(homes) == {(0, 3), (3, 0)}  # one in 500,000 runs has all at one of them


def test_proxy_hides_metrics_and_readiness(two_servers):
    for path in ("/metrics", "/readyz"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(two_servers.url + path, timeout=PATIENCE)
        with refused.value as answer:
            assert answer.code == 404
    here = f"http://127.0.0.1:{two_servers.first}/metrics"
    with urllib.request.urlopen(here, timeout=PATIENCE) as figures:
        assert re.search(r"kaboom_streams\S* \d", figures.read().decode())


def test_programs_use_long_polls_and_streams_through_the_proxy(two_servers):
    def ask(path, key="", body=None):
        head = {"Accept": "application/json"}
        if key:
            head["Authorization"] = f"Bearer {key}"
        if body is not None:
            head["Content-Type"] = "application/json"
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(two_servers.url + path, sent, head)
        return urllib.request.urlopen(request, timeout=PATIENCE)

    ann, ben = (json.load(ask("/guests", body={"name": it}))["key"] for it in ("Ann", "Ben"))
    table = json.load(ask("/tables", ann, {"game": "gops", "name": "Ann"}))
    path = f"/t/{table['code']}"
    began, (wait, most) = time.monotonic(), often((2, 2 + PATIENCE), soak=(99, 26))
    assert json.load(ask(f"{path}.json?v={table['revision']}&wait={wait}", ann)) == table
    assert min(wait, 25) <= time.monotonic() - began < most
    with ask(f"{path}.ndjson", ann) as stream:
        assert json.loads(stream.readline())["table"] == table
        ask(f"{path}/sit", ben, {"name": "Ben"})
        lines = map(json.loads, iter(stream.readline, b""))
        now = next(it["table"] for it in lines if it["kind"] == "table")
    assert [it.get("name", "") for it in now["chairs"]][:2] == ["Ann", "Ben"]


def test_revoked_key_is_refused_at_once_by_the_other_server(two_servers):
    ann = Browser(HttpClient(f"http://127.0.0.1:{two_servers.first}"))
    ann.open("/settings/api-keys")
    ann.send(ann.page.form("/settings/api-keys"), key_name="terminal", name="Ann")
    key = next(word for word in ann.html.split('"') if is_key(word))
    other = f"http://127.0.0.1:{two_servers.second}/turns.json"

    def asked():
        """Ask so often that each worker very probably answers."""
        codes = set()
        for _ in range(8):
            request = urllib.request.Request(other, headers={"Authorization": f"Bearer {key}"})
            try:
                codes.add(urllib.request.urlopen(request, timeout=PATIENCE).status)
            except urllib.error.HTTPError as no:
                codes.add(no.code)
        return codes

    assert asked() == {200}
    ann.open("/settings/api-keys")
    ann.press("Revoke terminal")
    assert asked() == {401}


def connections_to(*ports):
    """Return the number of this machine's connections to these ports."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(int(line[2].split(":")[1], 16) in ports and line[3] == "01" for line in lines)


def status(port, source):
    connection = http.client.HTTPConnection("127.0.0.1", port, 10, source_address=(source, 0))
    with closing(connection):
        connection.request("GET", "/rules/kaboom")
        return connection.getresponse().status


def test_proxy_buffers_slow_bodies_and_limits_an_ip_address(two_servers):
    slow = []
    try:
        for _ in range(220):
            slow.append(socket.create_connection(("127.0.0.1", two_servers.port), 10))
            head = "POST /settings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000\r\n\r\nlook="
            slow[-1].sendall(head.encode())
        deadline = time.monotonic() + 20
        while status(two_servers.port, "127.0.0.1") != 429:  # nginx reads the requests one by one
            assert time.monotonic() < deadline
        assert status(two_servers.port, "127.0.0.2") == 200
        assert connections_to(two_servers.first, two_servers.second) < 100
    finally:
        for client in slow:
            client.close()


def test_crowd_at_two_servers_is_paired_once_despite_a_kill(two_servers, postgres_server):
    crowd = [f"Seeker {number}" for number in range(CROWD)]
    killed, seated = threading.Event(), {}

    def ask(path, key="", body=None):
        head = {"Accept": "application/json", "Content-Type": "application/json"}
        head |= {"Authorization": f"Bearer {key}"} if key else {}
        sent = None if body is None else json.dumps(body).encode()
        while True:  # as a page does when a server is gone
            try:
                request = urllib.request.Request(two_servers.url + path, sent, head)
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                    return json.load(answer)
            except OSError as error:
                assert getattr(error, "code", 502) in (502, 503, 504), error
                time.sleep(0.2)

    def seek(name):
        key = ask("/guests", body={"name": name})["key"]
        if int(name.split()[1]) % 2:
            killed.wait()  # so that half of them come while a server is dead
        found = ask("/play", key, {"name": name, "game": "gops"})
        deadline = time.monotonic() + 3 * PATIENCE
        while found["state"] != "seated" and time.monotonic() < deadline:
            time.sleep(0.3)
            found = ask("/play/wait.json", key)
        seated[name] = found.get("table", "")

    threads = [threading.Thread(target=seek, args=(name,)) for name in crowd]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + PATIENCE
    while len(seated) < CROWD // 4 and time.monotonic() < deadline:
        time.sleep(0.02)
    two_servers.kill(two_servers.first)
    killed.set()
    for thread in threads:
        thread.join()
    two_servers.start(two_servers.first)
    database = Database(postgres_server, SECRET)
    tables = TableService(database)
    found = {code: tables.get(code).table for code in {*seated.values()} - {""}}
    database.close()
    sat = [(it.name, code) for code, table in found.items() for _, it in table.sitting()]
    assert sorted(sat) == sorted((name, code) for name, code in seated.items() if code)
    assert all(table.playing and len(table.sitting()) == 2 for table in found.values())
    assert len(sat) == CROWD, "no player is lost"


# Last: the tests fork a restarted server (tests/support/server_pool.py).
def test_a_match_is_played_across_two_servers_and_either_may_die(two_servers, postgres_server):
    rng = random.Random(5)
    ann, ben = Browser(HttpClient(two_servers.url)), Browser(HttpClient(two_servers.url))
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)
    ben.open(path)
    ben.send(ben.page.form("/sit"), name="Ben")
    ben.send(ben.page.form("/ready"))
    ann.open(path)
    ann.send(ann.page.form("/start"))

    heard: list[str] = []
    over = threading.Event()

    def listen() -> None:
        request = urllib.request.Request(two_servers.url + path + "/events")
        while not over.is_set():
            try:
                with urllib.request.urlopen(request, timeout=30) as stream:
                    heard.extend(
                        line.decode().strip() for line in stream if line.startswith(b"data:")
                    )
            except OSError:
                time.sleep(0.1)

    threading.Thread(target=listen, daemon=True).start()

    def play(moves: int) -> None:
        for _ in range(moves):
            person = rng.choice([ann, ben])
            if move := some_move(person, path, rng):
                person.send(*move)
                assert person.status in (200, 409, 422), person.page.text

    play(12)
    two_servers.kill(two_servers.first)
    play(12)
    two_servers.start(two_servers.first)
    two_servers.kill(two_servers.second)
    play(12)
    two_servers.start(two_servers.second)
    for port in often([two_servers.first], soak=[two_servers.first, two_servers.second]):
        os.kill(two_servers.pid(port), signal.SIGHUP)  # a new version is deployed
        play(8)
    database = Database(postgres_server, SECRET)
    tables = TableService(database)
    found = check(tables, path[3:])
    spectator = tables.revision(path[3:])
    database.close()
    assert found.wrong == []
    assert found.moves > 20
    # A spectator's stream, cut off twice, still ends with the current view.
    deadline = time.monotonic() + 15
    while not heard or heard[-1] != f"data:{spectator}":
        assert time.monotonic() < deadline, (spectator, heard[-5:])
        time.sleep(0.1)
    assert len(set(heard)) > 5
    over.set()
