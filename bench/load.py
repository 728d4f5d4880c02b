"""Many tables at once, as on a busy evening: people who think and bots, by HTTP and event streams.

`python -m bench.load --tables 100 --seconds 60`, or with `--database`, `--redis` and `--workers` on
an empty PostgreSQL. All people are greenlets of this one process; each keeps a stream open, fetches
the table when it is told of a change, and moves after a while. Four browsers are at every table:
whoever finds no seat watches. What is measured is the time from sending a move to having fetched
the changed view at every other seat. With `--bots 200` so many tables more are played beside them
by one person each among bots at the quickest pace, of which nothing is measured.
"""

from gevent import monkey

monkey.patch_all()

import argparse  # noqa: E402
import os  # noqa: E402
import random  # noqa: E402
import re  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
from collections import Counter  # noqa: E402
from contextlib import suppress  # noqa: E402
from pathlib import Path  # noqa: E402
from secrets import token_hex  # noqa: E402

import gevent  # noqa: E402
from gevent.lock import Semaphore  # noqa: E402

from bench.browser import Browser, StreamEnded  # noqa: E402
from bench.room import database  # noqa: E402
from bench.server import ROOT, Server  # noqa: E402
from bench.table import Row, at_most, printed  # noqa: E402
from kaboom.db.migrate import upgrade  # noqa: E402

# Game, people and bots at one table, options that keep a match going.
KINDS: list[tuple[str, int, int, dict[str, str]]] = [
    ("kaboom", 4, 0, {"rounds": "20"}),
    ("taken", 4, 1, {}),
    ("gops", 2, 0, {}),
    ("karata", 3, 1, {}),
    ("koth", 4, 1, {"deal_interval": "0.3"}),
]
# Seconds after which somebody looks whether to move, again and again. Whoever is waited for has
# then taken 5.2 on average; people take longer, so that a real table is easier than one of these.
THINK = (3.0, 15.0)
BROWSERS = 4  # at each table
# Moves that change nobody else's view (a sealed choice, say), or not always: not counted.
UNSEEN = {
    *("gops bid", "taken choose", "kaboom peek", "kaboom ready"),
    *("karata add", "karata back", "koth ready", "koth bury"),
}
NAMES = ("Ann", "Ben", "Cid", "Dot")
BOX = re.compile(r'<input [^>]*name="pick"[^>]*value="([^"]+)"')
PICKED = re.compile(r'name="offer" value="([0-9a-f]+ (\w+)[^"]*)"')
ARRIVALS = 0.4  # seconds between two tables: an evening does not begin with a crash
SETTLING = 40.0  # seconds from the last arrival until the last first deal is over


class Evening:
    """What was measured, of all tables together."""

    def __init__(self) -> None:
        self.views: list[float] = []  # milliseconds from a move to each other seat's view
        self.posts: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.errors: Counter[str] = Counter()
        self.late: Counter[str] = Counter()  # moves seen after more than 300 ms, by game and verb
        self.over = False


class Seat:
    """One person at a table: a browser with a stream that is listened to."""

    def __init__(self, evening: Evening, table: "Table", browser: Browser, seed: int) -> None:
        self.evening, self.table, self.browser = evening, table, browser
        self.chance = random.Random(seed)
        self.turns = Semaphore()  # one connection: one request at a time

    def listen(self) -> None:
        """Follow the table by its stream until the evening is over."""
        while not self.evening.over:
            try:
                self.browser.listen("?views=1")
                self.look()
                while not self.evening.over:
                    before = self.browser.seen
                    told = self.browser.heard()
                    if self.browser.seen != before:  # by what the stream brought
                        self.table.seen_by(self, time.monotonic())
                    elif told not in ("", self.browser.seen):
                        self.look()
            except StreamEnded:  # each has its time; browsers then open another
                gevent.sleep(1)
            except (OSError, RuntimeError) as error:
                if not self.evening.over:
                    self.evening.errors[f"stream: {type(error).__name__} {error}"[:120]] += 1
                    gevent.sleep(1)

    def look(self) -> None:
        """Fetch the view; whatever moves the table made before are seen now."""
        with self.turns:
            asked = time.monotonic()
            self.browser.send_look()
            self.count(self.browser.answer())
        self.table.seen_by(self, asked)

    def saw_after(self, seconds: float, what: str) -> None:
        """Note how long a move took to be seen here."""
        self.evening.views.append(1000 * seconds)
        if seconds > 0.3:
            self.evening.late[what] += 1

    def play(self) -> None:
        """Think and move until the evening is over."""
        while not self.evening.over:
            gevent.sleep(self.chance.uniform(*THINK))
            try:
                self.move()
            except (OSError, RuntimeError) as error:
                if not self.evening.over:
                    self.evening.errors[f"move: {type(error).__name__} {error}"[:120]] += 1

    def move(self) -> None:
        """Press something that moves the game on; after a match play again."""
        with self.turns:
            page, browser = self.browser.page, self.browser
            if f'action="{browser.table}/rematch"' in page:
                self.count(browser.ask("POST", f"{browser.table}/rematch", {}))
                return
            pressed = self.pressed()
            if pressed is None:
                return
            began = time.monotonic()
            browser.send_move(pressed)
            before = browser.seen
            answer = browser.answer()
            self.count(answer)
            self.evening.posts.append(1000 * (time.monotonic() - began))
        if answer.status == 200 and browser.seen != before:
            self.table.moved(self, began, f"{self.table.game} {pressed.split()[1]}")

    def pressed(self) -> str | None:
        """Return what a button sends that the page offers, or the ticked boxes of a form."""
        offers = self.browser.offers()
        for verb in ("flip", "kaboom", "peek", "swap"):
            if len(offers) > 1:
                offers.pop(verb, None)
        if offers and set(offers) != {"flip"}:
            return self.chance.choice(offers[self.chance.choice(sorted(offers))])
        boxes, picked = BOX.findall(self.browser.page), PICKED.findall(self.browser.page)
        picked = [(value, verb) for value, verb in picked if verb != "draft"]
        if boxes and picked:
            value, verb = self.chance.choice(picked)
            count = 8 if verb == "bury" else self.chance.choice((1, 1, 1, 2))
            return " ".join([value, *self.chance.sample(boxes, min(count, len(boxes)))])
        return None

    def count(self, answer) -> None:
        """Note an answer and show it."""
        self.evening.statuses[answer.status] += 1
        if answer.status >= 500:
            self.evening.errors[f"status {answer.status}"] += 1
        if answer.status in (409, 422):
            self.browser.page = answer.text
        elif answer.status < 500:
            self.browser.show(answer)


class Table:
    """The people of one table, and which moves have not been seen by all of them yet."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.seats: list[Seat] = []
        self.watchers: list[Seat] = []
        self._unseen: dict[Seat, tuple[float, str]] = {}
        self._saw: dict[Seat, float] = {}  # when something new was seen last

    @property
    def everybody(self) -> list[Seat]:
        """Return who plays, and who watches."""
        return [*self.seats, *self.watchers]

    def moved(self, mover: Seat, began: float, what: str) -> None:
        """Note a move of which the others are to hear."""
        if what in UNSEEN:
            return
        for seat in self.seats:
            if seat is mover:
                continue
            if self._saw.get(seat, 0.0) > began:  # it was sent, and came before the mover's answer
                seat.saw_after(self._saw[seat] - began, what)
            else:
                self._unseen[seat] = (began, what)

    def seen_by(self, seat: Seat, asked: float) -> None:
        """Note that somebody has a view fetched after `asked`, or sent then."""
        self._saw[seat] = time.monotonic()
        began, what = self._unseen.get(seat, (asked, ""))
        if began < asked:
            del self._unseen[seat]
            seat.saw_after(self._saw[seat] - began, what)


def sat_down(evening: Evening, server: Server, number: int, among_bots: bool = False) -> Table:
    """Return a table of some game whose match has begun; `among_bots`: with one person alone.

    Bots are quick only where a person plays.
    """
    game, people, bots, options = KINDS[number % len(KINDS)]
    table = Table(game)
    browsers = [Browser(server.port) for _ in range(1 if among_bots else BROWSERS)]
    if among_bots:
        people, bots, options = 1, people + bots - 1, {**options, "bot_pace": "instant"}
    first = {"game": game, "name": NAMES[0], "bots": str(bots), **options}
    where = browsers[0].ask("POST", "/tables", first).headers["Location"].partition("?")[0]
    for index, browser in enumerate(browsers):
        browser.table = where
        if 0 < index < people:
            browser.show(browser.ask("POST", f"{where}/sit", {"name": NAMES[index]}))
        there = table.seats if index < people else table.watchers
        there.append(Seat(evening, table, browser, 10 * number + index))
    browsers[0].show(browsers[0].ask("POST", f"{where}/start", {}))
    return table


def run(
    environ: dict[str, str],
    folder: Path,
    tables: int,
    seconds: float,
    people: int = 0,
    bots: int = 0,
) -> list[Row]:
    """Let so many tables play for so long on a server with these settings; return the rows.

    `people` are those of a tournament beside them (bench.beside), 0: there is none; `bots` are the
    tables beside them where one person plays among bots.
    """
    evening, beside_it = Evening(), Evening()
    with Server(folder, **environ) as server:
        rooms: list[Table] = []
        greenlets = []
        for number in range(tables + bots):
            among_bots = number >= tables
            of = beside_it if among_bots else evening
            room = sat_down(of, server, number, among_bots)
            rooms.append(room)
            greenlets += [gevent.spawn(seat.listen) for seat in room.everybody]
            greenlets += [gevent.spawn(seat.play) for seat in room.seats]
            gevent.sleep(ARRIVALS)
        gevent.sleep(SETTLING)
        beside = tournament(environ, people) if people else None
        evening.views.clear()
        evening.posts.clear()
        evening.late.clear()
        memory, cpu, began = server.memory(), server.cpu(), time.monotonic()
        gevent.sleep(seconds)
        took = time.monotonic() - began
        busy = (server.cpu() - cpu) / 10 / took
        grown = (server.memory() - memory) / 2**20
        evening.over = beside_it.over = True
        if beside is not None:
            print("tournament:", beside.poll() or "was on to the end", file=sys.stderr)
            beside.kill()
        gevent.killall(greenlets, timeout=10)
        everybody = [seat for room in rooms for seat in room.everybody]
        for seat in everybody:
            with suppress(OSError):
                seat.browser.close()
    name = f"{tables} tables, {len(everybody)} streams, {took:.0f} s"
    if bots:
        name = f"{tables} tables beside {bots} of bots, {len(everybody)} streams, {took:.0f} s"
    failed = evening.errors + beside_it.errors
    errors = sum(failed.values())
    print(dict(evening.statuses), dict(failed), dict(evening.late), file=sys.stderr)
    return [
        Row(f"{name}: errors", f"{errors}", "0", errors == 0),
        Row(f"{name}: moves a second", f"{len(evening.posts) / took:.1f}"),
        Row(f"{name}: a move’s own answer, p50 and p99", _both(evening.posts)),
        Row(f"{name}: every other seat’s view, p50", f"{_at(evening.views, 0.5):.0f} ms"),
        at_most(f"{name}: every other seat’s view, p99", _at(evening.views, 0.99), 300, " ms"),
        Row(f"{name}: one core busy", f"{busy:.0f} %"),
        Row(f"{name}: memory grown", f"{grown:.1f} MB of {memory / 2**20:.0f}"),
    ]


def tournament(environ: dict[str, str], people: int) -> "subprocess.Popen[bytes]":
    """Begin a tournament in the server's store, from a process of its own."""
    command = [sys.executable, "-m", "bench.beside", environ["DATABASE_URL"]]
    kept = {name: environ[name] for name in ("SECRET_KEY",) if name in environ}
    return subprocess.Popen(
        [*command, "--people", str(people)], env={**os.environ, **kept}, cwd=ROOT
    )


def _at(values: list[float], part: float) -> float:
    ordered = sorted(values) or [float("inf")]
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def _both(values: list[float]) -> str:
    return f"{_at(values, 0.5):.0f} and {_at(values, 0.99):.0f} ms"


def settings(folder: Path, url: str, redis: str, workers: int) -> dict[str, str]:
    """Return the settings of the server: a new SQLite file, or an empty database of one's own."""
    if not url:
        return {"DATABASE_URL": database(folder, "load")}
    secret = token_hex(32)
    upgrade(url, secret)
    return {
        "DATABASE_URL": url,
        "SECRET_KEY": secret,
        "REDIS_URL": redis,
        "WEB_CONCURRENCY": str(workers),
    }


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tables", type=int, default=300)
    asked.add_argument("--seconds", type=float, default=600)
    asked.add_argument("--database", default="", help="address of an empty PostgreSQL database")
    asked.add_argument("--redis", default="", help="address of Redis, for several workers")
    asked.add_argument("--workers", type=int, default=1)
    asked.add_argument("--tournament", type=int, default=0, help="people of one beside them")
    asked.add_argument("--bots", type=int, default=0, help="tables beside them, each of one person")
    wanted = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="kaboom-load-") as name:
        place = Path(name)
        environ = settings(place, wanted.database, wanted.redis, wanted.workers)
        print(
            printed(
                run(environ, place, wanted.tables, wanted.seconds, wanted.tournament, wanted.bots)
            )
        )
