"""Serve a running table from the real application in either of two worlds.

The world is inserted where the service reads a table from the store. Everything above is real:
routes, templates, headers, refusals, streams. Requests do not change the store.
"""

import logging
import random
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from types import SimpleNamespace
from typing import Any

from msgspec import Raw, structs
from prometheus_client import REGISTRY

from kaboom.engine.codec import copied, from_json, to_json
from kaboom.engine.engine import timed
from kaboom.engine.fairness.commitment import commitment
from kaboom.engine.game import Game
from kaboom.engine.moves import CLOCK, Move, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import pack
from kaboom.engine.views import Prompt, token_of
from kaboom.realtime.redis_pubsub import RedisPubSub
from kaboom.realtime.stream import EventStream, look_for
from kaboom.table_page import service as match
from kaboom.table_page.updates import Edition, Fragment
from kaboom.tables import queries
from kaboom.tables import snapshot as snapshots
from kaboom.tables.clock.timer_kinds import Reaction, Thinking, Timed, timed_from
from kaboom.tables.clock.timers import kept
from kaboom.tables.clock.whose_turn import Turn, turns
from kaboom.tables.position import Position
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.spectators.views import Past, Pasts
from kaboom.tables.table import Said, Table, Timer, key
from kaboom.tables.transaction import TableTransaction
from kaboom.web.i18n import LANGUAGES as WHOLE
from tests.secrecy import states
from tests.support.bot_timers import thinking

# Where a stored row becomes a table, for changes and for views.
READ = ("kaboom.tables.service.read_snapshot", "kaboom.tables.cache.read_snapshot")
# An edition that differs from every other one completely.
NOTHING_SHOWN = Edition("0.", 0, "", Fragment("table", ("",)))


class LogLines(logging.Handler):
    """Records every log message, of any level."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Store a message."""
        self.lines.append(f"{record.name} {record.levelname} {self.format(record)}")


@contextmanager
def everything_logged() -> Iterator[list[str]]:
    """Log at level DEBUG and yield the lines."""
    root, lines = logging.getLogger(), LogLines()
    # The Markdown parser logs too much; rules pages are parsed once. Each change of a level empties
    # the caches of all loggers.
    if (parser := logging.getLogger("markdown_it")).level != logging.INFO:
        parser.setLevel(logging.INFO)
    before = root.level
    root.addHandler(lines)
    root.setLevel(logging.DEBUG)
    try:
        yield lines.lines
    finally:
        root.setLevel(before)
        root.removeHandler(lines)


# A table of people, and possibly a bot


@dataclass
class Seated:
    """A table of people: `keys` has each player's cookies, `seats` the player of each seat."""

    app: Any
    service: Any
    code: str
    keys: dict[int, str]
    seats: list[int | None] = field(default_factory=list)  # None: a bot

    def cookies(self, seat: Seat | None) -> str:
        """Return the cookies of the player in a seat; a spectator has none."""
        player = None if seat is None else self.seats[seat]
        return "" if player is None else self.keys[player]

    def people(self) -> list[Seat]:
        """Return the seats of people."""
        return [seat for seat, player in enumerate(self.seats) if player is not None]

    def begin(self) -> None:
        """Start the match as the host."""
        host = next(iter(self.keys.values()))
        answer = self.app.test_client(use_cookies=False).post(
            f"/t/{self.code}/start", headers={"Cookie": host}
        )
        table = self.service.get(self.code).table
        assert table.playing, answer.text
        self.seats = [occupant.player for occupant in table.chairs if occupant]

    def watcher(self) -> str:
        """Return the cookies of a player without a seat who has given a name."""
        client = self.app.test_client()
        fields = {"text": "Hello", "name": "Wil"}
        assert client.post(f"/t/{self.code}/talk", data=fields).status_code == 303
        return cookies_of(client)

    def play(self, move: Move, cmd: str) -> TableSnapshot | None:
        """Let the clock, a bot or a person make a move at the real table.

        Returns None if something due, such as a timeout, came first.
        """
        if move.seat == CLOCK:
            self.service.now.sleep(400)
            self.service.run_due(self.code)
            return None
        player = self.seats[move.seat]
        if player is None:
            return self.service.change(self.code, lambda transaction: bots_move(transaction, move))
        snapshot = self.service.get(self.code)
        offer = snapshot.prompts[move.seat].offer(move.verb)
        words = " ".join((move.verb, *move.choices))
        revision = snapshot.table.revision(move.seat)
        return match.submit(
            self.service, self.code, player, words, offer.token, cmd, snapshot.table.match, revision
        )


def bots_move(transaction: TableTransaction, move: Move) -> None:
    """Make a bot's move as the clock does after the thinking time."""
    table = transaction.table
    for what in [what for what, _ in thinking(table) if what.seat == move.seat]:
        del table.timers[str(what)]
    transaction.play(move, f"bot {transaction.table.seq + 1}")


def cookies_of(client: Any) -> str:
    """Return the cookies of a browser, as it sends them."""
    return "; ".join(f"{cookie.key}={cookie.value}" for cookie in client._cookies.values())


def gathered(app: Any, game: Any, options: Any, people: int, **more: Any) -> Seated:
    """Return a table with this many people, all seated by requests; `more` has further form fields
    of the new table.
    """
    fields = {name: getattr(options, name) for name in options.__dataclass_fields__}
    fields = {name: int(v) if isinstance(v, bool) else v for name, v in fields.items()}
    clients = [app.test_client() for _ in range(people)]
    answer = clients[0].post("/tables", data={"game": game.key, "name": "P0", **fields, **more})
    assert answer.status_code == 303, answer.text
    path = answer.location.rstrip("/").rsplit("/t/", 1)[1]
    code = path.split("?")[0].split("#")[0]
    for number, client in enumerate(clients[1:], start=1):
        assert client.post(f"/t/{code}/sit", data={"name": f"P{number}"}).status_code == 303
    service = app.config["TABLES"]
    chairs = [occupant for _, occupant in service.get(code).table.sitting()]
    players = sorted(occupant.player for occupant in chairs if not occupant.bot)
    keys = dict(zip(players, map(cookies_of, clients), strict=True))
    return Seated(app, service, code, keys, [occupant.player for occupant in chairs])


def seated(app: Any, game: Any, options: Any, seats: int) -> Seated:
    """Return a table with this many people, and the match started."""
    table = gathered(app, game, options, seats)
    table.begin()
    return table


def reached(
    app: Any, game: Any, options: Any, seats: int, number: int, most: int
) -> Iterator[tuple[Seated, TableSnapshot, Move]]:
    """Play a match between random players at a real table; yield it before each move."""
    yield from played(seated(app, game, options, seats), game, number, most)


def played(
    table: Seated, game: Any, number: int, most: int
) -> Iterator[tuple[Seated, TableSnapshot, Move]]:
    """Play a match between random players at a table, one move every few seconds; yield it before
    each move.
    """
    for n in range(most):
        snapshot = table.service.get(table.code)
        if not snapshot.table.playing:
            return
        rng = Rng(states.seed(number), n, "players")
        move = states.next_move(game, snapshot.state, len(table.seats), rng)
        while move.verb in ("leave", "return"):
            n += 1000
            rng = Rng(states.seed(number), n, "players")
            move = states.next_move(game, snapshot.state, len(table.seats), rng)
        yield table, snapshot, move
        table.play(move, f"c {n}")
        table.service.now.sleep(PACE)


PACE = 7.0  # seconds between two moves


# Worlds


@dataclass(frozen=True)
class World:
    """A table as it is or might be, with the past that delayed spectators see, and the time."""

    now: TableSnapshot
    at: float
    past: Past | None = None
    locked_out: bool = False  # is the viewer locked out by a password?


def otherwise(
    snapshot: TableSnapshot, viewer: Seat | None, state: Any, same_dice: bool = False
) -> TableSnapshot:
    """Return the table as it might be, for all that this viewer knows; `state` is that of its
    match.

    Other players' whispers, cuts, numbers, memories and seeds are hidden, too. With `same_dice` the
    random draws stay, so that only the cards differ.
    """
    table, game = copied(snapshot.table), snapshot.game
    table.state = Raw(to_json(state))
    table.next_seed = OTHER_SEED
    own = key(viewer)
    for seat, occupant in table.sitting():
        if seat != viewer:
            occupant.cut, occupant.done = f"{occupant.cut} otherwise", []
    others = {key(seat) for seat in range(len(table.chairs))} - {own}
    for numbers in (table.revisions, table.heard) if table.playing else ():
        numbers.update({name: numbers.get(name, 0) + 5 for name in others})
    table.whispered = {
        seat: said if seat == viewer else [other_words(line) for line in said]
        for seat, said in table.whispered.items()
    }
    if game.bot is not None:
        table.memories = {seat: Raw(to_json(game.bot.memory())) for seat in table.memories}
    position = Position(game, state, len(table.seats) if table.playing else 0)
    table.timers = {
        str(_otherwise(timed_from(text), position.prompts)): timer
        for text, timer in table.timers.items()
    }
    if table.playing and not table.paused:
        table.turns = turns_of(snapshot, position)
        table.timers = timers_of(table, position, snapshot.touched_at)
    shown, numbers = table.prints.get(own), dict(table.revisions)
    table.note_views(position)  # the changed views of others are not news
    table.prints[own], table.revisions = shown or "", numbers
    seeds = {} if same_dice or not table.playing else {"seed": OTHER_SEED, "key": OTHER_SEED[::-1]}
    return replace(snapshot, table=table, position=position, **seeds)


def turns_of(snapshot: TableSnapshot, position: Position) -> dict[Seat, Turn]:
    """Return the turns after the service's update, which do not depend on the deal."""
    asked = turns({}, position.prompts, 0, 0.0)
    same = {
        seat: structs.replace(turn, asked=asked.get(seat, turn).asked)
        for seat, turn in snapshot.table.turns.items()
    }
    return turns(same, position.prompts, snapshot.version, snapshot.touched_at)


def timers_of(table: Table, position: Position, asked_at: float) -> dict[str, Timer]:
    """Return the timers after the service's update. In another deal a bot may have another decision
    and so a thinking time; without this the next request would report a change.
    """
    return kept(
        table,
        timed(position.listeners),
        position.prompts,
        asked_at,
        lambda own, race: BOTS_THINK,
        lambda seat: BOTS_THINK,
        planned={},
    )


BOTS_THINK = 60.0
OTHER_SEED = bytes(range(1, 33))
CARDS = (*pack(), *map(str, range(1, 105)))


def other_words(said: Said) -> Said:
    """Return a whisper about other cards."""
    spoken = to_json(said.facts).decode()
    swapped = re.sub(r'"(\w+)"', lambda found: f'"{other_card(found[1])}"', spoken)
    return structs.replace(said, facts=from_json(swapped, dict))


def other_card(word: str) -> str:
    """Return another card if the word is a card; otherwise the word."""
    return CARDS[CARDS.index(word) - 1] if word in CARDS else word


def _otherwise(what: Timed, offered: list[Prompt]) -> Timed:
    """Return the timers if a bot's seat has another decision."""
    if isinstance(what, Thinking | Reaction):
        turn, race = offered[what.seat].parted()
        part = race if isinstance(what, Reaction) else turn
        return replace(what, token=token_of(offer.token for offer in part.offers))
    return what


def past_of(table: Seated, snapshot: TableSnapshot, until: float) -> Past | None:
    """Return what a delayed spectator sees of a match: its state at an earlier time."""
    past: Past | None = Pasts(table.service.database, table.service.run_in_thread).at(
        snapshot, until
    )
    return past


def redealt_past(game: Game[Any], past: Past | None, number: int) -> Past | None:
    """Return a past that spectators could not tell from the real one."""
    if past is None:
        return None
    return replace(past, state=states.redealt(game, past.state, None, number), key=OTHER_SEED)


def watched(snapshot: TableSnapshot, minutes: int) -> TableSnapshot:
    """Return the same table with this many minutes of delay for spectators."""
    return replace(snapshot, table=structs.replace(snapshot.table, watch=minutes))


# Serving the worlds

CURRENT: list[World] = []  # the world being served; planted leaks read it


@dataclass
class Outlets:
    """Outputs of the server other than its answers, while a world is served."""

    bus: list[tuple[str, str]] = field(default_factory=list)  # channels and messages
    called: list[int] = field(default_factory=list)  # players whose turn began
    noted: int = 0  # how many calls preceded the current request
    moved: bool = False  # was a move made, or a match dealt?
    forget: Callable[[], None] = lambda: None  # undoes the writes so far

    def begin_anew(self) -> bool:
        """Reset for the next request; return True if a move was played.

        The players called by a move depend on the deal, so these calls are not compared.
        """
        self.forget()
        moved, self.moved = self.moved, False
        if moved:
            del self.called[self.noted :]
        self.noted = len(self.called)
        return moved


@contextmanager
def one_transaction(service: Any, patched: Any) -> Iterator[Callable[[], None]]:
    """Let the service read and write within one transaction that is never committed.

    Yields a function that undoes the writes so far.
    """
    with service.database._writer.connect() as connection, connection.begin() as whole:
        written = connection.begin_nested()

        def forget() -> None:
            nonlocal written
            written.rollback()
            written = connection.begin_nested()
            service.seen.clear()

        def write(work: Callable[[Any], Any]) -> Any:
            with connection.begin_nested():
                return work(connection)

        patched.setattr(service.database, "write", write)
        patched.setattr(service.database, "read", lambda work: work(connection))
        yield forget
        whole.rollback()


class Bus:
    """A stand-in for Redis: the messages of a real relay go into a list."""

    def __init__(self, said: list[tuple[str, str]]) -> None:
        self._said = said

    def pipeline(self, transaction: bool) -> "Bus":
        """Return an object that collects commands."""
        return self

    def publish(self, channel: str, message: str) -> None:
        """Record a message."""
        self._said.append((channel, message))

    def execute(self) -> None:
        """Send the collected commands."""


def speaking(said: list[tuple[str, str]]) -> RedisPubSub:
    """Return a relay that publishes at once into a readable list."""
    relay = RedisPubSub("redis://127.0.0.1:1/0", "kaboom", lambda topic: None, lambda: None)
    relay._teller = Bus(said)  # type: ignore[assignment]
    relay._sender = "sender"
    relay.tell = lambda topic: relay._publish({topic})  # type: ignore[method-assign,assignment]
    relay.listen = lambda: None  # type: ignore[method-assign]
    relay.hears = True
    return relay


@contextmanager
def serving(table: Seated, world: World, monkeypatch: Any) -> Iterator[Outlets]:
    """Serve the table in this world; discard all writes."""
    now, outlets, service, app = world.now, Outlets(), table.service, table.app
    body, take = to_json(now.table), TableTransaction.take

    def stored(connection: Any, code: str, lock: bool = False) -> queries.TableRow | None:
        row = found(connection, code, lock)
        return row._replace(body=body) if row and code == table.code else row

    def read(connection: Any, row: Any, *known: Any) -> TableSnapshot:
        if row.code != table.code:  # a new table, such as one to play on
            return loaded(connection, row, *known)
        position = replace(now.position, state=copied(now.state))
        return replace(now, table=copied(now.table), position=position)

    def heads(connection: Any, *asked: Any) -> Sequence[queries.TableHead] | None:
        seen = looked(connection, *asked)
        return seen and [
            each._replace(let_in=each.let_in and not world.locked_out) for each in seen
        ]

    def taken(transaction: TableTransaction, *given: Any) -> None:
        outlets.moved = True
        take(transaction, *given)

    def promised(seed: bytes) -> str:
        # The hash of a seed reveals nothing about it, so both worlds use the same hash.
        return promise if seed == now.table.next_seed else commitment(seed)

    loaded = snapshots.read_snapshot
    found, looked = queries.table, queries.fetch_heads
    promise = commitment(b"the next match's")
    with monkeypatch.context() as patched, one_transaction(service, patched) as outlets.forget:
        for place in READ:
            patched.setattr(place, read)
        patched.setattr(queries, "table", stored)
        patched.setattr(queries, "fetch_heads", heads)
        patched.setattr(Pasts, "at", lambda pasts, snapshot, until: world.past)
        patched.setattr(TableTransaction, "take", taken)
        patched.setattr("kaboom.table_page.page_data.commitment", promised)
        # The stored log is that of the real world; in another it would look damaged.
        patched.setattr("kaboom.tables.cache.is_whole", lambda *given: True)
        nothing_at_random(patched)
        patched.setattr(secrets, "token_bytes", bytes)
        patched.setattr(secrets, "choice", lambda found: found[0])
        patched.setattr(service.ids, "code", lambda: "NEWTABLE")
        patched.setattr("kaboom.web.metrics.time", SimpleNamespace(perf_counter=lambda: 0.0))
        called = replace(
            service.signals, turns=lambda code, players: outlets.called.extend(players)
        )
        patched.setattr(service, "signals", called)
        patched.setattr(service.now, "time", world.at)
        patched.setattr(app.extensions["kaboom.hub"], "_relay", speaking(outlets.bus))
        service.seen.clear()
        # Presence is the same in both worlds, however long the answers take.
        presence = app.extensions["kaboom.presence"]
        patched.setattr(presence, "_now", lambda: 0.0)
        patched.setattr(presence, "_later", lambda seconds, work: work())
        presence.forget()
        presence._namings.clear()
        patched.setattr(presence, "_began", -100.0)
        # The worlds share no cached views, and streams send whole tables.
        app.extensions["kaboom.editions"].clear()
        patched.setattr("kaboom.table_page.stream.remembered", lambda *given: NOTHING_SHOWN)
        CURRENT.append(world)
        try:
            yield outlets
        finally:
            CURRENT.pop()
            service.seen.clear()


def nothing_at_random(patched: Any) -> None:
    """End a stream after its first number or view, and fix all random values in answers."""
    patched.setattr("kaboom.realtime.stream.LIFE", 0.0)
    begun = EventStream.begun

    def and_changed(stream: EventStream) -> bytes:
        first = begun(stream)
        if not stream.shape.packing or stream.over:
            return first
        # As if the stream had begun earlier.
        stream._seen = stream._seen._replace(revision=-1)
        stream.viewer.told = -1
        return first + stream.heard(look_for([stream])[0])

    patched.setattr(EventStream, "begun", and_changed)
    patched.setattr("kaboom.realtime.stream.time.sleep", lambda seconds: None)
    patched.setattr("kaboom.realtime.stream.random.randint", lambda least, most: least)
    patched.setattr("kaboom.table_page.view_routes.WAIT", 0.0)
    for module in ("view_routes", "routes"):
        patched.setattr(f"kaboom.table_page.{module}.token_hex", lambda size: "0" * size)
    drawn = count()  # all players of a shared browser are deleted together, and keys are unique
    patched.setattr(secrets, "token_hex", lambda size: f"{next(drawn):0{2 * size}x}")
    patched.setattr(secrets, "token_urlsafe", lambda size: "k" * 43)
    patched.setattr(secrets, "SystemRandom", lambda: random.Random(1))


LANGUAGES = tuple(WHOLE)  # viewers use each of them in turn, with and without htmx


def figures() -> dict[Any, float]:
    """Return our own figures for Prometheus, by name and labels."""
    return figures_in(REGISTRY.collect())


def figures_in(families: Iterable[Any]) -> dict[Any, float]:
    """Return our own figures among all, without creation times."""
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in families
        if family.name.startswith("kaboom_")
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


def prints(now: TableSnapshot, viewer: Seat | None) -> tuple[int, str | None]:
    """Return by how much the viewer's revision would increase in this world."""
    table: Table = copied(now.table)
    before = table.revision(viewer)
    table.note_views(now.position)
    return table.revision(viewer) - before, table.prints.get("s" if viewer is None else str(viewer))
