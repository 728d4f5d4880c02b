"""Lives: stories of tables, clubs, tournaments … in which every step says all that follows from it.

    pytest --snapshot-update tests/scenarios/test_scenarios.py -k a_match

A life is a text. Its lines "> …" are what is done, one line of Python each; below each stands what
came of it: what was refused and in which words, what was returned, whom the service told, and every
value in the store that is another one now, whatever table of the store it is in. A test tells each
life again and compares every line (`tests/scenarios/test_scenarios.py`). The command above
writes down anew what came of the steps; a new life begins as a file with nothing else. Lines "# …"
are the narrator's.

Nothing in a life is left to chance: the clock stands still but for `wait`, seeds and codes are
numbered, and what is secret is drawn from a fixed stream.
"""

import ast
import json
import os
import random
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import is_dataclass
from datetime import date
from functools import lru_cache
from hashlib import shake_256
from importlib import import_module
from inspect import isfunction, signature
from itertools import count
from types import ModuleType
from typing import Any

from msgspec import Raw, Struct
from sqlalchemy import Boolean, Connection, LargeBinary
from sqlalchemy import Table as Stored

from kaboom.accounts import players as keys
from kaboom.db.database import Database
from kaboom.db.encryption import NONCE_BYTES, Seal, Unreadable, seal_of_store
from kaboom.db.models import metadata
from kaboom.db.signals import Signals
from kaboom.db.times import DAY
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import to_json
from kaboom.engine.engine import prompt
from kaboom.engine.moves import Refusal
from kaboom.engine.rng import Chance
from kaboom.engine.toolkit.playthrough import lines_of, random_turn
from kaboom.engine.views import Outcome
from kaboom.games import GAMES
from kaboom.notifications.outbox import NotArrived, TurnCalls
from kaboom.notifications.waiting import Call
from kaboom.records.service import Library
from kaboom.tables.match_record import text_of
from kaboom.tables.permissions import require_match
from kaboom.tables.premoves import can_plan
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import PasswordRequired, TableSnapshot
from kaboom.tables.table import Chair, Hints, Table, Welcome
from kaboom.tables.transaction import TableTransaction
from kaboom.tournaments.changes import look as look_at_tournament
from kaboom.tournaments.rules import rounds as course
from kaboom.tournaments.rules.events import Format, How, Ruling, SeatResult, Spare, Verb
from kaboom.tournaments.rules.standings import standings
from kaboom.web.api.scopes import Scope
from kaboom.web.idempotency.service import Command
from tests.support import authenticator
from tests.support.fake_ids import ChosenLots, numbered_seeds
from tests.support.server import SECRET
from tests.support.statement_cache import prepared
from tests.support.tournaments import all_ready, ended, settings, settled

PEOPLE = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
# The modules that a life names; those with statements are called store_…
MODULES = {
    "access": "kaboom.tables.access.service",
    "chat": "kaboom.social.chat.service",
    "clubs": "kaboom.social.clubs.service",
    "coming_in": "kaboom.accounts.login",
    "daily": "kaboom.tournaments.daily.service",
    "dates": "kaboom.social.clubs.events",
    "devices": "kaboom.accounts.sessions",
    "feed": "kaboom.records.feed",
    "host": "kaboom.lobby.host",
    "in_match": "kaboom.play.service",
    "keeping": "kaboom.accounts.credentials",
    "keys": "kaboom.accounts.players",
    "library": "kaboom.records.service",
    "merging": "kaboom.accounts.merge",
    "notes": "kaboom.records.notes",
    "open_hands": "kaboom.tables.spectators.open_hands",
    "organising": "kaboom.tournaments.organizer",
    "over_days": "kaboom.play.correspondence.service",
    "passkeys": "kaboom.accounts.passkeys",
    "people": "kaboom.social.friends.service",
    "program_keys": "kaboom.accounts.api_keys.service",
    "rating": "kaboom.ratings.leaderboards",
    "reporting": "kaboom.social.friends.reports",
    "rule_sets": "kaboom.lobby.presets",
    "seat_transfer": "kaboom.lobby.seat_transfer",
    "seating": "kaboom.lobby.service",
    "sittings": "kaboom.tables.sittings",
    "store_access": "kaboom.tables.access.queries",
    "store_accounts": "kaboom.accounts.queries",
    "store_boards": "kaboom.tables.shared_deals.queries",
    "store_clubs": "kaboom.social.clubs.queries",
    "store_commands": "kaboom.web.idempotency.queries",
    "store_dates": "kaboom.social.clubs.event_queries",
    "store_devices": "kaboom.accounts.session_queries",
    "store_feed": "kaboom.records.feed_queries",
    "store_key_check": "kaboom.db.key_check",
    "store_matches": "kaboom.tables.match_queries",
    "store_merging": "kaboom.accounts.merge_queries",
    "store_notes": "kaboom.records.note_queries",
    "store_notices": "kaboom.notifications.reminder_queries",
    "store_offers": "kaboom.accounts.token_queries",
    "store_outbox": "kaboom.notifications.outbox_queries",
    "store_people": "kaboom.social.friends.queries",
    "store_players": "kaboom.accounts.player_queries",
    "store_program_keys": "kaboom.accounts.api_keys.queries",
    "store_queries": "kaboom.tables.queries",
    "store_ratings": "kaboom.ratings.queries",
    "store_records": "kaboom.records.queries",
    "store_recovery": "kaboom.tables.maintenance.recovery_queries",
    "store_rule_sets": "kaboom.lobby.preset_queries",
    "store_seat_transfer": "kaboom.lobby.seat_transfer_queries",
    "store_server_keys": "kaboom.db.server_keys",
    "store_spectators": "kaboom.tables.spectators.queries",
    "store_tournaments": "kaboom.tournaments.queries",
    "store_tries": "kaboom.web.attempt_queries",
    "store_upkeep": "kaboom.tables.maintenance.cleanup_queries",
    "store_vacations": "kaboom.tables.clock.vacation_queries",
    "store_ways": "kaboom.notifications.channel_queries",
    "table": "kaboom.tables.table",
    "tournaments": "kaboom.tournaments.service",
    "upkeep": "kaboom.tables.maintenance.cleanup",
    "votes": "kaboom.play.votes",
    "watching": "kaboom.tables.spectators.service",
    "ways": "kaboom.notifications.channels",
}
# What is sealed as what; whatever is not written as text is shown by its first digits.
SEALED = (
    *("table", "seed", "move", "board", "command", "import", "note"),
    *("offer", "report", "way", "feed", "server key"),
)
# Caches and what golden playthroughs show: they would say everything twice.
LEFT_OUT = ("state", "prints")
SHORT, WIDE = 90, 150  # letters of a line that shares one with others, and of that
LONG = 64  # digits of a hash, shown by the first of them


def show(value: Any) -> str:
    """Return a value in one line."""
    if isinstance(value, bytes):
        return value.hex()[:6] + "…"
    if isinstance(value, str):
        if len(value) == LONG and set(value) <= set("0123456789abcdef"):
            return value[:6] + "…"
        return "(a password)" if value.startswith("$argon2") else json.dumps(value, ensure_ascii=0)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def compact(value: Any) -> str:
    """Return a value in one line, whatever is within it."""
    if isinstance(value, Mapping):
        return "{" + " ".join(f"{key}={compact(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(compact, value)) + "]"
    return show(value)


def changes(path: str, old: Any, new: Any) -> Iterator[str]:
    """Yield a line for each part of a value that is another one now."""
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
        if path and all(isinstance(it, int) for it in (*old.values(), *new.values())):
            parts = [f"{key} {old.get(key, '-')} → {new.get(key, '-')}" for key in keys]
            yield f"      {path}: " + ", ".join(parts)
            return
        for key in keys:
            yield from changes(f"{path}.{key}" if path else key, old.get(key), new.get(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, two) in enumerate(zip(old, new, strict=True)):
            yield from changes(f"{path}.{number}", one, two)
    elif new is None:
        yield f"      {path}: no longer {compact(old)}"
    else:
        yield f"      {path}: " + ("" if old is None else f"{compact(old)} → ") + compact(new)


def opened(seal: Seal, sealed: bytes) -> Any:
    """Return what was sealed as anything, read if it is JSON, or else its bytes."""
    for kind in SEALED:
        try:
            clear = seal.open(sealed, kind)
        except Unreadable:
            continue
        text = clear.decode(errors="replace")
        return read(text) if text.isprintable() else clear
    return sealed


def read(value: Any) -> Any:
    """Return what a text says as JSON, if it does, or else the value."""
    try:
        return json.loads(value) if isinstance(value, str) and value[:1] in ("[", "{") else value
    except ValueError:
        return value


Rows = dict[str, dict[str, Any]]  # by what each is called: all that is in it


def rows(connection: Connection) -> Rows:
    """Return all that is in a store, row by row."""
    seal, cursor = seal_of_store(connection), connection.connection.cursor()
    return dict(
        row_of(seal, table, row)
        for table in metadata.sorted_tables
        for row in cursor.execute(f"SELECT {', '.join(table.c.keys())} FROM {table.name}")
    )


@lru_cache(maxsize=10_000)
def row_of(seal: Seal, table: Stored, row: tuple[Any, ...]) -> tuple[str, dict[str, Any]]:
    """Return what a row is called, and what is in it."""
    found: dict[str, Any] = {}
    for column, value in zip(table.columns, row, strict=True):
        if value is None:
            continue
        if isinstance(column.type, LargeBinary):
            found[column.name] = opened(seal, value)
        else:
            found[column.name] = bool(value) if isinstance(column.type, Boolean) else read(value)
    if table.name == "tables" and isinstance(found["body"], dict):
        found["body"] = in_short(found["body"])
    keys = (show(found[column.name]).strip('"') for column in table.primary_key)
    return " ".join([table.name, *keys]), found


BLANK = json.loads(to_json(Table(chairs=[], options=Raw(b"{}"), host=0)))
EMPTY = json.loads(to_json(Chair("")))


def in_short(body: dict[str, Any]) -> dict[str, Any]:
    """Return a table without what is as it always is at first; lines by their order."""
    short = {name: it for name, it in body.items() if name not in LEFT_OUT and it != BLANK[name]}
    short["chairs"] = [
        chair and {name: it for name, it in chair.items() if it != EMPTY[name]}
        for chair in body["chairs"]
    ]
    for name in ("told", *(f"whispered.{seat}" for seat in body["whispered"])):
        lines = body["whispered"][name[10:]] if "." in name else body[name]
        short[name] = {f"#{it['order']}": _without_order(it) for it in lines}
    short.pop("whispered", None)
    return short


def _without_order(line: dict[str, Any]) -> dict[str, Any]:
    return {name: it for name, it in line.items() if name != "order"}


def differences(before: Rows, after: Rows) -> Iterator[str]:
    """Yield a line for each row that came or went, and for each part of one that is changed."""
    for name, row in after.items():
        if name not in before:
            yield f"  + {name}: " + compact(row)[1:-1]
        elif before[name] != row:
            yield f"  * {name}"
            yield from packed(changes("", before[name], row))
    yield from (f"  - {name}" for name in before if name not in after)


def packed(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines with short ones that stand beside each other on one."""
    so_far = ""
    for line in lines:
        together = f"{so_far} | {line.strip()}"
        if so_far and len(line) <= SHORT and len(together) <= WIDE:
            so_far = together
            continue
        if so_far:
            yield so_far
        so_far = line
    if so_far:
        yield so_far


class Doing:
    """A module whose functions are given the table service, or a connection, if they begin so."""

    def __init__(self, module: ModuleType, life: "Life") -> None:
        self._module, self._life = module, life

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        first = next(iter(signature(found).parameters), "") if isfunction(found) else ""
        if first == "connection":
            write = self._life.database.write
            return lambda *given, **named: write(lambda it: found(it, *given, **named))
        if first in ("services", "tables"):
            return lambda *given, **named: found(self._life.tables, *given, **named)
        return found


class Life(dict[str, Any]):
    """What can be named in a life: its people, its modules, what was given a name in it, and the
    functions below.
    """

    def __init__(self, url: str) -> None:
        self.time, self.told, self.there = 1_000_000.0, list[str](), None
        self.database = prepared(Database(url, SECRET))
        numbers, cuts = count(1), count(1)
        self.lots = ChosenLots(
            numbered_seeds(),
            cut=lambda: f"cut {next(cuts)}",
            code=lambda: f"CODE{next(numbers):04}",
        )
        self.failures: list[NotArrived] = []
        self.open_streams: Any = ()
        self.restart()
        self |= {it.__name__: it for it in (Format, Hints, How, Level, Outcome, Pace, Ruling)}
        self |= {it.__name__: it for it in (Scope, SeatResult, Spare, Verb, Welcome, date)}
        self |= {"DAY": DAY, "GAMES": GAMES, "cup": settings, "authenticator": authenticator}
        self |= {"once": lambda form: Command("a browser", form)}

    def restart(self) -> None:
        """Begin to serve, with nothing but what the store knows."""
        self.tables = Tables(
            self.database,
            Signals(
                changed=lambda code, due_in: self.told.append(f"~ {code} changed, due {due_in}"),
                moved=lambda game, moves: self.told.append(f"~ {moves} moves in {game}"),
                turns=self._turns,
                late=lambda seconds: self.told.append(f"~ late by {seconds}"),
            ),
            now=lambda: self.time,
            here=lambda code: self.there,
            lots=self.lots,
        )
        self.outbox = TurnCalls(self.tables, self._send, lambda code: self.open_streams, run)
        self.outbox.start = lambda: None
        library = Library(self.tables)
        self |= {"tables": self.tables, "change": self.tables.change, "library": library}

    def _turns(self, code: str, players: list[int]) -> None:
        self.told.append(f"~ turns at {code}: {players}")
        self.outbox.begun(code, players)

    def _send(self, call: Call) -> None:
        self.told.append(f"~ called: {told(call)}")
        if self.failures:
            raise self.failures.pop(0)

    def __missing__(self, name: str) -> Any:
        if name in PEOPLE:
            self[name] = keys.player(self.tables, key_of(name), name)[0]
            return self[name]
        if name in vars(Life) and not name.startswith("_"):
            return getattr(self, name)
        return Doing(import_module(MODULES[name]), self)

    # What is done

    def wait(self, seconds: float) -> None:
        """Let time go by."""
        self.time += seconds

    def clock(self) -> list[str]:
        """Let the clock do one thing at each table where something is due; return where."""
        return [code for code in self.tables.due() if self.tables.lapse(code)]

    def calls(self, *players: int) -> float:
        """See to the outbox, while these players have their tables open; return when it looks
        again.
        """
        self.open_streams = players
        self.outbox.sweep()
        return self.outbox.tick()

    def fail(self, why: str, **how: Any) -> None:
        """Let the next call not arrive."""
        self.failures.append(NotArrived(why, **how))

    def damage(self, statement: str) -> None:
        """Change what is in the store behind everybody's back."""
        self.database.write(lambda connection: connection.exec_driver_sql(statement))
        self.restart()

    def sealed(self, text: str, kind: str) -> str:
        """Return a text sealed as something of that kind, written in base64."""
        return b64encode(self.database.seal.close(text.encode(), kind)).decode()

    def record(self, code: str, player: int = 0) -> "Lines":
        """Return a finished match as a player finds it, what is around it, what is wrong in it."""
        replay, around = self["library"].find(code, key_of(self._name(player)))
        made = json.loads(text_of(replay.record))
        return Lines(
            [
                told(around),
                *(f"{name}: {compact(value)}" for name, value in made.items()),
                f"rounds: {replay.landmarks('round')}  turns: {replay.landmarks('turn')}",
                f"broken: {show(replay.broken)}  wrong: {replay.wrong}",
            ]
        )

    def record_text(self, code: str) -> str:
        """Return a finished match as its file."""
        return text_of(self["library"].find(code)[0].record)

    def key(self, player: int) -> str:
        """Return the key of a player's browser."""
        return key_of(self._name(player))

    def choose(self, code: str, player: int, verb: str, nth: int = 0) -> None:
        """Make a move with the nth of what a fresh page offers for it."""
        snapshot = self.tables.look(code)
        offer = snapshot.prompts[snapshot.table.seat_of(player) or 0].offer(verb)
        self.press(code, player, f"{verb} {offer.options[nth]}" if offer else verb)

    def back(self, code: str, player: int, number: int, cmd: str = "") -> None:
        """Take a move back."""
        match = self.tables.look(code).table.match
        self["in_match"].take_back(code, player, number, cmd or f"back {number}", match)

    def ahead(self, code: str, player: int, verb: str, *cards: str, until: bool = False) -> None:
        """Decide ahead what to do, by what a fresh page offers for it."""
        found = self.tables.look(code)
        seat = found.table.seat_of(player)
        offers = can_plan(found.table, found.position, seat)
        token = next(it.token(seat) for it in offers if (it.verb, it.until) == (verb, until))
        self["in_match"].decide_ahead(code, player, token, cards, found.table.match)

    def here(self, *players: int) -> None:
        """Let just these be present; without any, nobody knows who is."""
        self.there = players or None

    def press(self, code: str, player: int, move: str, cmd: str = "") -> None:
        """Do what a fresh page of a player would do."""
        snapshot = self.tables.look(code)
        table = snapshot.table
        seat, verb = table.seat_of(player), move.split()[0]
        offer = None
        if seat is not None and snapshot.prompts:
            offer = prompt(snapshot.game, snapshot.state, seat).offer(verb)
        token, revision = offer.token if offer else "none", table.revision(seat)
        cmd = cmd or f"{revision} {move}"
        self["in_match"].submit(code, player, move, token, cmd, table.match, revision)

    def play(self, code: str, moves: int) -> None:
        """Make so many moves of players who play at random."""
        for _ in range(moves):
            snapshot = self.tables.look(code)
            if snapshot.table.playing:
                seq, seats = snapshot.table.seq, len(snapshot.table.seats)
                move = random_turn(
                    snapshot.game, snapshot.state, seats, Chance(bytes(32), seq, "players")
                )
                self.tables.change(code, lambda it, m=move, n=seq: it.play(m, f"random {n + 1}"))

    def end(self, code: str, *places: int, reason: str = "won") -> None:
        """End a match with these places, by seat."""
        outcome = Outcome(tuple(-place for place in places), places, reason)

        def work(transaction: TableTransaction) -> None:
            require_match(transaction.table)
            transaction.end(outcome)

        self.tables.change(code, work)

    def settle(self, code: str) -> None:
        """Let a tournament's director do all that is due."""
        settled(self.tables, code)

    def gather(self, code: str, *missing: int) -> None:
        """Let everybody at the tables of a round be ready but these, and those be dealt."""
        all_ready(self.tables, code, missing)

    def finish(self, code: str) -> None:
        """End the matches of a round: whoever entered first comes first."""
        ended(self.tables, code)

    def both(self, *done: Any) -> None:
        """Do several things in one step."""

    # What is looked at

    def look(self, code: str, player: int | None = None) -> "Lines":
        """Return what somebody finds at a table: a player, a stranger (0), or the house (None)."""
        key = None if player is None else key_of(self._name(player))
        try:
            found = self.tables.look(code, key)
        except PasswordRequired as locked:
            return Lines([f"locked: {locked.snapshot.table.host}"])
        return Lines(found_there(found))

    def looks(self, code: str, *players: int) -> "Lines":
        """Return what each of several people finds at a table, read at once."""
        found = self.tables.looks(code, [key_of(self._name(it)) for it in players])
        return Lines(
            line
            for player, snapshot in zip(players, found, strict=True)
            for line in (
                f"{self._name(player) or 'a stranger'}:",
                *(found_there(snapshot) if snapshot else ["locked"]),
            )
        )

    def in_time(self, ask: Callable[[], Any]) -> "Lines":
        """Return how an answer changes as time goes by: it is asked for just before, at and just
        after every moment to come that is written anywhere in the store.
        """
        now = self.time
        ahead = sorted({it for it in numbers(self.database.read(rows)) if it > now})
        found, before = Lines(), None
        for moment in (now, *(at + a_little for at in ahead for a_little in (-0.01, 0.0, 0.01))):
            self.time = moment
            try:
                said = list(answer(ask()))
            except Refusal as refusal:
                said = [f"  ! {refusal}"]
            if said != before:
                found.append(f"after {moment - now:.2f} s:")
                found += [it.strip() for it in said]
            before = said
        self.time = now
        return found

    def standing(self, code: str) -> "Lines":
        """Return what a tournament has come to."""
        seen = look_at_tournament(self.tables, code)
        of = seen.of
        return Lines(
            [
                f"next: {told(course.next_step(of))}  rounds: {course.rounds(of)}"
                f"  late: {course.may_enter_late(of)}  check-in: {show(of.check_in_ends)}"
                f"  paused: {of.paused}  secret: {of.secret}  waiting: {of.waiting()}",
                *(f"entrant {told(it)}" for it in of.entrants.values()),
                *(f"round {told(it)}" for it in of.rounds),
                *(told(it) for it in standings(of, seen.draw())),
                *(f"meetings {told(course.meetings(of))}" for _ in of.rounds[:1]),
                *(f"champions {course.champions(of)}" for _ in range(of.ended)),
            ]
        )

    def _name(self, player: int) -> str:
        return next((name for name in PEOPLE if self.get(name) == player), "")

    # Telling it

    def step(self, line: str, before: Rows) -> tuple[list[str], Rows]:
        """Do what a line says; return what came of it, and all that is in the store then."""
        said: list[str] = []
        tree = ast.parse(line)
        try:
            last = tree.body[-1]
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), line, "eval"), self)
                said += answer(value)
            else:
                exec(compile(tree, line, "exec"), self)
                said += answer(eval(ast.unparse(last.targets[0]), self))
        except Exception as refusal:
            sentence, fields = str(refusal).partition("\n")[0], getattr(refusal, "fields", "")
            said.append(f"  ! {type(refusal).__name__}: {sentence} {fields}".rstrip())
        said += [f"  {it}" for it in self.told]
        self.told.clear()
        after = self.database.read(rows)
        return [*said, *differences(before, after)], after


def numbers(value: Any) -> Iterator[float]:
    """Yield every number in a value, however deep."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from numbers(part)
    elif isinstance(value, list):
        for part in value:
            yield from numbers(part)


def run(work: Callable[[], None]) -> None:
    """Do at once what is otherwise done beside the rest."""
    work()


class Lines(list[str]):
    """What is shown as it is, line by line."""


def key_of(name: str) -> str:
    """Return the key of the browser somebody sits at; a stranger has none."""
    return f"key of {name}" if name else ""


def found_there(snapshot: TableSnapshot) -> Iterator[str]:
    """Yield what a page would show of a table to whoever found it."""
    table, me = snapshot.table, snapshot.me
    told = {
        "version": snapshot.version,
        "me": me,
        "revision": table.revision(me),
        "until": snapshot.until,
        "closed": snapshot.closed,
        "frozen": snapshot.frozen,
        "listed": snapshot.listed,
        "locked": snapshot.locked,
        "touched": snapshot.touched_at,
        "seed": snapshot.seed,
        "waits for": snapshot.waiting_for(),
    }
    yield "  ".join(f"{name}={show(value)}" for name, value in told.items())
    for name, value in in_short(json.loads(to_json(table))).items():
        if name not in ("told", "timers", "options") and not name.startswith("whispered"):
            yield f"{name}={compact(value)}"
    for number, said in table.lines(me):
        yield f"line {number}: {said.kind} {bytes(said.facts).decode()}"
    if snapshot.state is not None:
        yield from lines_of(snapshot.position.view(me))
    if (own := snapshot.prompt()) is not None:
        yield from (f"may {offer.verb} {' '.join(offer.options)}".rstrip() for offer in own.offers)


def answer(value: Any) -> Iterator[str]:
    """Yield what was returned."""
    if value is None or isinstance(value, TableSnapshot | Doing):
        return
    if isinstance(value, Lines):
        yield from (f"  | {line}" for line in value)
    elif isinstance(value, list) and value and not isinstance(value[0], str | int):
        for item in value:
            yield f"  = {told(item)}"
    else:
        yield f"  = {told(value)}"


def told(value: Any) -> str:
    """Return anything that was returned, in one line."""
    if isinstance(value, TableSnapshot):
        return f"(table {value.code} as {value.player} finds it)"
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    elif is_dataclass(value) and not isinstance(value, type):
        value = {name: getattr(value, name) for name in value.__dataclass_fields__}
    elif isinstance(value, Struct):
        value = {name: getattr(value, name) for name in value.__struct_fields__}
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {told(it)}" for key, it in value.items()) + "}"
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(told, value))) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(told, value)) + "]"
    return show(value)


def told_again(lines: Iterable[str], url: str) -> Iterator[str]:
    """Yield the lines of a life, with what comes of each step now."""
    with nothing_left_to_chance():
        life = Life(url)
        known = life.database.read(rows)
        try:
            for line in lines:
                if line.startswith("> "):
                    yield line
                    said, known = life.step(line[2:], known)
                    yield from said
                elif not line.startswith("  "):
                    yield line
        finally:
            life.database.close()


@contextmanager
def nothing_left_to_chance() -> Iterator[None]:
    """Let what is drawn as a secret come from one stream, and what only seals or salts from another
    one: more of that must not change the secrets.
    """
    drawn, others = count(1), count(1)

    def secret(size: int) -> bytes:
        if size == NONCE_BYTES:
            return salt(size)
        return shake_256(b"secret %d" % next(drawn)).digest(size)

    def salt(size: int) -> bytes:
        return shake_256(b"salt %d" % next(others)).digest(size)

    kept = random._urandom, os.urandom
    random._urandom, os.urandom = secret, salt
    try:
        yield
    finally:
        random._urandom, os.urandom = kept
