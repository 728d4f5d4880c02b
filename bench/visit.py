"""How much a browser has to fetch: bodies as they come over the wire, compressed."""

import re
from pathlib import Path
from statistics import mean, median

from bench.browser import Answer, Browser
from bench.room import NAMES, Room, database, sat_down
from bench.server import Server
from bench.table import Row, at_most

FETCHED = re.compile(r'<(?:script|img)[^>]* src="(/[^"]+)"|<link[^>]* href="(/[^"]+)"')
MOVES = 100


class Cold(Browser):
    """A browser with an empty cache, that counts what it fetches."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.fetched: dict[str, Answer] = {}

    def visit(self, address: str) -> None:
        """Fetch a page and every file it names that is not in the cache."""
        answer = self.ask("GET", address)
        self.fetched[address] = answer
        for one, other in FETCHED.findall(answer.text):
            if (one or other) not in self.fetched:
                self.fetched[one or other] = self.ask("GET", one or other)

    def weight(self, ending: str = "") -> int:
        """Return the bytes of what was fetched, or of those files only."""
        return sum(
            len(answer.body)
            for address, answer in self.fetched.items()
            if address.partition("?")[0].endswith(ending)
        )


def rows(folder: Path) -> list[Row]:
    """Return the rows of first visits, of an update, and of nothing new."""
    with Server(folder, DATABASE_URL=database(folder, "visit")) as server:
        guest, host = Cold(server.port), Cold(server.port)
        host.visit("/")
        at_home = len(host.fetched)
        opened = host.ask("POST", "/tables", {"game": "kaboom", "name": "Ann"})
        table = opened.headers["Location"]
        host.visit(table)
        guest.visit(table)
        return [
            at_most("first visit by a link: bytes", guest.weight(), 30_000),
            at_most("first visit by a link: requests", len(guest.fetched), 5),
            at_most("first visit, home then one’s own table: bytes", host.weight(), 30_000),
            Row(
                "first visit, home then one’s own table: requests",
                f"{at_home} + 1 POST + {len(host.fetched) - at_home}",
            ),
            at_most("JavaScript: bytes", guest.weight(".js"), 17_000),
            *updates(server),
        ]


def updates(server: Server) -> list[Row]:
    """Return what a move brings to each player, and what is answered when nothing is new."""
    room = Room(server, sat_down(server, "kaboom", NAMES, rounds="20"))
    sizes = []
    for _ in range(MOVES):
        room.play()
        for person in room.people:
            person.seen = "0"
            person.send_look()
            sizes.append(len(person.show(person.answer()).body))
    nothing = room.people[0]
    nothing.send_look()
    answer = nothing.answer()
    more = f"mean {mean(sizes):,.0f}, median {median(sizes):,.0f}"
    return [
        at_most("an update: bytes at most", max(sizes), 2_500, more=more),
        Row("nothing new", str(answer.status), "204", (answer.status, answer.body) == (204, b"")),
    ]
