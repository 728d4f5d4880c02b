"""A running table served by the real application in either of two worlds.

The world is put in where the service reads a table from the store; all above it is the real thing:
routes, templates, headers, refusals, streams. What is asked for changes nothing in the store.
"""

import logging
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from msgspec import Raw

from kaboom.core.chance import Chance
from kaboom.core.codec import copied, to_json
from kaboom.core.engine import prompts
from kaboom.core.moves import CLOCK, Move, Seat
from kaboom.games import GAMES
from kaboom.push.stream import table_events
from kaboom.tables.loaded import Loaded
from tests.secrecy import worlds
from tests.secrecy.oracle import tries

EXPIRES = re.compile(r"Expires=[^;]*; ")  # of a cookie: the time of day, as Date is

READ = "kaboom.tables.service.loaded"  # where the service makes a table of a stored row


class RolledBack(Exception):
    """Ends a transaction whose effect nobody is to keep."""


class LogLines(logging.Handler):
    """Keeps everything that is logged, of whatever level."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line; the reader of the rules pages, which are read once, says far too much."""
        if record.name.startswith("markdown_it"):
            return
        self.lines.append(f"{record.name} {record.levelname} {self.format(record)}")


@contextmanager
def everything_logged() -> Iterator[list[str]]:
    """Log at DEBUG and yield the lines."""
    root, lines = logging.getLogger(), LogLines()
    before = root.level
    root.addHandler(lines)
    root.setLevel(logging.DEBUG)
    try:
        yield lines.lines
    finally:
        root.setLevel(before)
        root.removeHandler(lines)


@dataclass
class Seated:
    """A table of people: `keys` are the cookies of each player, `seats` the player of each seat."""

    app: Any
    service: Any
    code: str
    keys: dict[int, str]
    seats: list[int]

    def cookies(self, seat: Seat | None) -> str:
        """Return the cookies of whoever sits on a seat of the match; a spectator has none."""
        return "" if seat is None else self.keys[self.seats[seat]]

    def play(self, move: Move, cmd: str) -> Loaded | None:
        """Let the house or a person make a move at the real table; None when it was refused."""
        loaded = self.service.look(self.code)
        if move.seat == CLOCK:
            self.service.now.sleep(400)
            self.service.lapse(self.code)
            return None
        player = loaded.table.chairs[move.seat].player
        offer = loaded.prompts[move.seat].offer(move.verb)
        words = " ".join((move.verb, *move.choices))
        revision = loaded.table.revision(move.seat)
        return self.service.submit(
            self.code, player, words, offer.token, cmd, loaded.table.match, revision
        )


def seated(app: Any, game: Any, options: Any, seats: int) -> Seated:
    """Return a table at which so many people sit and play, all through the front door."""
    fields = {name: getattr(options, name) for name in options.__dataclass_fields__}
    fields = {name: int(v) if isinstance(v, bool) else v for name, v in fields.items()}
    clients = [app.test_client() for _ in range(seats)]
    answer = clients[0].post("/tables", data={"game": game.key, "name": "P0", **fields})
    assert answer.status_code == 303, answer.text
    path = answer.location.rstrip("/").rsplit("/t/", 1)[1]
    code = path.split("?")[0].split("#")[0]
    for number, client in enumerate(clients[1:], start=1):
        assert client.post(f"/t/{code}/sit", data={"name": f"P{number}"}).status_code == 303
    service = app.config["TABLES"]
    players = [chair.player for chair in service.look(code).table.chairs if chair]
    assert clients[0].post(f"/t/{code}/start").status_code == 303
    table = service.look(code).table
    assert table.playing
    keys = {
        player: "; ".join(f"{c.key}={c.value}" for c in client._cookies.values())
        for player, client in zip(players, clients, strict=True)
    }
    return Seated(app, service, code, keys, [chair.player for chair in table.chairs if chair])


def reached(
    app: Any, game: Any, options: Any, seats: int, number: int, most: int
) -> Iterator[tuple[Seated, Loaded, Move]]:
    """Play a match of random players at a real table; yield it before each move."""
    table = seated(app, game, options, seats)
    for n in range(most):
        loaded = table.service.look(table.code)
        if not loaded.table.playing:
            return
        chance = Chance(worlds.seed(number), n, "players")
        move = worlds.next_move(game, loaded.state, seats, chance)
        while move.verb in ("leave", "return"):
            n += 1000
            chance = Chance(worlds.seed(number), n, "players")
            move = worlds.next_move(game, loaded.state, seats, chance)
        yield table, loaded, move
        table.play(move, f"c {n}")


def world(loaded: Loaded, state: Any) -> Loaded:
    """Return the table as it would be read if this were its state; nobody knows its seeds."""
    game = GAMES[loaded.game.key]
    table = copied(loaded.table)
    table.state = Raw(to_json(state))
    if state is not loaded.state:
        table.next_seed = bytes(32)
        loaded = replace(loaded, seed=bytes(range(32)), key=bytes(range(1, 33)))
    offered = prompts(game.listeners(state), len(table.seats)) if table.playing else []
    return replace(loaded, game=game, table=table, state=state, prompts=offered)


CURRENT: list[Loaded] = []  # the world that is served; planted leaks look here


@contextmanager
def serving(table: Seated, now: Loaded, monkeypatch: Any) -> Iterator[None]:
    """Serve the table in this world; nothing that is asked for is kept."""

    def read(connection: Any, row: Any) -> Loaded:
        assert row.code == table.code, "one table is served in a world of its own"
        return replace(now, table=copied(now.table), state=copied(now.state))

    def rolled_back(work: Any) -> Any:
        database = table.service.database
        done = []

        def transaction(connection: Any) -> None:
            done.append(work(connection))
            raise RolledBack

        try:
            database._transaction(transaction)
        except RolledBack:
            return done[-1]

    with monkeypatch.context() as patched:
        patched.setattr(READ, read)
        # The stored log is that of the real world; in another it would look damaged.
        patched.setattr("kaboom.tables.service.is_whole", lambda *given: True)
        # A stream is over after its first number; a key made for a newcomer is always the same.
        patched.setattr(table_events, "life", 0.0)
        patched.setattr("kaboom.push.stream.time.sleep", lambda seconds: None)
        patched.setattr("kaboom.web.identity.secrets.token_urlsafe", lambda size: "k" * 43)
        patched.setattr(table.service.database, "write", rolled_back)
        table.service._cache.clear()
        # Who is here is the same in both worlds, however long the answers take.
        presence = table.app.extensions["kaboom.presence"]
        patched.setattr(presence, "_now", lambda: 0.0)
        presence.forget()
        CURRENT.append(now)
        try:
            yield
        finally:
            CURRENT.pop()
            table.service._cache.clear()


@dataclass(frozen=True)
class Ask:
    """A request of a viewer."""

    method: str
    path: str
    fields: tuple[tuple[str, str], ...] = ()
    htmx: bool = False


# Addresses that need more than a table's code, and with what they are asked.
VALUES = {"number": "1", "secret": "nonsense"}


def addresses(app: Any, method: str) -> list[Any]:
    """Return the routes of a table that take this method."""
    return [
        rule
        for rule in app.url_map.iter_rules()
        if "code" in rule.arguments and method in rule.methods
    ]


def path_of(table: Seated, now: Loaded, rule: Any, method: str) -> str:
    """Return the address of a route for this table, or for the record of the match played there."""
    code = table.code if rule.rule.startswith("/t/") else now.table.record
    values = {name: VALUES[name] for name in rule.arguments - {"code"}} | {"code": code}
    path: str = table.app.url_map.bind("localhost").build(rule.endpoint, values, method=method)
    return path


def requests_of(table: Seated, now: Loaded, viewer: Seat | None) -> Iterator[Ask]:
    """Yield requests of a viewer: every address of the table, and moves that are refused."""
    revision = now.table.revision(viewer)
    for rule in addresses(table.app, "GET"):
        path = path_of(table, now, rule, "GET")
        yield Ask("GET", f"{path}?v=0")
        if path.endswith("/view"):
            yield Ask("GET", f"{path}?v={revision}")
    for rule in addresses(table.app, "POST"):
        path = path_of(table, now, rule, "POST")
        if not path.endswith("/leave"):  # of two players it ends the match and opens all
            yield Ask("POST", path)
            yield Ask("POST", path, htmx=True)
    if viewer is None:
        return
    own = now.prompts[viewer]
    for offer in own.offers:
        if offer.confirm:
            for choice in offer.options[:2] or ("",):
                value = f"{offer.token} {offer.verb} {choice}".strip()
                yield Ask("GET", f"/t/{table.code}?ask={value}")
                yield Ask("POST", f"/t/{table.code}/move", (("move", value),))
    for number, move in enumerate(tries(now.game, own, viewer)):
        offer = own.offer(move.verb)
        if offer and offer.simple and set(move.choices) <= set(offer.options):
            continue  # that might be taken
        token = offer.token if offer else "0" * 10
        value = " ".join((token, move.verb, *move.choices))
        fields = (
            ("move", value),
            ("cmd", f"try {number}"),
            ("match", str(now.table.match)),
            ("v", str(revision)),
            ("sure", "1"),
        )
        yield Ask("POST", f"/t/{table.code}/move", fields, htmx=bool(number % 2))


def answer(table: Seated, viewer: Seat | None, asked: Ask) -> dict[str, Any]:
    """Return everything about an answer that its receiver can see, and what was logged meanwhile.

    Each answer is asked for by a browser as it was before: what one world sets, such as a cookie,
    does not reach the other.
    """
    random.seed(1)  # a stream's retry time is drawn anew for each
    headers = {"Cookie": table.cookies(viewer)}
    if asked.htmx:
        headers["HX-Request"] = "true"
    posted = asked.method == "POST"
    with everything_logged() as lines:
        response = table.app.test_client(use_cookies=False).open(
            asked.path,
            method=asked.method,
            data=dict(asked.fields) if posted else None,
            headers=headers,
        )
        body = response.get_data()
        response.close()
    assert response.status_code < 500, "\n".join([str(asked), *lines])
    return {
        "status": response.status_code,
        "headers": [
            (name, EXPIRES.sub("", value)) for name, value in response.headers if name != "Date"
        ],
        "body": body,
        "log": lines,
    }


def prints(now: Loaded, viewer: Seat | None) -> tuple[int, str | None]:
    """Return by how much the viewer's revision would move if it were counted in this world."""
    table = copied(now.table)
    before = table.revision(viewer)
    table.note_views(now.game, now.state, now.prompts)
    return table.revision(viewer) - before, table.prints.get("s" if viewer is None else str(viewer))
