"""The rows of the benchmark, measured from outside over HTTP."""

import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import psycopg

from bench.browser import Answer, Browser
from bench.checkout import ROOT, Checkout
from bench.room import Room
from bench.server import Server, redis_server

POSTGRES = os.environ.get("BENCH_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
KEY = re.compile(r"kb_[\w-]{49}")
KEY_PATHS = ("/settings/api-keys", "/me/keys")  # the present path, and that in release 2
SCRIPT = re.compile(r'<(?:script|img)[^>]* src="(/[^"]+)"')
SHEET = re.compile(r'<link[^>]* href="(/[^"]+\.css[^"]*)"')
MOVES, REQUESTS = 12, 40  # per round
STREAMS, CROWD, TABLES = 400, 1000, 1000
SETTLING, EVENING = 40.0, 60.0  # seconds before the moves at many tables are timed, and for which


class Stage:
    """A checkout's server with the objects of most rows, each created when a row first needs it."""

    def __init__(self, checkout: Checkout, folder: Path) -> None:
        self.checkout, self.folder = checkout, folder

    @cached_property
    def server(self) -> Server:
        """The server shared by rows that leave nothing behind."""
        return self.checkout.serve(self.folder)

    @cached_property
    def room(self) -> Room:
        """Four players at Kaboom with open streams and a log of maximum length."""
        room = Room(self.server)
        room.play(40)
        room.listen()
        return room

    @cached_property
    def program(self) -> Browser:
        """A program acting for the first player, which reads with a key."""
        fields = {"key_name": "bench", "scope": "look"}
        for path in KEY_PATHS:
            made = self.room.people[0].ask("POST", path, fields).text
            if key := KEY.search(made):
                return Browser(self.server.port, self.room.table, bearer=key[0])
        raise RuntimeError("no key was created")

    @cached_property
    def visitor(self) -> Browser:
        """A player at 20 tables that are listed in the lobby."""
        visitor = Browser(self.server.port)
        for _ in range(20):
            visitor.ask("POST", "/tables", {"game": "gops", "name": "Ann", "listed": "1"})
        return visitor

    def cpu(self, ask: Callable[[], Answer], requests: int = REQUESTS) -> float:
        """Return the milliseconds of processor time for a request, whose response must have status
        200.
        """
        ask()
        before = self.server.cpu()
        if any(ask().status != 200 for _ in range(requests)):
            raise RuntimeError("a request was refused")
        return (self.server.cpu() - before) / requests

    def close(self) -> None:
        """Close all connections and stop the server, if running."""
        for name in ("room", "program", "visitor"):
            if name in self.__dict__:
                self.__dict__[name].close()
        if "server" in self.__dict__:
            self.server.stop()


class Row(NamedTuple):
    """One row: its name, unit, measurement of a round, and limit.

    It is measured in each `every`-th round. With `hellos`, the limit is a multiple of the processor
    time of a Flask hello-world page. `heavy` rows are measured only in long runs.
    """

    name: str
    unit: str
    measure: Callable[[Stage], float]
    most: float | None = None
    hellos: bool = False
    every: int = 1
    heavy: bool = False


# 1. A table in play


def move(stage: Stage) -> float:
    """Return the cost of a move: its response, the three other views and four streams."""
    return stage.room.play(MOVES)


def reveal(stage: Stage) -> float:
    """Return the cost of the last of ten choices in TakeN, which reveals all of them to all
    players.
    """
    room = Room(stage.server, "taken", [f"P{n}" for n in range(10)], threshold="500")
    room.listen()
    costs = []
    while len(costs) < 2:
        verb, cost = choose_all(room)
        costs += [cost] * (verb == "choose")
    room.close()
    return statistics.mean(costs)


def choose_all(room: Room) -> tuple[str, float]:
    """Make every player who can move do so; return the verb and the cost of the last one's move."""
    able = []
    for person in room.people:
        person.load()
        able += [person] * bool(set(person.offers()) & {"choose", "take", "ready"})
    for person in able:
        person.load()  # other moves may have changed the offers
        verb, moves = next(iter(person.offers().items()), ("", []))
        if person is able[-1]:
            room.settle()
            before = room.server.cpu()
            room.press(person, moves[0])
            return verb, room.server.cpu() - before
        if moves:
            person.send_move(moves[0])
            person.show(person.answer().text)
    raise RuntimeError("no player can move")


def view(stage: Stage) -> float:
    """Return the cost of the table's view, fetched as if it had changed."""
    return stage.cpu(lambda: stage.room.people[0].look(anew=True))


def page(stage: Stage) -> float:
    """Return the cost of the table's whole page."""
    player = stage.room.people[0]
    return stage.cpu(lambda: player.fetch(player.table))


def program_look(ending: str) -> Callable[[Stage], float]:
    """Return a function that measures a program's request for a table in the format with this
    suffix.
    """
    return lambda stage: stage.cpu(lambda: stage.program.fetch(stage.room.table + ending))


# 2. Other pages


def visit(path: str) -> Callable[[Stage], float]:
    """Return a function that measures a page for a player with 20 tables."""
    return lambda stage: stage.cpu(lambda: stage.visitor.fetch(path))


# 3. Bytes over the wire, without headers


def first_visit(stage: Stage) -> float:
    """Return the bytes of a first visit to a table, with all files to which the page refers."""
    browser = Browser(stage.server.port)
    page = browser.fetch(stage.room.table)
    files = {*SCRIPT.findall(page.text), *SHEET.findall(page.text)}
    size = len(page.body) + sum(len(browser.fetch(file).body) for file in files)
    browser.close()
    return size


def update(stage: Stage) -> float:
    """Return the median bytes fetched after a move by a player with an open table."""
    sizes = []
    for _ in range(5):
        for player in stage.room.people:
            player.look()
        before = [(player, player.edition) for player in stage.room.people]
        stage.room.play(1)
        for player, edition in before:
            answer = player.fetch_since(edition)
            sizes += [len(answer.body)] if answer.status == 200 else []
    return statistics.median(sizes)


# 4. Separate servers, for measurements that change them permanently


@contextlib.contextmanager
def own_room(stage: Stage) -> Iterator[Room]:
    """Start a server for one row; yield a table with a running match."""
    with stage.checkout.serve(stage.folder) as server:
        room = Room(server)
        yield room
        room.close()


def idle_stream(stage: Stage) -> float:
    """Return the kilobytes of memory per additional idle stream."""
    with own_room(stage) as room:
        room.watch(20)
        before = room.server.memory()
        room.watch(STREAMS)
        time.sleep(1)
        grown = room.server.memory() - before
    return grown / STREAMS / 1024


def spectators(stage: Stage) -> float:
    """Return the cost of a move shown to 1,000 spectators, relative to one with none."""
    with own_room(stage) as room:
        room.play(40)
        room.listen()
        without = room.play(40)
        room.watch(CROWD)
        shown = room.play(4)
    return shown / without


def late_move(stage: Stage) -> float:
    """Return the cost of a move after 2,000 others, relative to one after 200."""
    with own_room(stage) as room:
        room.play(200)
        early = room.play(100)
        room.play(1700)
        late = room.play(100)
    return late / early


def among_tables(stage: Stage) -> float:
    """Return the cost of a move beside 1,000 other running tables, relative to one alone."""
    with own_room(stage) as room:
        room.play(100)
        alone = room.play(100)
        for _ in range(TABLES):
            Room(room.server, "gops", ("Ann", "Ben")).close()
        among = room.play(100)
    return among / alone


# 5. An evening: people at many tables, in a separate process (bench.load)


def evening_sqlite(stage: Stage) -> float:
    """Return the p99 latency of others' views at 250 tables: SQLite, one worker."""
    with stage.checkout.serve(stage.folder) as server:
        return evening(server, 250)


def evening_postgres(stage: Stage) -> float:
    """Return the p99 latency of others' views at 350 tables: PostgreSQL, Redis, two workers."""
    with scratch_database() as url, redis_server(stage.folder) as redis:
        more = {"REDIS_URL": redis, "WEB_CONCURRENCY": "2"}
        with stage.checkout.serve(stage.folder, url, **more) as server:
            return evening(server, 350)


def evening(server: Server, tables: int) -> float:
    """Return the p99 in milliseconds from a move to each other seat's view."""
    command = [sys.executable, "-m", "bench.load", "--port", str(server.port)]
    command += ["--tables", str(tables), "--seconds", str(EVENING)]
    command += ["--settling", str(SETTLING)]
    out = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = json.loads(out)
    if found["errors"]:
        raise RuntimeError(f"an evening had errors: {found}")
    return float(found["views_p99"])


@contextlib.contextmanager
def scratch_database() -> Iterator[str]:
    """Create an empty PostgreSQL database, dropped at the end; yield its URL."""
    name = f"kaboom_bench_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(POSTGRES, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{POSTGRES.rpartition('/')[0]}/{name}"
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


ROWS = (
    Row("a move, its 3 other views and 4 streams", "ms", move),
    Row("a reveal shown to ten viewers (TakeN)", "ms", reveal, every=4),
    Row("a changed view, fetched", "ms", view, 3.5, hellos=True),
    Row("a table’s whole page", "ms", page),
    Row("a table for a program, as JSON", "ms", program_look(".json"), 3.5, hellos=True),
    Row("a table for a program, as text", "ms", program_look(".txt"), 3.5, hellos=True),
    Row("a table for a program, as speech", "ms", program_look(".say"), 3.5, hellos=True),
    Row("home, for a player with 20 tables", "ms", visit("/")),
    Row("the lobby, with 20 tables", "ms", visit("/lobby")),
    Row("a first visit, to a table by its link", "bytes", first_visit, 36_000, every=8),
    Row("an update, median", "bytes", update, 2_500, every=4),
    Row("memory of an idle stream", "KB", idle_stream, 12, every=6),
    Row("1,000 spectators: a move, × without", "×", spectators, 40, heavy=True),
    Row("move 2,000, × move 200", "×", late_move, 1.1, heavy=True),
    Row("a move among 1,000 tables, × alone", "×", among_tables, 1.1, heavy=True),
    Row("250 tables, SQLite: others’ views p99", "ms", evening_sqlite, 300, heavy=True),
    Row("350 tables, PostgreSQL: others’ views p99", "ms", evening_postgres, 300, heavy=True),
)
