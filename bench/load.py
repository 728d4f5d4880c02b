"""Many tables together, as on a busy evening: people and bots, over HTTP and event streams.

`python -m bench.load --port 8000 --tables 50 --seconds 60` plays on a server at that port, with
RATE_LIMITS=0. Each person is a greenlet of this one process: it keeps a stream open, fetches the
view when a change is announced, and moves after a while. Four browsers are at every table; those
without a seat watch. It measures the time from a move to the changed view at every other seat. With
`--bots 200` there are 200 more tables, each with one person and bots that play at once; they are
not measured. The figures are printed as JSON, times in milliseconds.
"""

from gevent import monkey

monkey.patch_all()

import argparse  # noqa: E402
import json  # noqa: E402
import random  # noqa: E402
import re  # noqa: E402
import resource  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections import Counter  # noqa: E402
from typing import Any  # noqa: E402

import gevent  # noqa: E402
from gevent.lock import Semaphore  # noqa: E402

from bench.browser import Browser, StreamEnded  # noqa: E402

# Game, people and bots at one table, options that keep a match going.
KINDS: list[tuple[str, int, int, dict[str, str]]] = [
    ("kaboom", 4, 0, {"rounds": "20"}),
    ("taken", 4, 1, {}),
    ("gops", 2, 0, {}),
    ("karata", 3, 1, {}),
    ("koth", 4, 1, {"deal_interval": "0.3"}),
]
# Seconds between a person's checks whether they can move: 5.2 on average while others wait. Real
# people take longer, so a real table costs less.
THINK = (3.0, 15.0)
BROWSERS = 4  # at each table
# Moves that never, or not always, change another player's view (such as sealed choices); they are
# not counted.
UNSEEN = {
    *("gops bid", "taken choose", "kaboom peek", "kaboom ready"),
    *("karata add", "karata back", "koth ready", "koth bury"),
}
NAMES = ("Ann", "Ben", "Cid", "Dot")
BOX = re.compile(r'<input [^>]*name="pick"[^>]*value="([^"]+)"')
PICKED = re.compile(r'name="offer" value="([0-9a-f]+ (\w+)[^"]*)"')
ARRIVALS = 0.4  # seconds between two tables, so that they do not all start together
SETTLING = 40.0  # seconds from the last arrival until every first deal is over
PROMPT = 300.0  # milliseconds within which a view should arrive


class Evening:
    """The measurements of all tables together."""

    def __init__(self) -> None:
        self.views: list[float] = []  # milliseconds from a move to each other seat's view
        self.posts: list[float] = []  # … to the response to it
        self.errors: Counter[str] = Counter()
        self.late: Counter[str] = Counter()  # moves by game and verb whose views were late
        self.over = False

    def failed(self, error: Exception) -> None:
        """Count an error, unless the run is ending."""
        if not self.over:
            self.errors[f"{type(error).__name__} {error}"[:120]] += 1


class Seat:
    """One person at a table: a browser with an open stream."""

    def __init__(self, evening: Evening, table: "Table", browser: Browser, seed: int) -> None:
        self.evening, self.table, self.browser = evening, table, browser
        self.rng = random.Random(seed)
        self.turns = Semaphore()  # one connection: one request at a time

    def listen(self) -> None:
        """Follow the table by its stream until the evening is over."""
        while not self.evening.over:
            try:
                self.browser.listen()
                self.look()
                while not self.evening.over:
                    before = self.browser.seen
                    if self.browser.heard():
                        self.look()
                    elif self.browser.seen != before:  # by the stream's own update
                        self.table.seen_by(self, time.monotonic())
            except StreamEnded:  # streams expire; browsers then open another
                gevent.sleep(1)
            except (OSError, RuntimeError) as error:
                self.evening.failed(error)
                gevent.sleep(1)

    def look(self) -> None:
        """Fetch the view, which shows all earlier moves at the table."""
        with self.turns:
            asked = time.monotonic()
            self.browser.look()
        self.table.seen_by(self, asked)

    def play(self) -> None:
        """Think and move until the evening is over."""
        while not self.evening.over:
            gevent.sleep(self.rng.uniform(*THINK))
            try:
                with self.turns:
                    self.move()
            except (OSError, RuntimeError) as error:
                self.evening.failed(error)

    def move(self) -> None:
        """Press a button that continues the game; after a match, start a rematch."""
        browser = self.browser
        if f'action="{browser.table}/rematch"' in browser.page:
            browser.ask("POST", f"{browser.table}/rematch", {})
            browser.load()
            return
        pressed = self.pressed()
        if pressed is None:
            return
        before, shown, began = browser.seen, browser.edition, time.monotonic()
        browser.send_move(pressed)
        answer = browser.answer()
        self.evening.posts.append(1000 * (time.monotonic() - began))
        # A refused move also shows the table. If the stream was quicker, the page is up to date.
        if answer.status in (200, 409, 422) and browser.edition == shown:
            browser.show(answer.text)
        if answer.status == 200 and browser.seen != before:
            self.table.moved(self, began, f"{self.table.game} {pressed.split()[1]}")

    def pressed(self) -> str | None:
        """Return the form fields of a button or of ticked boxes."""
        offers = self.browser.offers()
        for verb in ("flip", "kaboom", "peek", "swap"):
            if len(offers) > 1:
                offers.pop(verb, None)
        if offers and set(offers) != {"flip"}:
            return self.rng.choice(offers[self.rng.choice(sorted(offers))])
        boxes, picked = BOX.findall(self.browser.page), PICKED.findall(self.browser.page)
        picked = [(value, verb) for value, verb in picked if verb != "draft"]
        if boxes and picked:
            value, verb = self.rng.choice(picked)
            count = 8 if verb == "bury" else self.rng.choice((1, 1, 1, 2))
            return " ".join([value, *self.rng.sample(boxes, min(count, len(boxes)))])
        return None


class Table:
    """The people of one table, and the moves that some of them have not seen yet."""

    def __init__(self, evening: Evening, port: int, number: int, among_bots: bool) -> None:
        self.evening = evening
        self.game, people, bots, options = KINDS[number % len(KINDS)]
        if among_bots:  # bots hurry only at tables where a person plays
            people, bots, options = 1, people + bots - 1, {**options, "bot_pace": "instant"}
        browsers = [Browser(port) for _ in range(1 if among_bots else BROWSERS)]
        first = {"game": self.game, "name": NAMES[0], "bots": str(bots), **options}
        where = browsers[0].ask("POST", "/tables", first).headers["Location"].partition("?")[0]
        for index, browser in enumerate(browsers):
            browser.table = where
            if 0 < index < people:
                browser.ask("POST", f"{where}/sit", {"name": NAMES[index]})
        browsers[0].ask("POST", f"{where}/start", {})
        for browser in browsers:
            browser.load()
        seats = [Seat(evening, self, it, 10 * number + i) for i, it in enumerate(browsers)]
        self.players, self.everyone = seats[:people], seats
        self._unseen: dict[Seat, tuple[float, str]] = {}
        self._saw: dict[Seat, float] = {}  # when something new was last shown

    def moved(self, mover: Seat, began: float, what: str) -> None:
        """Record a move that the other players must see."""
        for seat in self.players:
            if seat is mover or what in UNSEEN:
                continue
            if (
                self._saw.get(seat, 0.0) > began
            ):  # it was streamed, and arrived before the mover's response
                self._seen_after(self._saw[seat] - began, what)
            else:
                self._unseen[seat] = (began, what)

    def seen_by(self, seat: Seat, asked: float) -> None:
        """Record that a view requested, or streamed, after `asked` was shown."""
        self._saw[seat] = time.monotonic()
        began, what = self._unseen.get(seat, (asked, ""))
        if began < asked:
            del self._unseen[seat]
            self._seen_after(self._saw[seat] - began, what)

    def _seen_after(self, seconds: float, what: str) -> None:
        self.evening.views.append(1000 * seconds)
        if 1000 * seconds > PROMPT:
            self.evening.late[what] += 1


def run(
    port: int, tables: int, seconds: float, bots: int = 0, settling: float = SETTLING
) -> dict[str, Any]:
    """Run this many tables for this many seconds against a server; return the measurements."""
    # 1. People arrive, one table after another.
    evening, beside_it, rooms, greenlets = Evening(), Evening(), [], []
    for number in range(tables + bots):
        among_bots = number >= tables
        rooms.append(Table(beside_it if among_bots else evening, port, number, among_bots))
        greenlets += [gevent.spawn(seat.listen) for seat in rooms[-1].everyone]
        greenlets += [gevent.spawn(seat.play) for seat in rooms[-1].players]
        gevent.sleep(ARRIVALS)
    # 2. First deals end; from then on, everything is measured.
    gevent.sleep(settling)
    for measured in (evening.views, evening.posts, evening.late):
        measured.clear()
    gevent.sleep(seconds)
    views, posts, late = list(evening.views), list(evening.posts), dict(evening.late)
    # 3. Everyone leaves.
    evening.over = beside_it.over = True
    gevent.killall(greenlets, timeout=10)
    everyone = [seat for room in rooms for seat in room.everyone]
    for seat in everyone:
        seat.browser.close()
    return {
        "tables": tables,
        "streams": len(everyone),
        "moves_per_second": round(len(posts) / seconds, 1),
        "views_p50": part(views, 0.5),
        "views_p99": part(views, 0.99),
        "posts_p50": part(posts, 0.5),
        "posts_p99": part(posts, 0.99),
        "late": late,
        "errors": dict(evening.errors + beside_it.errors),
    }


def part(values: list[float], share: float) -> float:
    """Return the value that this share of them does not exceed."""
    ordered = sorted(values) or [float("inf")]
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="bench.load", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--bots", type=int, default=0, help="further tables, with one person each")
    parser.add_argument(
        "--settling", type=float, default=SETTLING, help="seconds before measuring begins"
    )
    asked = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    found = run(asked.port, asked.tables, asked.seconds, asked.bots, asked.settling)
    json.dump(found, sys.stdout, indent=1)
    print()
