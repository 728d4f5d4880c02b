"""While a tournament round is played, results of other tables stay secret.

Until the round is over, no byte of any page, feed, number or notification depends on them.
"""

import hashlib
import json
import pkgutil
import shutil
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
from sqlalchemy import select

from kaboom.accounts import players
from kaboom.db.database import Database
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.ratings import leaderboards
from kaboom.records import feed
from kaboom.records import feed_queries as feed_store
from kaboom.social.friends import service as friends
from kaboom.tables import models, start_match
from kaboom.tables.service import TableService
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.changes import get_tournament
from kaboom.tournaments.rules.events import Format
from kaboom.tournaments.scheduler import direct
from tests.conftest import FakeClock, folder_in_memory
from tests.secrecy.paired_server import nothing_at_random
from tests.secrecy.requests import EXPIRES
from tests.support.app import served
from tests.support.effort import LONG
from tests.support.fake_ids import FakeIds, sequential_seeds
from tests.support.notifications import due
from tests.support.server import SECRET
from tests.support.tournaments import pods, settings, settled

NAMES = ("Ann", "Ben", "Cat", "Dan")
VIEWERS = ("late", "organiser", "friend", "stranger")
VOICES = ("text/html", "application/json", "text/plain")


@dataclass
class World:
    """A store in which one table has finished the shared deal and the other has not."""

    file: Any
    code: str
    tables: tuple[str, str]
    records: tuple[str, str]
    cookies: dict[str, str]
    atom: str


def key(name):
    return hashlib.sha256(f"key-of-{name}".encode()).hexdigest()


def finish(tables, code, way):
    """Play a table's match to its end; another number plays it differently."""
    for n in range(400):
        now = tables.get(code)
        if not now.table.playing:
            return
        move = random_turn(now.game, now.state, 2, Rng(bytes([way]) * 32, n, "players"))
        tables.change(code, lambda transaction, move=move, n=n: transaction.play(move, f"t {n}"))
    raise AssertionError("the match does not end")


def built(tables, file):
    """Deal the cards at two tables. Fay is a friend of all players, who share results with her and
    are rated.
    """
    ids = {it: players.player(tables, key(it), it)[0] for it in (*NAMES, "Org", "Fay")}
    for name in (*NAMES, "Org"):
        feed.share(tables, key(name), True)
        leaderboards.want(tables, key(name), True, "friends")
        friends.take_link(tables, friends.new_link(tables, key(name)), ids["Fay"])
    feed.share(tables, key("Fay"), True)
    atom = feed.new_address(tables, key("Fay"), True)
    made = settings(format=Format.SWISS, duplicate=True, rounds=2)
    code = tournaments.open(tables, ids["Org"], made)
    for name in NAMES:
        tournaments.enter(tables, code, ids[name], name, f"cut of {name}")
    organizer.begin(tables, code, ids["Org"])
    settled(tables, code)
    for _, table, _ in pods(tables, code):
        for _, occupant in tables.get(table).table.sitting():
            start_match.ready(tables, table, occupant.player)
    settled(tables, code)
    one, two = (it for _, it, _ in pods(tables, code))
    late = tables.get(two).table.chairs[0].name
    who = {"late": late, "organiser": "Org", "friend": "Fay"}
    cookies = {it: f"kb=key-of-{name}" for it, name in who.items()} | {"stranger": ""}
    records = tuple(tables.get(it).table.record for it in (one, two))
    return World(file, code, (one, two), records, cookies, atom)


@contextmanager
def worlds(app):
    """Two worlds with different results at one table, while the other table still plays."""
    with folder_in_memory() as folder:
        first = folder / "0.sqlite3"
        shutil.copy(app.config["SERVER"].database_url.removeprefix("sqlite:///"), first)
        codes = iter(range(10_000_000, 99_999_999))
        fake_ids = FakeIds(seed=sequential_seeds(7), code=lambda: str(next(codes)))
        now = FakeClock()
        tables = TableService(opened(first), now=now, ids=fake_ids)
        world = built(tables, first)
        tables.database.close()
        found = [world, replace(world, file=folder / "1.sqlite3")]
        shutil.copy(first, found[1].file)
        outcomes = []
        for way, it in enumerate(found):
            tables = TableService(opened(it.file), now=now, ids=fake_ids)
            finish(tables, it.tables[0], 4 * way + 2)
            outcomes.append(tables.get(it.tables[0]).table.outcome)
            settled(tables, it.code)
            tables.database.close()
        assert outcomes[0].places != outcomes[1].places
        yield found


def opened(file):
    return Database(f"sqlite:///{file}", SECRET)


@pytest.fixture(scope="module")
def twins(one_app):
    with worlds(one_app) as found:
        yield found


CURRENT: list[World] = []  # the world being served, for planted leaks


@contextmanager
def serving(app, world, monkeypatch):
    """Serve a world with fixed random values and without caches."""
    now, fake_ids = FakeClock(), FakeIds(seed=sequential_seeds(9))
    kept = served(app, f"sqlite:///{world.file}", now, fake_ids)
    with kept as it, monkeypatch.context() as patched:
        patched.setitem(app.extensions, "kaboom.computed", OrderedDict())
        nothing_at_random(patched)
        CURRENT.append(world)
        try:
            yield it
        finally:
            CURRENT.pop()


def addresses(app, world):
    """Return all addresses of the tournament, its tables and records, and of a player's own pages;
    routes are found automatically.
    """
    plain = (
        "/",
        "/account",
        "/feed",
        "/leaderboards",
        "/turns",
        "/lobby",
        "/tournaments",
        "/daily",
    )
    found = []
    for rule in app.url_map.iter_rules():
        if "GET" not in rule.methods or rule.endpoint == "static":
            continue
        path = rule.rule.replace("<int(max=9999):round>", "1").replace("<int(max=9999):pod>", "1")
        path = path.replace("<int(max=99):number>", "1").replace("<int(max=99999):number>", "9")
        path = path.replace("<key>", "gops")
        if path.startswith("/tournaments/"):
            found.append(path.replace("<code>", world.code))
        elif path.startswith("/m/"):
            found.append(path.replace("<code>", world.records[0]))
        elif path.startswith("/t/"):
            found += [path.replace("<code>", it) for it in world.tables]
        elif path.startswith("/feed/"):
            found.append(path.replace("<secret>", world.atom))
        elif "<" not in path and path.startswith(plain) and (path != "/" or rule.rule == "/"):
            found.append(path)
    known = [it for it in sorted(set(found)) if "<" not in it]
    more = (f"/tournaments/{world.code}/standings?find=me", f"/t/{world.tables[1]}.say?about=last")
    return [it for it in known if not it.startswith(("/static", "/metrics"))] + list(more)


def asked(app, world, asks, monkeypatch):
    """Return every answer of the server in a world, by request."""
    with serving(app, world, monkeypatch) as tables:
        told = {}
        for viewer, path, accept in asks:
            headers = {"Cookie": world.cookies[viewer], "Accept": accept}
            response = app.test_client(use_cookies=False).get(path, headers=headers)
            body = response.get_data()
            response.close()
            assert response.status_code < 500, (viewer, path)
            kept = [(name, EXPIRES.sub("", it)) for name, it in response.headers if name != "Date"]
            told[viewer, path, accept] = (response.status_code, kept, body)
        late = players.known(tables, key(world.cookies["late"].removeprefix("kb=key-of-")))[0]
        told["call"] = due(tables, world.tables[1], late)
        told["signals"] = signalled(tables, world)
        return told


def signalled(tables, world):
    """Return the updates of open pages after another run of the scheduler."""
    heard = []
    tables.signals = replace(tables.signals, changed=lambda *given: heard.append(given))
    direct(tables, world.code)
    return heard


def differing(app, twins, asks, monkeypatch):
    """Return the answers that differ in the other world."""
    one, other = (asked(app, it, asks, monkeypatch) for it in twins)
    return [ask for ask in one if one[ask] != other[ask]]


def all_asks(app, world, share=0, shares=1):
    known = [
        (viewer, path, accept)
        for path in addresses(app, world)
        for viewer in VIEWERS
        for accept in (VOICES if path.startswith(("/tournaments/", "/m/")) else VOICES[:1])
    ]
    return [it for n, it in enumerate(known) if (n + n // len(VIEWERS)) % shares == share]


def test_other_tables_results_leak_no_byte_until_all_played(one_app, twins, monkeypatch):
    """`make test` compares every third answer, which covers each address; KABOOM_LONG=1 all."""
    asks = all_asks(one_app, twins[0], shares=1 if LONG else 3)
    assert {it[1] for it in asks} == set(addresses(one_app, twins[0]))
    assert differing(one_app, twins, asks, monkeypatch) == []


@contextmanager
def later(twins, happens):
    """Both worlds after one more event in each."""
    with folder_in_memory() as folder:
        after = [replace(it, file=folder / f"{number}.sqlite3") for number, it in enumerate(twins)]
        for before, now in zip(twins, after, strict=True):
            shutil.copy(before.file, now.file)
            tables = TableService(opened(now.file), now=FakeClock(), ids=FakeIds())
            happens(tables, now)
            tables.database.close()
        yield after


def test_results_are_revealed_to_all_afterwards(one_app, twins, monkeypatch):
    def closed(tables, it):
        finish(tables, it.tables[1], 5)
        settled(tables, it.code)
        assert not get_tournament(tables, it.code).of.secret

    with later(twins, closed) as after:
        it = after[0]
        pages = ("", "/standings", "/round/1", "/view")
        asks = [("stranger", f"/tournaments/{it.code}{page}", VOICES[0]) for page in pages]
        asks += [("stranger", f"/tournaments/{it.code}", voice) for voice in VOICES[1:]]
        asks += [("stranger", f"/m/{it.records[0]}", VOICES[0]), ("friend", "/feed", VOICES[0])]
        asks += [("stranger", f"/feed/{it.atom}.atom", VOICES[0])]
        assert differing(one_app, after, asks, monkeypatch) == asks


# Leaks, planted


def result() -> str:
    """Return the first table's result, which must stay secret."""
    database = opened(CURRENT[-1].file)
    code = CURRENT[-1].records[0]
    wanted = select(models.matches.c.outcome).where(models.matches.c.code == code)
    found = str(database.read(lambda connection: connection.execute(wanted).scalar()))
    database.close()
    return found


def without_boards(old):
    """Return the query without its check that others still play the same cards."""
    matches = models.matches
    over = (~matches.c.hidden) & (matches.c.ended_at > feed_store.bindparam("since"))
    mine = select(*feed_store._result).where(matches.c.id.in_(feed_store._of_friends), over)
    return mine.order_by(*feed_store._last).limit(feed_store.bindparam("most"))


def adding(old):
    """Return a function whose answer also reveals the secret."""
    return lambda *given, **more: f"{old(*given, **more)} {result()}"


def won() -> bool:
    """Return True if the first seat has won there."""
    return json.loads(result())["places"][0] == 1


def turned_round(old):
    """Return a list in an order that reveals the result."""
    return lambda *given: list(old(*given))[:: 1 if won() else -1]


E, T, M = "/tournaments/{code}", "/t/{table}", "/m/{record}"
LEAKS = {
    "the state of the tournament": (
        "kaboom.tournaments.routes.state",
        adding,
        "stranger",
        E,
    ),
    "the number of a version": (
        "kaboom.tournaments.routes._version",
        adding,
        "late",
        E + "/view",
    ),
    "the order of equals": (
        "kaboom.tournaments.pages.standing_lines",
        turned_round,
        "late",
        E + "/standings",
    ),
    "standings for programs": (
        "kaboom.tournaments.routes.standing_lines",
        turned_round,
        "late",
        E,
    ),
    "the names of a round": (
        "kaboom.tournaments.pages.called",
        adding,
        "organiser",
        E + "/round/1",
    ),
    "the organiser's page": (
        "kaboom.tournaments.organizer_routes.state",
        adding,
        "organiser",
        E + "/manage",
    ),
    "a record that is open early": (
        "kaboom.tables.shared_deals.queries.BoardRow.is_closed",
        lambda old: lambda row, now: True,
        "stranger",
        M,
    ),
    "its file": (
        "kaboom.tables.shared_deals.queries.BoardRow.is_closed",
        lambda old: lambda row, now: True,
        "stranger",
        M + ".json",
    ),
    "a step of its replay": (
        "kaboom.tables.shared_deals.queries.BoardRow.is_closed",
        lambda old: lambda row, now: True,
        "late",
        M + "/20.txt",
    ),
    "a friend's feed": ("kaboom.records.feed_queries._friends", without_boards, "friend", "/feed"),
    "the same as Atom": (
        "kaboom.records.feed_queries._friends",
        without_boards,
        "stranger",
        "/feed/{atom}.atom",
    ),
    "a leaderboard": ("kaboom.ratings.routes.render", adding, "friend", "/leaderboards/gops"),
    "a table that can be watched": (
        "kaboom.tables.spectators.views._between",
        lambda old: lambda snapshot, now: snapshot,
        "stranger",
        T + ".json",
    ),
    "a stream": (
        "kaboom.tables.table.Table.revision",
        lambda old: lambda table, seat: old(table, seat) + won(),
        "late",
        "/t/{late}/events",
    ),
    "the words of the draw": (
        "kaboom.tournaments.cache.TournamentSnapshot.words",
        lambda old: property(lambda of: [result()]),
        "stranger",
        E + "/draw.json",
    ),
}


def test_scheduler_that_publishes_early_is_detected(one_app, twins, monkeypatch):
    monkeypatch.setattr("kaboom.tournaments.scheduler._all_played", lambda *given: True)
    with later(twins, lambda tables, it: settled(tables, it.code)) as after:
        asks = [("late", f"/tournaments/{twins[0].code}", VOICES[0])]
        assert differing(one_app, after, asks, monkeypatch)


@pytest.mark.parametrize(("target", "planted", "viewer", "path"), LEAKS.values(), ids=LEAKS)
def test_planted_leak_at_any_url_is_detected(
    target, planted, viewer, path, one_app, twins, monkeypatch
):
    old = pkgutil.resolve_name(target)
    world = twins[0]
    facts = {"code": world.code, "record": world.records[0], "atom": world.atom}
    at = path.format(**facts, table=world.tables[0], late=world.tables[1])
    voices = VOICES if path in (E, M) else VOICES[:1]
    asks = [(viewer, at, voice) for voice in voices]
    monkeypatch.setattr(target, planted(old))
    assert differing(one_app, twins, asks, monkeypatch)
