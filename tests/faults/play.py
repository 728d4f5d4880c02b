"""People who play on whatever happens to the server, and a judge of what became of it."""

import http.client
import random
import re
import threading
import time
from dataclasses import dataclass, field

from kaboom.core.chance import match_key
from kaboom.core.codec import from_json
from kaboom.store import queries
from kaboom.store.database import Database
from kaboom.tables.replay import check
from kaboom.tables.service import Tables
from tests.faults.history import Read, Write, faults
from tests.server import SECRET, HttpClient
from tests.web.conftest import table_path
from tests.web.forms import Browser

AGAIN = 0.03  # seconds after which somebody without an answer sends the same form again
UNANSWERED = (OSError, http.client.HTTPException)
SHOWN = re.compile(r'id="ver" name="v" value="(\d+)"')
BY_HTMX = {"HX-Request": "true"}


@dataclass
class Person:
    """Somebody at a table, with all they sent and saw."""

    name: str
    seat: int
    browser: Browser
    path: str
    chance: random.Random
    writes: list[Write] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)  # answers nobody should get

    def play(self, over: threading.Event) -> None:
        """Press something again and again until it is over."""
        while not over.is_set():
            if self.ask("GET", self.path + "/view", None, over) is not None:
                self.press(over)
            over.wait(self.chance.uniform(0, 0.05))

    def press(self, over: threading.Event) -> None:
        """Make some move the page offers, if any; never one that brings the match to its end."""
        moves = [(f, b) for f, b in self.browser.page.moves() if " kaboom" not in b[1]]
        turn = [(f, b) for f, b in moves if " flip " not in b[1]]
        if not moves:
            return
        form, button = self.chance.choice(turn or moves)
        cmd = f"{self.name} {len(self.writes)}"
        fields = {**dict(form.filled(button)), "sure": "1", "cmd": cmd}
        began = time.monotonic()
        status = self.ask("POST", self.path + "/move", fields, over)
        ended = float("inf") if status is None else time.monotonic()
        refused = status in (409, 422)
        self.writes.append(Write(f"{self.seat} {cmd}", began, ended, refused))

    def ask(self, method: str, path: str, fields, over: threading.Event) -> int | None:
        """Return the status of the answer, asking until there is one; None when it is over."""
        while not over.is_set():
            began = time.monotonic()
            try:
                client = self.browser.client
                if method == "GET":
                    answer = client.get(path, headers=BY_HTMX)
                else:
                    answer = client.post(path, data=fields, headers=BY_HTMX)
            except UNANSWERED:
                over.wait(AGAIN)
                continue
            if answer.status_code == 503:  # nothing has changed, and it may be sent again
                over.wait(AGAIN)
                continue
            if answer.status_code not in (200, 204, 409, 422):
                self.odd.append(f"{answer.status_code} {method} {path}: {answer.text[:500]}")
            self.browser._show(answer)
            for number in SHOWN.findall(answer.text)[:1]:
                self.reads.append(Read(self.name, began, time.monotonic(), int(number)))
            return answer.status_code
        return None


class Play:
    """Two people at each of some tables of Kaboom, each in a thread; what they do is by a seed."""

    def __init__(self, url: str, tables: int, seed: int) -> None:
        self.seed = seed
        self.tables = [self._sat_down(url, number) for number in range(tables)]
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=person.play, args=(self._over,))
            for people in self.tables
            for person in people
        ]

    def _sat_down(self, url: str, number: int) -> list[Person]:
        ann, ben = (Browser(HttpClient(url)) for _ in range(2))
        ann.open("/start/kaboom")
        ann.send(ann.page.form("/tables"), name="Ann", rounds="20")
        path = table_path(ann)
        ben.open(path)
        ben.send(ben.page.form("/sit"), name="Ben")
        ann.open(path)
        ann.send(ann.page.form("/start"))
        chance = random.Random(f"{self.seed} {number}")
        return [
            Person(f"{name}{number}", seat, browser, path, random.Random(chance.random()))
            for seat, (name, browser) in enumerate([("Ann", ann), ("Ben", ben)])
        ]

    @property
    def people(self) -> list[Person]:
        return [person for people in self.tables for person in people]

    def acknowledged(self) -> int:
        """Return how many commands were acknowledged so far."""
        writes = [write for person in self.people for write in person.writes]
        return sum(write.ended < float("inf") and not write.refused for write in writes)

    def __enter__(self) -> "Play":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def goes_on(self, moves: int = 5, seconds: float = 30) -> float:
        """Wait until so many more moves are acknowledged; return the seconds it took."""
        began, before = time.monotonic(), self.acknowledged()
        while self.acknowledged() < before + moves:
            assert time.monotonic() < began + seconds, f"nobody can play (seed {self.seed})"
            time.sleep(0.02)
        return time.monotonic() - began

    def judge(self, store_url: str) -> int:
        """Assert that the logs are what everybody saw; return how many moves were acknowledged."""
        database = Database(store_url, SECRET)
        tables = Tables(database)
        wrong = []
        for people in self.tables:
            code = people[0].path[3:]
            match_id = tables.look(code).table.match_id
            log = database.read(lambda c, match_id=match_id: queries.log(c, match_id))
            match = database.read(lambda c, match_id=match_id: queries.match(c, match_id))
            key = match_key(match.seed, from_json(match.cuts, list))
            writes = [write for person in people for write in person.writes]
            reads = [read for person in people for read in person.reads]
            found = [*faults(log, match.seed, key, writes, reads), *check(tables, code).wrong]
            found += [odd for person in people for odd in person.odd]
            wrong += [f"{code}: {sentence}" for sentence in found]
        database.close()
        assert not wrong, f"seed {self.seed}: {wrong[:5]}"
        return self.acknowledged()
