"""People who play on whatever happens to the server, and a judge of what became of it."""

import http.client
import random
import re
import threading
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sqlalchemy import select

from kaboom.db import models
from kaboom.db.database import Database
from kaboom.engine.codec import from_json
from kaboom.engine.options import written
from kaboom.engine.rng import match_key
from kaboom.games import GAMES, sample
from kaboom.records.replay import check, checked
from kaboom.tables import queries
from kaboom.tables.match_record import record_of
from kaboom.tables.service import Tables
from kaboom.tables.table import VIEWERS
from tests.chaos.history import Read, Write, faults
from tests.support.browsing import BY_HTMX, table_path
from tests.support.effort import often
from tests.support.forms import Browser, Button, Form
from tests.support.server import SECRET, HttpClient

AGAIN = 0.03  # seconds after which somebody without an answer sends the same form again
REST = often(0.2, soak=0.05)  # seconds for which somebody rests after a move, at most
UNANSWERED = (OSError, http.client.HTTPException)
SHOWN = re.compile(r'id="ver" name="v" value="(\d+)"')
TICKS = (1, 1, 2, 3, 8)  # cards played alone or as a pair, cards passed or buried

LONG = {"rounds": "20"}  # of Kaboom


def two_people(
    ann_url: str, ben_url: str, game: str = "kaboom", options: Mapping[str, str] = LONG
) -> tuple[str, list[Browser]]:
    """Seat Ann and Ben, each on a server, and as many bots as it takes, and begin a match.

    Return the table's path and their browsers.
    """
    ann, ben = Browser(HttpClient(ann_url)), Browser(HttpClient(ben_url))
    rules = GAMES[game]
    bots = rules.seats(rules.options())[0] - 2
    ann.open(f"/start/{game}")
    ann.send(ann.page.form("/tables"), name="Ann", bots=str(bots), **options)
    path = table_path(ann)
    ben.open(path)
    ben.send(ben.page.form("/sit"), name="Ben")
    ann.open(path)
    ann.send(ann.page.form("/start"))
    return path, [ann, ben]


def some_move(person: Browser, path: str, chance: random.Random) -> tuple[Form, Button] | None:
    """Return a form and button of the page: anything but calling kaboom, so that it goes on."""
    person.open(path)
    moves = [(f, b) for f, b in person.page.moves() if " kaboom" not in b[1]]
    return one_of(moves, chance) if moves else None


def one_of(moves: list[tuple[Form, Button]], chance: random.Random) -> tuple[Form, Button]:
    """Return one of some moves; a flip only where there is nothing else to do."""
    turn = [(f, b) for f, b in moves if " flip " not in b[1]]
    return chance.choice(turn or moves)


@dataclass
class Person:
    """Somebody at a table, with all they sent and saw."""

    name: str
    browser: Browser
    path: str
    chance: random.Random
    writes: dict[int, list[Write]] = field(default_factory=lambda: defaultdict(list))  # by match
    reads: list[Read] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)  # answers nobody should get
    tries: int = 0  # of what was sent last
    most_tries: int = 0

    def play(self, over: threading.Event) -> None:
        """Press something again and again until it is over."""
        while not over.is_set():
            if self.ask("GET", self.path + "/view", None, over) is not None:
                self.press(over)
            over.wait(self.chance.uniform(0, REST))

    def press(self, over: threading.Event) -> None:
        """Make some move the page offers, if any; after a match play again."""
        page = self.browser.page
        if any(form.action.endswith("/rematch") for form in page.forms):
            self.ask("POST", self.path + "/rematch", {}, over)
            return
        moves = page.moves()
        if not moves:
            return
        form, button = one_of(moves, self.chance)
        ticked = self.chance.sample(form.boxes, min(len(form.boxes), self.chance.choice(TICKS)))
        cmd = f"{self.name} {sum(map(len, self.writes.values()))}"
        own = {"sure": "1", "cmd": cmd}
        fields = [pair for pair in form.filled(button, ticked) if pair[0] not in own]
        began = time.monotonic()
        status = self.ask("POST", self.path + "/move", [*fields, *own.items()], over)
        ended = float("inf") if status is None else time.monotonic()
        refused = status in (409, 422)
        self.writes[int(dict(fields)["match"])].append(Write(cmd, began, ended, refused))

    def ask(self, method: str, path: str, fields, over: threading.Event) -> int | None:
        """Return the status of the answer, asking until there is one; None when it is over."""
        self.tries = 0
        while not over.is_set():
            began = time.monotonic()
            self.tries += 1
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
            self.most_tries = max(self.most_tries, self.tries)
            if answer.status_code not in (200, 204, 409, 422):
                self.odd.append(f"{answer.status_code} {method} {path}: {answer.text[:500]}")
            self.browser._show(answer)
            for number in map(int, SHOWN.findall(answer.text)[:1]):
                # A rematch moves the seats on, and each seat has numbers of its own.
                viewer = f"{self.name} as {number % VIEWERS}"
                self.reads.append(Read(viewer, began, time.monotonic(), number))
            return answer.status_code
        return None


class Played(NamedTuple):
    """What a play came to: moves acknowledged, matches begun."""

    moves: int
    matches: int


class Play:
    """Two people at each of some tables, each in a thread; what they do is by a seed.

    They play long matches of Kaboom, or short ones of `games`, one for each table.
    """

    def __init__(self, url: str, seed: int, tables: int = 0, games: Sequence[str] = ()) -> None:
        self.seed = seed
        kinds = [(game, written(sample(game).short)) for game in games] + [
            ("kaboom", LONG)
        ] * tables
        self.tables = [
            self._sat_down(url, number, game, options)
            for number, (game, options) in enumerate(kinds)
        ]
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=person.play, args=(self._over,)) for person in self.people
        ]

    def _sat_down(
        self, url: str, number: int, game: str, options: Mapping[str, str]
    ) -> list[Person]:
        path, people = two_people(url, url, game, options)
        chance = random.Random(f"{self.seed} {number}")
        return [
            Person(f"{name}{number}", browser, path, random.Random(chance.random()))
            for name, browser in zip(("Ann", "Ben"), people, strict=True)
        ]

    @property
    def people(self) -> list[Person]:
        return [person for people in self.tables for person in people]

    def acknowledged(self) -> int:
        """Return how many commands were acknowledged so far."""
        writes = [
            write for person in self.people for own in list(person.writes.values()) for write in own
        ]
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

    def judge(self, store_url: str) -> Played:
        """Assert that the logs are what everybody saw; return what was played."""
        database = Database(store_url, SECRET)
        tables = Tables(database)
        wrong, matches = [], 0
        for people in self.tables:
            code = people[0].path[3:]
            found = [odd for person in people for odd in person.odd]
            found += check(tables, code).wrong
            begun = matches_of(database, code)
            for match, log in begun:
                key = match_key(match.seed, from_json(match.cuts, list))
                writes = [write for person in people for write in person.writes[match.number]]
                found += faults(log, match.seed, key, _as_logged(writes, log))
                if match.ended_at is not None:
                    found += checked(record_of(match, log)).wrong
            seen = [read for person in people for read in person.reads]
            found += faults((), b"", b"", reads=seen)
            wrong += [f"{code}: {sentence}" for sentence in found]
            matches += len(begun)
        database.close()
        assert not wrong, f"seed {self.seed}: {wrong[:5]}"
        return Played(self.acknowledged(), matches)


def matches_of(
    database: Database, code: str
) -> list[tuple[queries.MatchRow, list[queries.MoveRow]]]:
    """Return every match of a table, the first first, with its log."""
    ids = (
        select(models.matches.c.id)
        .join(models.tables, models.tables.c.id == models.matches.c.table_id)
        .where(models.tables.c.code == code)
        .order_by(models.matches.c.number)
    )

    def work(connection):
        return [
            (queries.match(connection, found), list(queries.log(connection, found)))
            for found in connection.execute(ids).scalars().all()
        ]

    return database.read(work)


def _as_logged(writes: list[Write], log: list[queries.MoveRow]) -> list[Write]:
    """Return the same with commands as the log has them: after the seat, which a rematch moves."""
    logged = {row.cmd.partition(" ")[2]: row.cmd for row in log}
    return [replace(write, cmd=logged.get(write.cmd, write.cmd)) for write in writes]
