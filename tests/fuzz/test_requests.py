"""Malformed requests to every route cause no failure, hang, unescaped markup or stored trace.

Meanwhile people play, matches end at any stage, tables are closed to spectators, locked and
reopened, and records hidden. Forbidden pages are requested as well.

`make test` sends 1,000 requests, more if too few matches have ended; KABOOM_LONG=1 sends a million.
KABOOM_FUZZ sets the number of the first run. A failure prints it, and a single run reproduces the
failure.
"""

import hashlib
import os
import random
import re
import sqlite3
import time
from contextlib import closing, suppress
from itertools import count

import pytest
from sqlalchemy import Engine, event

from kaboom.engine.codec import to_json
from kaboom.engine.moves import Refusal
from kaboom.engine.rng import Rng
from kaboom.games import GAMES
from kaboom.lobby import service as lobby_service
from kaboom.lobby.table_settings import change_access
from kaboom.puzzles.book import book
from kaboom.records.access import RecordNotFound
from kaboom.tables import start_match
from kaboom.tables.access.service import let_in
from kaboom.tables.maintenance.interventions import stop
from kaboom.tables.seats import leaving
from kaboom.tables.spectators.service import let_watch
from kaboom.tables.spectators.views import DELAYS
from tests.fuzz.requests import NO_MARKUP, UNESCAPED, Request, World, drawn
from tests.secrecy.paired_server import everything_logged, seated
from tests.secrecy.states import next_move
from tests.support.effort import often
from tests.support.forms import Page
from tests.support.statement_cache import by_sqlalchemy

REQUESTS = often(1_000, soak=5_000)  # of one run
RUNS = often(1, soak=200)
FIRST = int(os.environ.get("KABOOM_FUZZ", "1"))
RUNS = 1 if "KABOOM_FUZZ" in os.environ else RUNS

SLOW = 2.0  # seconds of processor time; five times as many elapsed, because the machine may be busy
SAFE = ("GET", "HEAD", "OPTIONS")
# Rows that a refusal may leave until cleanup: the name of a player who lost the race for a chair, a
# count of wrong passwords, the key of a newcomer with a one-use link; and that a player still waits
# for opponents, because a refusal shows them the waiting page, as every look at it does.
HARMLESS = {"players", "tries", "commands", "match_requests"}
# A page of matchmaking tells that its player still waits, which seats them if enough others wait.
SEATED = {"match_requests", "match_waits", "tables", "sittings", "parts", "matches", "commands"}


@pytest.fixture
def ours(app, fake_ids, monkeypatch):
    """Return the application with tables in several states; waits and streams end at once.

    Codes and cards are the same in every run.
    """
    numbers = count(1)
    fake_ids.code = lambda: f"{next(numbers):08}"
    fake_ids.seed = lambda: next(numbers).to_bytes(32, "big")
    monkeypatch.setattr("kaboom.table_page.view_routes.WAIT", 0.0)
    monkeypatch.setattr("kaboom.realtime.stream.LIFE", 0.0)
    monkeypatch.setattr("kaboom.realtime.stream.time.sleep", lambda seconds: None)
    return app


PAGES = ("", "", "", "", "/leave", "/house", "/options", "/carry", "/talk", "/rules")
LOOKS = 10  # at places where something has just happened
ENDINGS = often(1, soak=2)  # decisions at which matches of each game must have ended
STEPS = 60  # moves after which a match is ended


class Room:
    """Some tables with people, and what one of those people sees and may press.

    `ended` has the decisions at which matches of each game were ended early, with how many were
    pending.
    """

    def __init__(self, app, dice):
        self.app, self.dice, self.service = app, dice, app.config["TABLES"]
        self.tables, self.codes, self.people, self.kept, self.moves = [], [], [], {}, 0
        self.first = []  # requests that come before all others
        self.lines = []  # recent log messages
        self.ended = {key: set() for key in GAMES}
        lobby = app.test_client()
        answer = lobby.post("/tables", data={"game": "kaboom", "name": "Ann", "bots": "1"})
        code = answer.location.rsplit("/t/", 1)[1][:8]
        club = lobby.post("/clubs", data={"club": "The Gulls", "called": "Ann"})
        address = "https://bots.example.org/kaboom"
        lobby.post("/settings/bots", data={"bot_name": "Robo", "address": address})
        self.club = club.location.rsplit("/clubs/", 1)[1]
        self.stranger = "; ".join(f"{c.key}={c.value}" for c in lobby._cookies.values())
        self.records = set()
        self.add(code)
        for game in GAMES.values():
            self.open(game)

    def add(self, code):
        """Record a table, its record and its viewer, named or anonymous."""
        self.codes.append(code)
        self.people += [(code, cookie) for cookie in (self.stranger, "")]
        self.records.add(self.service.get(code).table.record)

    def open(self, game):
        """Open a table for a game and start a match."""
        options = game.options()
        table = seated(self.app, game, options, game.seats(options)[0])
        self.tables.append(table)
        self.people += [(table.code, table.cookies(seat)) for seat in (0, 1)]
        self.add(table.code)

    def game(self, table):
        """Return the game that is played at a table."""
        return self.service.get(table.code).game

    def world(self):
        """Return the targets of requests; every route is included, new ones automatically."""
        names = [
            "web/base.css",
            "table_page/table.js",
            "vendor/htmx-bundle-4.0.1.js",
            "vendor/htmx-4.0.1.min.js",
            "nothing.css",
        ]
        return World(
            rules=[rule for rule in self.app.url_map.iter_rules() if rule.rule != "/tables"] * 4
            + list(self.app.url_map.iter_rules()),
            values={
                "code": lambda dice, rule: dice.choice(
                    self.codes if rule.startswith("/t/") else sorted(self.records)
                ),
                "bot": lambda dice, rule: dice.choice("12"),
                "club": lambda dice, rule: dice.choice([self.club, "AAAAAAAA"]),
                "key": lambda dice, rule: dice.choice(list(GAMES)),
                "lesson": lambda dice, rule: dice.choice(["first", "ties"]),
                "name": lambda dice, rule: dice.choice(names),
                "number": lambda dice, rule: str(dice.randint(0, 40)),
                "pod": lambda dice, rule: str(dice.randint(0, 40)),
                "puzzle": lambda dice, rule: dice.choice([*book("gops"), "nothing"]),
                "review": lambda dice, rule: "AAAAAAAA",
                "round": lambda dice, rule: str(dice.randint(0, 9)),
                "secret": lambda dice, rule: dice.choice(["nonsense", "x" * 43]),
                "word": lambda dice, rule: "nonsense",
            },
            cookies=[cookie for _, cookie in self.people],
            pages=self.pages,
        )

    def pages(self, dice):
        """Return the forms of a player's open page, which may be outdated."""
        code, cookie = dice.choice(self.people)
        page = f"/t/{code}{dice.choice(PAGES)}"
        if (page, cookie) not in self.kept or dice.random() < 0.15:
            client = self.app.test_client(use_cookies=False)
            answer = client.get(page, headers={"Cookie": cookie})
            assert answer.status_code < 500, "\n".join([page, cookie, *self.lines])
            self.kept[page, cookie] = [
                (form.method, form.action, cookie, form.filled(button))
                for form in Page(answer.text).forms
                for button in form.buttons or [("", "", "")]
                if form.action.startswith("/")
            ]
        return self.kept[page, cookie]

    # Events beside the requests

    def move_on(self, fake_clock):
        """Let time pass: bots, timeouts, an absent player's bot and one player move."""
        fake_clock.sleep(5)
        for code in self.service.due():
            self.service.run_due(code)
        behind = [table for table in self.tables if len(self.ended[self.game(table).key]) < ENDINGS]
        table = self.dice.choice(self.dice.choice([self.tables, behind or self.tables]))
        snapshot = self.service.get(table.code)
        self.records.add(snapshot.table.record)
        if snapshot.table.playing:
            acts = (self.play, self.end, self.end, self.shut, self.shut, self.lock)
        else:
            acts = (self.again, self.again, self.shut, self.hide)
        with suppress(Refusal):  # the requests may have changed the table
            self.dice.choice(acts)(table)
        self.first = self.dice.sample(list(self.looks(table)), LOOKS)

    def looks(self, table):
        """Yield the next valid requests of every viewer."""
        for cookie in (*table.keys.values(), self.stranger, ""):
            for page in sorted({*PAGES, "/view", "/now"}):
                headers = [("Cookie", cookie)] if cookie else []
                yield Request("GET", f"/t/{table.code}{page}".encode(), headers=headers)

    def play(self, table):
        """Let people play a few moves."""
        for _ in range(self.dice.randint(1, 12)):
            self.step(table)

    def step(self, table):
        """Let a player make a move, if a match is running."""
        snapshot = self.service.get(table.code)
        if not snapshot.table.playing or snapshot.frozen or snapshot.table.paused:
            return
        self.moves += 1
        rng = Rng(self.dice.randbytes(32), self.moves, "people")
        move = next_move(snapshot.game, snapshot.state, len(snapshot.table.seats), rng)
        # Look up the player's seat each time, since requests move people and seats.
        table.seats = [occupant and occupant.player for occupant in snapshot.table.chairs]
        table.play(move, f"moved {self.moves}")

    def end(self, table):
        """End a match at a decision at which none has ended yet, if possible.

        All but one player leave, or all agree on the end.
        """
        for _ in range(STEPS):
            snapshot = self.service.get(table.code)
            if not snapshot.table.playing or snapshot.frozen:
                return
            saying = snapshot.game.view(snapshot.state, None).saying.kind
            going_on = saying, sum(prompt.waited_for for prompt in snapshot.prompts)
            if going_on not in self.ended[snapshot.game.key]:
                break
            self.step(table)
        self.ended[snapshot.game.key].add(going_on)
        if self.dice.random() < 0.3:
            stop(self.service, table.code)
        for occupant in self.dice.sample(snapshot.table.chairs, len(snapshot.table.chairs)):
            if occupant and occupant.player and self.service.get(table.code).table.playing:
                leaving.leave(self.service, table.code, occupant.player)

    def again(self, table):
        """Let every player return and start the next match, at another table if necessary.

        The requests may have locked this one or removed its players.
        """
        for number, player in enumerate(table.keys):
            with suppress(Refusal):
                lobby_service.sit(self.service, table.code, player, f"P{number}")
        for _, occupant in self.service.get(table.code).table.sitting():
            if occupant.player is not None and not self.service.get(table.code).table.playing:
                start_match.ready(self.service, table.code, occupant.player)
        if not self.service.get(table.code).table.playing:
            self.tables.remove(table)
            self.open(self.game(table))

    def shut(self, table):
        """Let the host choose who may watch, and whether at once or later, or no one."""
        host = self.service.get(table.code).table.host
        let_watch(self.service, table.code, host, self.dice.choice(DELAYS))

    def lock(self, table):
        """Let the host set or remove a password; sometimes a stranger enters it."""
        host, locked = self.service.get(table.code).table.host, self.dice.random() < 0.5
        change_access(self.service, table.code, host, True, "sesame" if locked else "", not locked)
        if locked and self.dice.random() < 0.5:
            let_in(self.service, table.code, hashed(self.stranger))

    def hide(self, table):
        """Let a player hide the record of the match, or show it again."""
        record = self.service.get(table.code).table.record
        cookie = self.dice.choice(list(table.keys.values()))
        with suppress(RecordNotFound):
            self.app.config["LIBRARY"].hide(record, hashed(cookie), self.dice.random() < 0.7)


def hashed(cookie):
    """Return what is stored of the key in a browser's cookies."""
    return hashlib.sha256(re.search(r"\bkb=([^;]*)", cookie)[1].encode()).hexdigest()


class Trace:
    """The writes to the store since the last check, by table name."""

    def __init__(self, path):
        self.file = sqlite3.connect(path)
        self.version = self._version()
        self.written = set()

    def _version(self):
        return self.file.execute("PRAGMA data_version").fetchone()[0]

    def note(self, connection, cursor, statement, parameters, context, many):
        """Record a write statement."""
        words = statement.split(maxsplit=3)
        if words[0] in ("INSERT", "DELETE"):
            self.written.add(words[2])
        elif words[0] == "UPDATE":
            self.written.add(words[1])

    def taken(self):
        """Return the tables with committed writes since the last check, or None."""
        version, written = self._version(), self.written
        changed = version != self.version
        self.version, self.written = version, set()
        return written if changed else None


def send(app, request):
    """Return status, headers and body of an answer, reading a stream to its end."""
    started = []

    def start_response(status, headers, exc_info=None):
        started.append((int(status[:3]), headers))

    body = app(request.environ(), start_response)
    try:
        content = b"".join(body)
    finally:
        getattr(body, "close", lambda: None)()
    return *started[-1], content


def fewest(room):
    """Return the number of decisions at which matches ended, for the game with the fewest."""
    return min(map(len, room.ended.values()))


@pytest.mark.parametrize("run", range(FIRST, FIRST + RUNS))
def test_no_request_fails_hangs_shows_markup_or_leaves_a_trace(run, ours, fake_clock, monkeypatch):
    by_sqlalchemy(monkeypatch)
    dice = random.Random(run)
    room = Room(ours, dice)
    world = room.world()
    trace = Trace(room.service.database.url.split("///")[1])
    statuses, slowest = {}, 0.0
    event.listen(Engine, "before_cursor_execute", trace.note)
    began = time.process_time()
    try:
        with closing(trace.file), everything_logged() as lines:
            room.lines = lines
            for number in range(6 * REQUESTS):  # this many only if few matches end
                if number >= REQUESTS and fewest(room) >= ENDINGS:
                    break
                if number % 40 == 0:
                    room.move_on(fake_clock)
                trace.taken()
                request = room.first.pop() if room.first else drawn(world, dice)
                where = f"KABOOM_FUZZ={run}, request {number}: {request}"
                del lines[:]
                begun, working = time.monotonic(), time.process_time()
                status, headers, body = send(ours, request)
                seconds, work = time.monotonic() - begun, time.process_time() - working
                slowest = max(slowest, seconds)
                statuses[status] = statuses.get(status, 0) + 1
                assert status < 500, f"{where}\n" + "\n".join(lines)
                assert work < SLOW and seconds < 5 * SLOW, f"{where} took {seconds:.1f} s"
                if dict(headers).get("Content-Type", "").split(";")[0] not in NO_MARKUP:
                    assert not any(mark in body for mark in UNESCAPED), (
                        f"markup was returned: {where}"
                    )
                for name, value in headers:
                    assert "\n" not in value and "\r" not in value, f"{name}: {where}"
                written = trace.taken()
                if written is None:
                    continue
                waits = request.path.startswith(b"/play") and "match_requests" in written
                if request.method in SAFE:
                    assert waits and written <= SEATED, f"{written} written by {where}"
                elif status >= 400:
                    allowed = HARMLESS | SEATED if waits else HARMLESS
                    assert written <= allowed, f"{status}, yet {written} written: {where}"
    finally:
        event.remove(Engine, "before_cursor_execute", trace.note)
    rate = number / (time.process_time() - began)
    print(f"run {run}: {rate:.0f} requests a second of processor time, {slowest:.2f} s, {statuses}")
    assert statuses.get(303, 0) > 50, "hardly anything was accepted, so refusals prove little"
    assert fewest(room) >= ENDINGS, f"some matches end at few decisions: {room.ended}"
    for code in room.codes:
        assert to_json(room.service.get(code).table), "every table can still be read"
