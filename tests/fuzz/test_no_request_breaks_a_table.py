"""Every route, asked for in every wrong way: no failure, no hang, no markup, no trace.

50,000 requests at the gate; KABOOM_LONG=1 sends a million. KABOOM_FUZZ names the number of the
first run, which a failure prints: one run alone repeats it.
"""

import os
import random
import sqlite3
import time
from contextlib import closing

import pytest
from sqlalchemy import Engine, event

from kaboom.core.codec import to_json
from kaboom.games import GAMES
from kaboom.push.stream import table_events
from tests.fuzz.requests import UNESCAPED, World, drawn
from tests.secrecy.twins import everything_logged, seated
from tests.web.forms import Page

REQUESTS = 5_000  # of one run
RUNS = 200 if os.environ.get("KABOOM_LONG") else 10
FIRST = int(os.environ.get("KABOOM_FUZZ", "1"))
RUNS = 1 if "KABOOM_FUZZ" in os.environ else RUNS

SLOW = 2.0  # seconds of work; five times as many by the clock, for the machine may be busy
SAFE = ("GET", "HEAD", "OPTIONS")
# A name is kept when somebody gives one, whether there is a chair for it or not.
HARMLESS = {"players"}


@pytest.fixture
def ours(app, monkeypatch):
    """The application with tables in several states; waiting and streaming end at once."""
    monkeypatch.setattr("kaboom.web.table.WAIT", 0.0)
    monkeypatch.setattr(table_events, "life", 0.0)
    monkeypatch.setattr("kaboom.push.stream.time.sleep", lambda seconds: None)
    return app


class Room:
    """Some tables with people, and what one of them would see and might press."""

    def __init__(self, app, dice):
        self.app, self.service = app, app.config["TABLES"]
        self.codes, self.people, self.kept = [], [], {}
        for game in GAMES.values():
            options = game.options()
            table = seated(app, game, options, game.seats(options)[0])
            self.codes.append(table.code)
            self.people += [(table.code, table.cookies(seat)) for seat in (0, 1)]
        lobby = app.test_client()
        answer = lobby.post("/tables", data={"game": "kaboom", "name": "Ann", "bots": "1"})
        code = answer.location.rsplit("/t/", 1)[1][:8]
        cookie = "; ".join(f"{c.key}={c.value}" for c in lobby._cookies.values())
        self.codes.append(code)
        self.people += [(code, cookie), (code, "")]
        self.records = [self.service.look(code).table.record for code in self.codes]

    def world(self):
        """Return what there is to ask for; every route is in it, new ones by themselves."""
        names = ["kaboom.css", "kaboom.js", "kb-1.js", "vendor/htmx-4.0.1.min.js", "nothing.css"]
        return World(
            rules=[rule for rule in self.app.url_map.iter_rules() if rule.rule != "/tables"] * 4
            + list(self.app.url_map.iter_rules()),
            values={
                "code": lambda dice: dice.choice([*self.codes, *self.records]),
                "key": lambda dice: dice.choice(list(GAMES)),
                "name": lambda dice: dice.choice(names),
                "number": lambda dice: str(dice.randint(0, 40)),
                "secret": lambda dice: dice.choice(["nonsense", "x" * 43]),
            },
            cookies=[cookie for _, cookie in self.people],
            pages=self.pages,
        )

    def pages(self, dice):
        """Return the forms of a page somebody has open, perhaps for a while already."""
        code, cookie = dice.choice(self.people)
        if (code, cookie) not in self.kept or dice.random() < 0.15:
            client = self.app.test_client(use_cookies=False)
            html = client.get(f"/t/{code}", headers={"Cookie": cookie}).text
            self.kept[code, cookie] = [
                (form.method, form.action, cookie, form.filled(button))
                for form in Page(html).forms
                for button in form.buttons or [("", "", "")]
                if form.action.startswith("/")
            ]
        return self.kept[code, cookie]


class Trace:
    """What was written to the store, by name of table, since it was last asked."""

    def __init__(self, path):
        self.file = sqlite3.connect(path)
        self.version = self._version()
        self.written = set()

    def _version(self):
        return self.file.execute("PRAGMA data_version").fetchone()[0]

    def note(self, connection, cursor, statement, parameters, context, many):
        """Note a statement that writes."""
        words = statement.split(maxsplit=3)
        if words[0] in ("INSERT", "DELETE"):
            self.written.add(words[2])
        elif words[0] == "UPDATE":
            self.written.add(words[1])

    def taken(self):
        """Return the tables that were written and committed since the last time, or None."""
        version, written = self._version(), self.written
        changed = version != self.version
        self.version, self.written = version, set()
        return written if changed else None


def send(app, request):
    """Return status, headers and body of an answer; a stream is read to its end."""
    started = []

    def start_response(status, headers, exc_info=None):
        started.append((int(status[:3]), headers))

    body = app(request.environ(), start_response)
    try:
        content = b"".join(body)
    finally:
        getattr(body, "close", lambda: None)()
    return *started[-1], content


@pytest.mark.parametrize("run", range(FIRST, FIRST + RUNS))
def test_no_request_fails_hangs_shows_markup_or_leaves_a_trace(run, ours, watch):
    dice = random.Random(run)
    room = Room(ours, dice)
    world = room.world()
    trace = Trace(room.service.database.url.split("///")[1])
    statuses, slowest = {}, 0.0
    event.listen(Engine, "before_cursor_execute", trace.note)
    began = time.process_time()
    try:
        with closing(trace.file), everything_logged() as lines:
            for number in range(REQUESTS):
                if number % 40 == 0:
                    move_on(room, watch)
                trace.taken()
                request = drawn(world, dice)
                where = f"KABOOM_FUZZ={run}, request {number}: {request}"
                del lines[:]
                begun, working = time.monotonic(), time.process_time()
                status, headers, body = send(ours, request)
                seconds, work = time.monotonic() - begun, time.process_time() - working
                slowest = max(slowest, seconds)
                statuses[status] = statuses.get(status, 0) + 1
                assert status < 500, f"{where}\n" + "\n".join(lines)
                assert work < SLOW and seconds < 5 * SLOW, f"{where} took {seconds:.1f} s"
                assert not any(mark in body for mark in UNESCAPED), f"markup came back: {where}"
                for name, value in headers:
                    assert "\n" not in value and "\r" not in value, f"{name}: {where}"
                written = trace.taken()
                if written is not None and request.method in SAFE:
                    raise AssertionError(f"{written} written by {where}")
                if written is not None and status >= 400:
                    assert written <= HARMLESS, f"{status}, yet {written} written: {where}"
    finally:
        event.remove(Engine, "before_cursor_execute", trace.note)
    rate = REQUESTS / (time.process_time() - began)
    print(f"run {run}: {rate:.0f} requests a second of processor time, {slowest:.2f} s, {statuses}")
    assert statuses.get(303, 0) > 50, "hardly anything was taken, so refusals prove little"
    for code in room.codes:
        assert to_json(room.service.look(code).table), "every table can still be read"


def move_on(room, watch):
    """Let time pass: bots and timeouts move, and whoever left is played on."""
    watch.sleep(5)
    for code in room.service.due():
        room.service.lapse(code)
