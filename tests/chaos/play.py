"""Players who continue through all server failures, and a check of the result."""

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

from kaboom.db.database import Database
from kaboom.engine.codec import from_json
from kaboom.engine.fairness.commitment import match_key
from kaboom.engine.options import written
from kaboom.games import GAMES, sample
from kaboom.records.verify import check, checked
from kaboom.tables import models, queries
from kaboom.tables.match_record import record_of
from kaboom.tables.service import TableService
from kaboom.tables.table import VIEWERS
from tests.chaos.history import Read, Write, faults
from tests.support.browsing import BY_HTMX, table_path
from tests.support.effort import often
from tests.support.forms import Browser, Button, Form
from tests.support.server import SECRET, HttpClient

AGAIN = 0.03  # seconds after which a player without an answer sends the same form again
REST = often(0.2, soak=0.05)  # seconds for which a player rests after a move, at most
UNANSWERED = (OSError, http.client.HTTPException)
SHOWN = re.compile(r'id="ver" name="v" value="(\d+)"')
TICKS = (1, 1, 2, 3, 8)  # cards played alone or as a pair, cards passed or buried

LONG = {"rounds": "20"}  # of Kaboom


def two_people(
    ann_url: str, ben_url: str, game: str = "kaboom", options: Mapping[str, str] = LONG
) -> tuple[str, list[Browser]]:
    """Seat Ann and Ben, each on a server, add the necessary bots, and start a match.

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


def some_move(person: Browser, path: str, rng: random.Random) -> tuple[Form, Button] | None:
    """Return a form and button of the page other than calling kaboom, so that play continues."""
    person.open(path)
    moves = [(f, b) for f, b in person.page.moves() if " kaboom" not in b[1]]
    return one_of(moves, rng) if moves else None


def one_of(moves: list[tuple[Form, Button]], rng: random.Random) -> tuple[Form, Button]:
    """Return one of these moves; a flip only if there is nothing else."""
    turn = [(f, b) for f, b in moves if " flip " not in b[1]]
    return rng.choice(turn or moves)


@dataclass
class Person:
    """A player at a table, with everything sent and seen."""

    name: str
    browser: Browser
    path: str
    rng: random.Random
    writes: dict[int, list[Write]] = field(default_factory=lambda: defaultdict(list))  # by match
    reads: list[Read] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)  # unexpected answers
    tries: int = 0  # attempts at the current request
    most_tries: int = 0

    def play(self, over: threading.Event) -> None:
        """Keep pressing buttons until the end."""
        while not over.is_set():
            if self.ask("GET", self.path + "/view", None, over) is not None:
                self.press(over)
            over.wait(self.rng.uniform(0, REST))

    def press(self, over: threading.Event) -> None:
        """Make some move of the page, if any; after a match start a rematch."""
        page = self.browser.page
        if any(form.action.endswith("/rematch") for form in page.forms):
            self.ask("POST", self.path + "/rematch", {}, over)
            return
        moves = page.moves()
        if not moves:
            return
        form, button = one_of(moves, self.rng)
        ticked = self.rng.sample(form.boxes, min(len(form.boxes), self.rng.choice(TICKS)))
        cmd = f"{self.name} {sum(map(len, self.writes.values()))}"
        own = {"sure": "1", "cmd": cmd}
        fields = [pair for pair in form.filled(button, ticked) if pair[0] not in own]
        began = time.monotonic()
        status = self.ask("POST", self.path + "/move", [*fields, *own.items()], over)
        ended = float("inf") if status is None else time.monotonic()
        refused = status in (409, 422)
        self.writes[int(dict(fields)["match"])].append(Write(cmd, began, ended, refused))

    def ask(self, method: str, path: str, fields, over: threading.Event) -> int | None:
        """Return the status of the answer, retrying until there is one; None at the end."""
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
                # A rematch shifts the seats, and each seat has its own revisions.
                viewer = f"{self.name} as {number % VIEWERS}"
                self.reads.append(Read(viewer, began, time.monotonic(), number))
            return answer.status_code
        return None


class Played(NamedTuple):
    """Totals of a play: moves acknowledged, matches started."""

    moves: int
    matches: int


class Play:
    """Two people at each of some tables, each in a thread, with seeded choices.

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
        rng = random.Random(f"{self.seed} {number}")
        return [
            Person(f"{name}{number}", browser, path, random.Random(rng.random()))
            for name, browser in zip(("Ann", "Ben"), people, strict=True)
        ]

    @property
    def people(self) -> list[Person]:
        return [person for people in self.tables for person in people]

    def acknowledged(self) -> int:
        """Return the number of acknowledged commands so far."""
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
        """Wait until this many more moves are acknowledged; return the seconds that takes."""
        began, before = time.monotonic(), self.acknowledged()
        while self.acknowledged() < before + moves:
            assert time.monotonic() < began + seconds, f"no player can move (seed {self.seed})"
            time.sleep(0.02)
        return time.monotonic() - began

    def judge(self, store_url: str) -> Played:
        """Assert that the logs agree with what all players saw; return the totals."""
        database = Database(store_url, SECRET)
        tables = TableService(database)
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
    """Return every match of a table with its log, oldest first."""
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
    """Return the commands without the seat, which a rematch shifts."""
    logged = {row.cmd.partition(" ")[2]: row.cmd for row in log}
    return [replace(write, cmd=logged.get(write.cmd, write.cmd)) for write in writes]
