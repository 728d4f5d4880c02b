"""What streams and waiting answers of programs cost, beside the streams of browsers."""

import re
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple, Protocol

from bench.browser import Browser
from bench.room import NAMES, Room, database, sat_down
from bench.server import Server
from bench.table import Row, at_most

LISTENERS = 400
MOVES = 9
IDLE = 7.0  # seconds: then the connections on which pages came are closed, and streams are left
REVISION = re.compile(rb'"revision":(\d+)')


class Listener(Protocol):
    """Somebody who watches a table and is told of each change."""

    def hear(self) -> None:
        """Wait for the next change, and have what a viewer sees after it."""

    def close(self) -> None:
        """Go away."""


class Page(Browser):
    """A browser that watches: it is told a number, and fetches the fragment."""

    def hear(self) -> None:
        """Wait for a number that is not the one of the page, and fetch what is seen."""
        while self.told == self.seen:
            self.heard()
        self.send_look()
        self.show(self.answer())


class Asked:
    """A program that watches, on a connection of its own. `revision` is the table's it has."""

    def __init__(self, server: Server, table: str, path: str) -> None:
        self.server, self.path = server, table + path
        self.revision = -1
        self.ask(self.path)

    def ask(self, path: str) -> None:
        """Send a question; its answer is read later."""
        self.socket = socket.create_connection(("127.0.0.1", self.server.port), timeout=60)
        self.socket.sendall(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())
        self.answer = self.socket.makefile("rb")

    def close(self) -> None:
        """Go away."""
        self.answer.close()
        self.socket.close()


class Streaming(Asked):
    """A program that reads lines of whole tables."""

    def hear(self) -> None:
        """Read until a table comes that is another one."""
        before = self.revision
        while self.revision == before:
            line = self.answer.readline()
            if not line:
                raise RuntimeError("a stream has ended")
            if found := REVISION.search(line):
                self.revision = int(found[1])


class Waiting(Asked):
    """A program that asks for the next change, and asks again."""

    def hear(self) -> None:
        """Read an answer to its end, and ask for the next."""
        found = REVISION.search(self.answer.read())
        if found is None:
            raise RuntimeError("an answer has no table")
        self.close()
        self.revision = int(found[1])
        self.ask(f"{self.path}?wait=25&v={self.revision}")


class Cost(NamedTuple):
    """Of one listener: bytes of memory, and milliseconds of processor time for each change."""

    memory: float
    change: float


def rows(folder: Path) -> list[Row]:
    """Return the rows that compare programs with browsers, as many of each."""

    def page(server: Server, table: str) -> Listener:
        browser = Page(server.port)
        browser.table = table
        browser.listen()
        browser.show(browser.ask("GET", f"{table}/view?v=0"))
        return browser

    def streaming(server: Server, table: str) -> Listener:
        program = Streaming(server, table, ".ndjson")
        program.hear()
        return program

    def waiting(server: Server, table: str) -> Listener:
        program = Waiting(server, table, ".json")
        program.hear()
        return program

    browsers = cost(folder, page)
    found = []
    for name, listener in (("stream", streaming), ("waiting answer", waiting)):
        programs = cost(folder, listener)
        more = f"{programs.memory / 1024:.1f} KB beside {browsers.memory / 1024:.1f} KB"
        ratio = programs.memory / browsers.memory
        found.append(at_most(f"memory of a program’s {name}, × a browser’s", ratio, 1, more=more))
        more = f"{programs.change:.2f} ms beside {browsers.change:.2f} ms"
        ratio = programs.change / browsers.change
        found.append(
            at_most(f"a change for a program’s {name}, × a browser’s", ratio, 1, more=more)
        )
    return found


def cost(folder: Path, opened: Callable[[Server, str], Listener]) -> Cost:
    """Return what each of many listeners at one table costs."""
    with Server(folder, DATABASE_URL=database(folder, opened.__name__)) as server:
        room = Room(server, sat_down(server, "kaboom", NAMES, rounds="20"))
        for _ in range(40):
            room.play()
        table = room.people[0].table
        warm = [opened(server, table) for _ in range(20)]
        before = server.memory()
        listeners = [opened(server, table) for _ in range(LISTENERS)]
        time.sleep(IDLE)
        grown = server.memory() - before
        try:
            spent = median(change(room, [*warm, *listeners]) for _ in range(MOVES))
        finally:
            for listener in (*warm, *listeners):
                listener.close()
    return Cost(grown / LISTENERS, spent / (LISTENERS + len(warm)))


def change(room: Room, listeners: Sequence[Listener]) -> float:
    """Return the milliseconds of processor time that a move takes with all who hear of it."""
    room.look()
    before = room.server.cpu()
    mover, move = room.choose()
    mover.send_move(move)
    mover.show(mover.answer())
    for listener in listeners:
        listener.hear()
    return room.server.cpu() - before
