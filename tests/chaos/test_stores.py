"""Stores that crash, hang, are locked, full or unavailable: no move is lost, and play continues."""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from kaboom.db.database import Unavailable
from kaboom.db.migrate import upgrade
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.records.verify import check
from kaboom.tables.clock.scheduler import Ticker
from kaboom.tables.seats import leaving
from tests.chaos.play import Play
from tests.chaos.test_damage import begun, play
from tests.conftest import missing
from tests.support.browsing import BY_HTMX
from tests.support.effort import often
from tests.support.server import SECRET, Server, free_port

EPISODES = int(os.environ.get("KABOOM_EPISODES", "1"))
SEED = int(os.environ.get("KABOOM_SEED", "5"))


class Cluster:
    """A PostgreSQL that may crash."""

    def __init__(self, programs: Path) -> None:
        self.programs, self.port = programs, free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="kaboom-postgres-"))
        self.data = self.folder / "data"
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(self.folder, "postgres")
        self.run("initdb", "-A", "trust", "-U", "postgres", "--no-sync")
        self.start()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def run(self, program: str, *more: str) -> None:
        command = [str(self.programs / program), "-D", str(self.data), *more]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)

    def start(self) -> None:
        options = f"-p {self.port} -h 127.0.0.1 -k {self.folder}"
        log = str(self.folder / "log")
        self.run("pg_ctl", "-w", "-o", options, "-l", log, "start")

    def crash(self) -> None:
        """Stop it as a power cut would, without a shutdown."""
        self.run("pg_ctl", "-m", "immediate", "stop")

    def cut_off(self) -> None:
        """Close all clients' connections."""
        engine = create_engine(self.url.replace("postgresql:", "postgresql+psycopg:"))
        others = "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        with engine.connect() as connection:
            connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM ({others}) AS others"))
        engine.dispose()

    def remove(self) -> None:
        self.crash()
        shutil.rmtree(self.folder)


@pytest.fixture
def cluster():
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    programs = found[-1] if found else Path(shutil.which("initdb") or "/none/initdb").parent
    if not (programs / "initdb").exists():
        pytest.skip("initdb and pg_ctl, to run a PostgreSQL that may crash")
    running = Cluster(programs)
    yield running
    running.remove()


def test_play_survives_postgresql_crashes_and_cut_connections(cluster):
    upgrade(cluster.url, SECRET)
    server = Server(cluster.url, WEB_CONCURRENCY="2").start()
    try:
        crowd = Play(server.url, SEED, tables=2)
        with crowd:
            crowd.goes_on(10)
            for _ in range(EPISODES):
                cluster.crash()
                time.sleep(0.3)
                cluster.start()
                crowd.goes_on(10)
                for _ in range(3):
                    cluster.cut_off()
                    time.sleep(0.2)
                crowd.goes_on(10)
        assert crowd.judge(cluster.url).moves > 20 * EPISODES
    finally:
        server.kill()


class Redis:
    """A Redis that may disappear or hang."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        quiet = ["--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        command = ["redis-server", "--port", str(self.port), *quiet]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 10
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise TimeoutError("Redis does not answer")

    def signal(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def redis(tmp_path):
    if not shutil.which("redis-server"):
        missing("redis-server")
    running = Redis(tmp_path)
    running.start()
    yield running
    running.stop()


def test_play_survives_a_redis_that_stops_or_hangs(redis, postgres_url):
    limits = {"RATE_LIMITS": "1"}  # their counts are in Redis, too
    server = Server(postgres_url, REDIS_URL=redis.url, WEB_CONCURRENCY="2", **limits).start()
    try:
        crowd = Play(server.url, SEED, tables=2)
        with crowd:
            crowd.goes_on(10)
            for _ in range(EPISODES):
                redis.stop()
                crowd.goes_on(10, 15)
                redis.start()
                crowd.goes_on(10, 15)
                redis.signal(signal.SIGSTOP)
                hung = crowd.goes_on(20, 15)
                redis.signal(signal.SIGCONT)
                crowd.goes_on(10, 15)
        crowd.judge(postgres_url)
        assert hung < 10, "moves wait for a Redis that hangs"
    finally:
        server.kill()


def test_play_survives_sqlite_locks_of_another_process(sqlite_url):
    server = Server(sqlite_url).start()
    other = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
    try:
        crowd = Play(server.url, SEED, tables=2)
        slowest = 0.0
        with crowd:
            crowd.goes_on(10)
            for _ in range(EPISODES):
                other.execute("BEGIN IMMEDIATE")
                until = time.monotonic() + 2
                while time.monotonic() < until:
                    began = time.monotonic()
                    urllib.request.urlopen(server.url + "/healthz", timeout=5).read()
                    slowest = max(slowest, time.monotonic() - began)
                    time.sleep(0.05)
                other.execute("ROLLBACK")
                crowd.goes_on(10, 15)
        crowd.judge(sqlite_url)
        assert slowest < 1.5, "a foreign lock must not stop the whole server"
    finally:
        other.close()
        server.kill()


def test_a_full_disk_refuses_writes_and_play_resumes_with_space(open_tables, sqlite_url):
    tables = open_tables(sqlite_url)
    code, _ = begun(tables, "koth", 5)

    for _ in range(EPISODES):
        with tables.database._writer.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1")  # the smallest number
        with pytest.raises(Unavailable):
            play(tables, code, 500)
        made = tables.get(code).table.seq
        with pytest.raises(Unavailable):
            lobby.open(tables, "gops", GAMES["gops"].options(), 1, "Ann " * 5000)
        assert check(tables, code).wrong == []
        with tables.database._writer.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
        play(tables, code, 5)
        assert tables.get(code).table.seq == made + 5
        assert check(tables, code).wrong == []


@pytest.fixture
def two_workers(store_url, tmp_path):
    """A server with two workers on one store, of each kind in turn."""
    running = Server(store_url, FAULTS=str(tmp_path), FAULT_SEED="0")
    running.command = ["-m", "tests.chaos.points"]
    running.start()
    yield running
    running.kill()


def test_only_one_of_concurrent_duplicate_submissions_counts(two_workers, store_url):
    """32 from one page: half with the same command, the others each with another."""
    crowd = Play(two_workers.url, SEED, tables=1)
    ann, ben = crowd.tables[0]
    over = threading.Event()
    for _ in range(often(3, soak=6)):
        for person in (ann, ben):
            person.ask("GET", person.path + "/view", None, over)
        mover, (form, button) = next(
            (person, move)
            for person in (ann, ben)
            for move in person.browser.page.moves()
            # Flips and peeks may be repeated.
            if not re.search(" (flip|peek)", move[1][1])
        )
        fields = {**dict(form.filled(button)), "sure": "1"}
        barrier, statuses = threading.Barrier(32), []

        def send(n, mover=mover, fields=fields, barrier=barrier, statuses=statuses):
            turn = len(mover.reads)
            cmd = f"same {turn}" if n % 2 else f"own {turn} {n}"
            body = {**fields, "cmd": cmd}
            barrier.wait()
            answer = None
            while answer is None or answer.status_code == 503:
                answer = mover.browser.client.post(mover.path + "/move", data=body, headers=BY_HTMX)
            statuses.append((cmd, answer.status_code))

        threads = [threading.Thread(target=send, args=(n,)) for n in range(32)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        made = {cmd for cmd, status in statuses if status == 200}
        assert len(made) == 1, (button, statuses)
        assert {status for _, status in statuses} <= {200, 409, 422}
        for cmd, late in ((made.pop(), False), (f"late {len(mover.reads)}", True)):
            answer = mover.browser.client.post(
                mover.path + "/move", data={**fields, "cmd": cmd}, headers=BY_HTMX
            )
            assert (answer.status_code in (409, 422)) == late, (cmd, answer.status_code)
    crowd.judge(store_url)


def test_silent_clients_block_no_other_player(sqlite_url):
    server = Server(sqlite_url).start()
    deaf = []
    try:
        crowd = Play(server.url, SEED, tables=2)
        path = crowd.people[0].path
        for n in range(60):
            client = socket.create_connection(("127.0.0.1", server.port), timeout=5)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            whole = f"GET {path}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            client.sendall(whole[: -n % 40 or None].encode() if n % 2 else whole.encode())
            deaf.append(client)
        with crowd:
            crowd.goes_on(40)
        crowd.judge(sqlite_url)
    finally:
        for client in deaf:
            client.close()
        server.kill()


@pytest.mark.parametrize("jump", [3600.0, -3600.0, 40.0, -40.0])
def test_clock_jump_repeats_nothing_and_stalls_no_table(tables, fake_clock, jump):
    code, ann = begun(tables, "kaboom", 12, bots=3)
    leaving.leave(tables, code, ann)
    ticker = Ticker(tables)
    made = []
    for step in range(60):
        if step == 20:
            fake_clock.sleep(jump)
        ticker.tick()
        fake_clock.sleep(2 if step < 40 else max(2.0, -jump / 10))
        made.append(tables.get(code).table.seq)
    assert check(tables, code).wrong == []
    assert made == sorted(made)
    assert made[19] > made[0]
    assert made[-1] > made[20]
