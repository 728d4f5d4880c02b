"""Scenarios: scripted stories of tables, clubs and tournaments, recorded with all effects of each
step.

pytest --snapshot-update tests/scenarios/test_scenarios.py -k a_match

A scenario is a text file. Its lines "> …" are the steps, one line of Python each. Below each step
stand its effects: refusals with their words, returned values, notifications, and every changed
value in the store. A test replays each scenario and compares every line
(`tests/scenarios/test_scenarios.py`). The command above updates the effects; a new scenario starts
as a file of steps only. Lines "# …" are comments.

Scenarios are deterministic: the clock only moves by `wait`, seeds and codes are numbered, and
secrets come from a fixed stream.
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

from kaboom.accounts import players as players_module
from kaboom.db.database import Database
from kaboom.db.encryption import NONCE_BYTES, Cipher, Unreadable, cipher_of_store
from kaboom.db.metadata import all_tables
from kaboom.db.signals import Signals
from kaboom.db.times import DAY
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import Pace
from kaboom.engine.codec import to_json
from kaboom.engine.engine import prompt
from kaboom.engine.moves import Refusal
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.playthrough import lines_of, random_turn
from kaboom.engine.views import Outcome
from kaboom.games import GAMES
from kaboom.notifications.notification import Notification
from kaboom.notifications.outbox import Outbox
from kaboom.notifications.retries import NotArrived
from kaboom.records.service import MatchArchive
from kaboom.tables.match_record import text_of
from kaboom.tables.permissions import require_match
from kaboom.tables.premoves import can_plan
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import PasswordRequired, TableSnapshot
from kaboom.tables.table import Hints, Occupant, Table, Welcome
from kaboom.tables.transaction import TableTransaction
from kaboom.tournaments.changes import get_tournament as look_at_tournament
from kaboom.tournaments.rules import pairing
from kaboom.tournaments.rules.events import Format, How, Ruling, SeatResult, Spare, Verb
from kaboom.tournaments.rules.standings import standings
from kaboom.web.api.scopes import Scope
from kaboom.web.idempotency.service import IdempotencyKey
from tests.support import authenticator
from tests.support.fake_ids import FakeIds, sequential_seeds
from tests.support.server import SECRET
from tests.support.statement_cache import prepared
from tests.support.tournaments import all_ready, ended, settings, settled

PEOPLE = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
# The modules that scenarios name; modules of SQL statements are called store_…
MODULES = {
    "access": "kaboom.tables.access.service",
    "api_keys": "kaboom.accounts.api_keys.service",
    "archive": "kaboom.records.service",
    "channels": "kaboom.notifications.channels",
    "chat": "kaboom.social.chat.service",
    "cleanup": "kaboom.tables.maintenance.cleanup",
    "club_roles": "kaboom.social.clubs.roles",
    "clubs": "kaboom.social.clubs.service",
    "credentials": "kaboom.accounts.credentials",
    "daily": "kaboom.daily.service",
    "erase": "kaboom.accounts.erase",
    "events": "kaboom.social.clubs.events",
    "feed": "kaboom.records.feed",
    "friends": "kaboom.social.friends.service",
    "interventions": "kaboom.tables.maintenance.interventions",
    "invitations": "kaboom.social.clubs.invitations",
    "leaderboards": "kaboom.ratings.leaderboards",
    "lobby": "kaboom.lobby.service",
    "leaving": "kaboom.tables.seats.leaving",
    "login": "kaboom.accounts.login",
    "hint_service": "kaboom.table_page.hint_service",
    "match": "kaboom.table_page.service",
    "merge": "kaboom.accounts.merge",
    "notes": "kaboom.records.notes",
    "nudges": "kaboom.correspondence.nudges",
    "open_hands": "kaboom.tables.spectators.open_hands",
    "organizer": "kaboom.tournaments.organizer",
    "own_tables": "kaboom.tables.seats.own_tables",
    "page_data": "kaboom.table_page.page_data",
    "passkeys": "kaboom.accounts.passkeys",
    "players": "kaboom.accounts.players",
    "presets": "kaboom.lobby.presets",
    "rating_maintenance": "kaboom.ratings.maintenance",
    "recovery_words": "kaboom.accounts.recovery_words",
    "repeated_moves": "kaboom.tables.repeated_moves",
    "reports": "kaboom.social.friends.reports",
    "seat_transfer": "kaboom.lobby.seat_transfer.service",
    "sessions": "kaboom.accounts.sessions",
    "spectators": "kaboom.tables.spectators.service",
    "start_match": "kaboom.tables.start_match",
    "store_access": "kaboom.tables.access.queries",
    "store_accounts": "kaboom.accounts.queries",
    "store_api_keys": "kaboom.accounts.api_keys.queries",
    "store_attempts": "kaboom.web.attempt_queries",
    "store_channels": "kaboom.notifications.channel_queries",
    "store_cleanup": "kaboom.tables.maintenance.cleanup_queries",
    "store_clubs": "kaboom.social.clubs.queries",
    "store_events": "kaboom.social.clubs.event_queries",
    "store_feed": "kaboom.records.feed_queries",
    "store_friends": "kaboom.social.friends.queries",
    "store_idempotency": "kaboom.web.idempotency.queries",
    "store_key_check": "kaboom.db.key_check",
    "store_matches": "kaboom.tables.match_queries",
    "store_merge": "kaboom.accounts.merge_queries",
    "store_notes": "kaboom.records.note_queries",
    "store_outbox": "kaboom.notifications.outbox_queries",
    "store_players": "kaboom.accounts.player_queries",
    "store_presets": "kaboom.lobby.preset_queries",
    "store_ratings": "kaboom.ratings.queries",
    "store_records": "kaboom.records.queries",
    "store_recovery": "kaboom.tables.maintenance.recovery_queries",
    "store_reminders": "kaboom.notifications.reminder_queries",
    "store_seat_transfer": "kaboom.lobby.seat_transfer.queries",
    "store_server_keys": "kaboom.db.server_keys",
    "store_sessions": "kaboom.accounts.session_queries",
    "store_shared_deals": "kaboom.tables.shared_deals.queries",
    "store_spectators": "kaboom.tables.spectators.queries",
    "store_tables": "kaboom.tables.queries",
    "store_tokens": "kaboom.accounts.token_queries",
    "store_tournaments": "kaboom.tournaments.queries",
    "store_vacations": "kaboom.tables.clock.vacation_queries",
    "table": "kaboom.tables.table",
    "table_settings": "kaboom.lobby.table_settings",
    "tournaments": "kaboom.tournaments.service",
    "transfer": "kaboom.tables.seats.transfer",
    "vacations": "kaboom.correspondence.vacations",
    "votes": "kaboom.table_page.vote_service",
}
# Encrypted columns and their kinds; values that are not text are shown by their first digits.
SEALED = (
    *("table", "seed", "move", "board", "command", "import", "note"),
    *("offer", "report", "way", "feed", "server key"),
)
# Caches, and the contents of golden playthroughs, which would be repeated here.
LEFT_OUT = ("state", "prints")
SHORT, WIDE = 90, 150  # longest line that shares its line with others, and the longest such line
LONG = 64  # digits of a hash, which is shortened


def show(value: Any) -> str:
    """Return a value on one line."""
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
    """Return a value on one line, with its parts."""
    if isinstance(value, Mapping):
        return "{" + " ".join(f"{key}={compact(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(compact, value)) + "]"
    return show(value)


def changes(path: str, old: Any, new: Any) -> Iterator[str]:
    """Yield a line for each changed part of a value."""
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


def opened(cipher: Cipher, sealed: bytes) -> Any:
    """Return a decrypted value, parsed if it is JSON, otherwise its bytes."""
    for kind in SEALED:
        try:
            clear = cipher.decrypt(sealed, kind)
        except Unreadable:
            continue
        text = clear.decode(errors="replace")
        return read(text) if text.isprintable() else clear
    return sealed


def read(value: Any) -> Any:
    """Return the parsed JSON of a text, otherwise the value."""
    try:
        return json.loads(value) if isinstance(value, str) and value[:1] in ("[", "{") else value
    except ValueError:
        return value


Rows = dict[str, dict[str, Any]]  # contents by name


def rows(connection: Connection) -> Rows:
    """Return everything in a store, row by row."""
    cipher, cursor = cipher_of_store(connection), connection.connection.cursor()
    return dict(
        row_of(cipher, table, row)
        for table in all_tables().sorted_tables
        for row in cursor.execute(f"SELECT {', '.join(table.c.keys())} FROM {table.name}")
    )


@lru_cache(maxsize=10_000)
def row_of(cipher: Cipher, table: Stored, row: tuple[Any, ...]) -> tuple[str, dict[str, Any]]:
    """Return the name and the contents of a row."""
    found: dict[str, Any] = {}
    for column, value in zip(table.columns, row, strict=True):
        if value is None:
            continue
        if isinstance(column.type, LargeBinary):
            found[column.name] = opened(cipher, value)
        else:
            found[column.name] = bool(value) if isinstance(column.type, Boolean) else read(value)
    if table.name == "tables" and isinstance(found["body"], dict):
        found["body"] = in_short(found["body"])
    keys = (show(found[column.name]).strip('"') for column in table.primary_key)
    return " ".join([table.name, *keys]), found


BLANK = json.loads(to_json(Table(chairs=[], options=Raw(b"{}"), host=0)))
EMPTY = json.loads(to_json(Occupant("")))


def in_short(body: dict[str, Any]) -> dict[str, Any]:
    """Return a table without its initial values; lines by their order."""
    short = {name: it for name, it in body.items() if name not in LEFT_OUT and it != BLANK[name]}
    short["chairs"] = [
        occupant and {name: it for name, it in occupant.items() if it != EMPTY[name]}
        for occupant in body["chairs"]
    ]
    for name in ("told", *(f"whispered.{seat}" for seat in body["whispered"])):
        lines = body["whispered"][name[10:]] if "." in name else body[name]
        short[name] = {f"#{it['order']}": _without_order(it) for it in lines}
    short.pop("whispered", None)
    return short


def _without_order(line: dict[str, Any]) -> dict[str, Any]:
    return {name: it for name, it in line.items() if name != "order"}


def differences(before: Rows, after: Rows) -> Iterator[str]:
    """Yield a line for each added or removed row, and for each changed part of one."""
    for name, row in after.items():
        if name not in before:
            yield f"  + {name}: " + compact(row)[1:-1]
        elif before[name] != row:
            yield f"  * {name}"
            yield from packed(changes("", before[name], row))
    yield from (f"  - {name}" for name in before if name not in after)


def packed(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines, with adjacent short ones joined."""
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
    """A module whose functions receive the table service or a connection, if their first parameter
    asks for it.
    """

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
    """The names in a scenario: its people, its modules, its named results, and the
    functions below.
    """

    def __init__(self, url: str) -> None:
        self.time, self.told, self.there = 1_000_000.0, list[str](), None
        self.database = prepared(Database(url, SECRET))
        numbers, cuts = count(1), count(1)
        self.ids = FakeIds(
            sequential_seeds(),
            cut=lambda: f"cut {next(cuts)}",
            code=lambda: f"CODE{next(numbers):04}",
        )
        self.failures: list[NotArrived] = []
        self.open_streams: Any = ()
        self.restart()
        self |= {it.__name__: it for it in (Format, Hints, How, Level, Outcome, Pace, Ruling)}
        self |= {it.__name__: it for it in (Scope, SeatResult, Spare, Verb, Welcome, date)}
        self |= {"DAY": DAY, "GAMES": GAMES, "cup": settings, "authenticator": authenticator}
        self |= {"once": lambda form: IdempotencyKey("a browser", form)}

    def restart(self) -> None:
        """Start serving with only the contents of the store."""
        self.tables = TableService(
            self.database,
            Signals(
                changed=lambda code, due_in: self.told.append(f"~ {code} changed, due {due_in}"),
                moved=lambda game, moves: self.told.append(f"~ {moves} moves in {game}"),
                turns=self._turns,
                late=lambda seconds: self.told.append(f"~ late by {seconds}"),
            ),
            now=lambda: self.time,
            here=lambda code: self.there,
            ids=self.ids,
        )
        self.outbox = Outbox(self.tables, self._send, lambda code: self.open_streams, run)
        self.outbox.start = lambda: None
        library = MatchArchive(self.tables)
        self |= {"tables": self.tables, "change": self.tables.change, "archive": library}

    def _turns(self, code: str, players: list[int]) -> None:
        self.told.append(f"~ turns at {code}: {players}")
        self.outbox.begun(code, players)

    def _send(self, call: Notification) -> None:
        self.told.append(f"~ called: {told(call)}")
        if self.failures:
            raise self.failures.pop(0)

    def __missing__(self, name: str) -> Any:
        if name in PEOPLE:
            self[name] = players_module.player(self.tables, key_of(name), name)[0]
            return self[name]
        if name in vars(Life) and not name.startswith("_"):
            return getattr(self, name)
        return Doing(import_module(MODULES[name]), self)

    # Actions

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.time += seconds

    def clock(self) -> list[str]:
        """Let the clock run one due item at each table; return where."""
        return [code for code in self.tables.due() if self.tables.run_due(code)]

    def calls(self, *players: int) -> float:
        """Process the outbox, while these players have their tables open; return the next time it
        will run.
        """
        self.open_streams = players
        self.outbox.sweep()
        return self.outbox.tick()

    def fail(self, why: str, **how: Any) -> None:
        """Let the next notification fail."""
        self.failures.append(NotArrived(why, **how))

    def damage(self, statement: str) -> None:
        """Change the store directly, behind the server's back."""
        self.database.write(lambda connection: connection.exec_driver_sql(statement))
        self.restart()

    def sealed(self, text: str, kind: str) -> str:
        """Return a text encrypted as that kind, in base64."""
        return b64encode(self.database.cipher.encrypt(text.encode(), kind)).decode()

    def record(self, code: str, player: int = 0) -> "Lines":
        """Return a finished match as a player sees it, its surroundings, and its faults."""
        replay, around = self["archive"].find(code, key_of(self._name(player)))
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
        return text_of(self["archive"].find(code)[0].record)

    def key(self, player: int) -> str:
        """Return the key of a player's browser."""
        return key_of(self._name(player))

    def choose(self, code: str, player: int, verb: str, nth: int = 0) -> None:
        """Make a move with the nth button of a fresh page."""
        snapshot = self.tables.get(code)
        offer = snapshot.prompts[snapshot.table.seat_of(player) or 0].offer(verb)
        self.press(code, player, f"{verb} {offer.options[nth]}" if offer else verb)

    def back(self, code: str, player: int, number: int, cmd: str = "") -> None:
        """Take a move back."""
        match = self.tables.get(code).table.match
        self["match"].take_back(code, player, number, cmd or f"back {number}", match)

    def ahead(self, code: str, player: int, verb: str, *cards: str, until: bool = False) -> None:
        """Make a premove from a fresh page."""
        found = self.tables.get(code)
        seat = found.table.seat_of(player)
        offers = can_plan(found.table, found.position, seat)
        token = next(it.token(seat) for it in offers if (it.verb, it.until) == (verb, until))
        self["match"].decide_ahead(code, player, token, cards, found.table.match)

    def here(self, *players: int) -> None:
        """Make just these people present; without any, presence is unknown."""
        self.there = players or None

    def press(self, code: str, player: int, move: str, cmd: str = "") -> None:
        """Press a button of a player's fresh page."""
        snapshot = self.tables.get(code)
        table = snapshot.table
        seat, verb = table.seat_of(player), move.split()[0]
        offer = None
        if seat is not None and snapshot.prompts:
            offer = prompt(snapshot.game, snapshot.state, seat).offer(verb)
        token, revision = offer.token if offer else "none", table.revision(seat)
        cmd = cmd or f"{revision} {move}"
        self["match"].submit(code, player, move, token, cmd, table.match, revision)

    def play(self, code: str, moves: int) -> None:
        """Make this many random moves."""
        for _ in range(moves):
            snapshot = self.tables.get(code)
            if snapshot.table.playing:
                seq, seats = snapshot.table.seq, len(snapshot.table.seats)
                move = random_turn(
                    snapshot.game, snapshot.state, seats, Rng(bytes(32), seq, "players")
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
        """Let the tournament scheduler run everything due."""
        settled(self.tables, code)

    def gather(self, code: str, *missing: int) -> None:
        """Make all players at a round's tables ready except these, and deal."""
        all_ready(self.tables, code, missing)

    def finish(self, code: str) -> None:
        """End the matches of a round: the earliest entrant of each wins."""
        ended(self.tables, code)

    def both(self, *done: Any) -> None:
        """Do several things in one step."""

    # Observations

    def look(self, code: str, player: int | None = None) -> "Lines":
        """Return the viewer of a table: a player, a stranger (0), or the server (None)."""
        key = None if player is None else key_of(self._name(player))
        try:
            found = self.tables.get(code, key)
        except PasswordRequired as locked:
            return Lines([f"locked: {locked.snapshot.table.host}"])
        return Lines(found_there(found))

    def looks(self, code: str, *players: int) -> "Lines":
        """Return the table as several viewers see it, read at the same time."""
        found = self.tables.get_many(code, [key_of(self._name(it)) for it in players])
        return Lines(
            line
            for player, snapshot in zip(players, found, strict=True)
            for line in (
                f"{self._name(player) or 'a stranger'}:",
                *(found_there(snapshot) if snapshot else ["locked"]),
            )
        )

    def in_time(self, ask: Callable[[], Any]) -> "Lines":
        """Return the answer before, at and after every future time that is stored anywhere."""
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
        """Return the current state of a tournament."""
        seen = look_at_tournament(self.tables, code)
        of = seen.of
        return Lines(
            [
                f"next: {told(pairing.next_step(of))}  rounds: {pairing.rounds(of)}"
                f"  late: {pairing.may_enter_late(of)}  check-in: {show(of.check_in_ends)}"
                f"  paused: {of.paused}  secret: {of.secret}  waiting: {of.waiting()}",
                *(f"entrant {told(it)}" for it in of.entrants.values()),
                *(f"round {told(it)}" for it in of.rounds),
                *(told(it) for it in standings(of, seen.draw())),
                *(f"meetings {told(pairing.meetings(of))}" for _ in of.rounds[:1]),
                *(f"champions {pairing.champions(of)}" for _ in range(of.ended)),
            ]
        )

    def _name(self, player: int) -> str:
        return next((name for name in PEOPLE if self.get(name) == player), "")

    # Recording

    def step(self, line: str, before: Rows) -> tuple[list[str], Rows]:
        """Execute a step; return its result and all contents of the store."""
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
    """Yield every number in a value, at any depth."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from numbers(part)
    elif isinstance(value, list):
        for part in value:
            yield from numbers(part)


def run(work: Callable[[], None]) -> None:
    """Run background work at once."""
    work()


class Lines(list[str]):
    """Text that is shown unchanged, line by line."""


def key_of(name: str) -> str:
    """Return the key of a player's browser; a stranger has none."""
    return f"key of {name}" if name else ""


def found_there(snapshot: TableSnapshot) -> Iterator[str]:
    """Yield what a page would show a player who finds this table."""
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
    """Yield the returned values."""
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
    """Return any returned value on one line."""
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
    """Yield the lines of a scenario with the current effects of each step."""
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
    """Draw secrets from one stream, and salts and nonces from another, so that more of the latter
    do not change the secrets.
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
