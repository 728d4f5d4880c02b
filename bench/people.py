"""What somebody's own pages cost in a store of many people: `python -m bench.people`.

Somebody with friends, clubs, tables and matches is put into an empty store, and their pages are
timed; then 100,000 others with 1,000,000 matches are, and the same pages are timed again. With
`--database` on an empty PostgreSQL. Times are the least of some requests to the application
in this process.
"""

import argparse
import hashlib
import itertools
import random
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from sqlalchemy import Connection, Table

from bench.table import Row, at_most, printed
from kaboom.accounts import players as keys
from kaboom.app import create_app
from kaboom.config import ServerSettings
from kaboom.db import models
from kaboom.db.database import Database
from kaboom.db.migrate import upgrade
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.records import feed
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import service as people
from kaboom.tables.cleanup import stop
from kaboom.tables.service import Tables

SECRET = "a-secret-for-measuring-that-is-no-secret"
ANN = "the key of Ann"
TIMES = 3.0  # as long as in an empty store, at most
DAY = 24 * 3600.0
FRIENDS = 30
OWN = 200  # matches
ASKED = 60  # times each page


def main() -> None:
    """Fill a store, and print what the pages cost before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", default="", help="an empty PostgreSQL; else a new SQLite")
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--matches", type=int, default=1_000_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kaboom-people-") as folder:
        url = asked.database or f"sqlite:///{Path(folder) / 'kaboom.sqlite3'}"
        print(printed(measured(url, asked.players, asked.matches)))


def measured(url: str, others: int, matches: int, own: int = OWN) -> list[Row]:
    """Return what each page of Ann's costs in that store, beside what it did when it was empty.

    `own` matches are of Ann and those around her.
    """
    upgrade(url, SECRET)
    app = create_app(ServerSettings(url, SECRET, rate_limits=False, clock=False))
    tables: Tables = app.config["TABLES"]
    pages = own_world(tables, own)
    client = app.test_client()
    client.set_cookie("kb", ANN)
    before = times(client, pages)
    began = time.monotonic()
    fill(tables.database, others, matches)
    print(f"{others:,} players, {matches:,} matches in {time.monotonic() - began:.0f} s")
    after = times(client, pages)
    app.extensions["kaboom.calls"].close()  # which the tables of Ann have woken
    app.extensions["kaboom.hub"].close()
    tables.database.close()
    return [
        at_most(f"{page}: {before[page]:.1f} ms, then {after[page]:.1f} ms", ratio, TIMES)
        for page in pages
        for ratio in [after[page] / before[page]]
    ]


def own_world(tables: Tables, matches: int) -> dict[str, str]:
    """Give Ann friends who share, clubs, tables and matches; return her pages by name."""
    hashes = [hashlib.sha256(key.encode()).hexdigest() for key in names(FRIENDS)]
    circle = [
        keys.player(tables, key, name)[0] for key, name in zip(hashes, names(FRIENDS), strict=True)
    ]
    ann, gops = circle[0], GAMES["gops"].options()
    for it in circle[1:]:
        people.take_link(tables, people.new_link(tables, hashes[0]), it)
    for key in hashes:
        feed.share(tables, key, True)
    own = [clubs.found(tables, ann, f"Club {number}", "Ann") for number in range(3)]
    for code in own:
        link = clubs.new_link(tables, code, hashes[0])
        for it in circle[1:]:
            clubs.join(tables, link, it, "Friend")
    for number in range(matches):
        host = circle[number % FRIENDS]
        other = circle[(number + 1) % FRIENDS]
        code = seating.open(tables, "gops", gops, host, "Host", club=own[0] if number % 4 else "")
        seating.sit(tables, code, other, "Other")
        seating.start(tables, code, host)
        if number % 50:
            stop(tables, code)
    secret = feed.new_address(tables, hashes[0], True)
    return {
        "home": "/",
        "own page": "/me",
        "devices": "/me/devices",
        "keep": "/me/keep",
        "friends": "/me/friends",
        "calls": "/me/calls",
        "turns": "/turns",
        "clubs": "/me/clubs",
        "club": f"/c/{own[0]}",
        "results": "/feed",
        "results, Atom": f"/feed/{secret}.atom",
        "coming in": "/in",
    }


def names(count: int) -> list[str]:
    """Return keys of that many people, Ann's first; they are called so, too."""
    return [ANN, *(f"friend {number}" for number in range(1, count))]


def times(client: FlaskClient, pages: dict[str, str]) -> dict[str, float]:
    """Return the least time of each page in milliseconds; they take turns.

    The least: what else the machine does can only lengthen the others.
    """
    found = dict.fromkeys(pages, float("inf"))
    for _ in range(ASKED):
        for name, path in pages.items():
            began = time.perf_counter()
            answer = client.get(path)
            took = 1000 * (time.perf_counter() - began)
            assert answer.status_code == 200, (path, answer.status_code)
            found[name] = min(found[name], took)
    return found


# Many people


def fill(database: Database, others: int, matches: int) -> None:
    """Store that many more people, with what they would have, and their matches."""
    dice, first = random.Random(1), 1_000_000  # an id beyond all that there are
    them = range(first, first + others)
    now = time.time()
    clubs_made = range(first, first + max(1, others // 50))
    tables_made = range(first, first + max(1, others // 5))

    def somebody() -> int:
        return dice.choice(them)

    def pairs(count: int) -> Iterator[tuple[int, int]]:
        made = {(somebody(), somebody()) for _ in range(count)}
        return ((one, two) for one, two in sorted(made) if one != two)

    both = {pair for one, two in pairs(others * 5) for pair in ((one, two), (two, one))}
    rows: dict[Table, Iterable[dict[str, Any]]] = {
        models.players: (
            {"id": it, "key_hash": f"key {it}", "name": f"P{it}", "created_at": 0, "acted_at": now}
            for it in them
        ),
        models.keys: (
            {"key_hash": f"key {it}", "player_id": it, "device": "", "made_day": 1, "seen_day": 1}
            for it in them
        ),
        models.accounts: (
            {
                "player_id": it, "handle": f"h{it}", "look": f"h{it}", "password": "",
                "words_hash": f"w{it}", "present": False, "made_at": 0, "shares": it % 2 == 0,
            }
            for it in them
            if it % 3 == 0
        ),
        models.friends: (
            {"player_id": one, "friend_id": two, "since": 0} for one, two in sorted(both)
        ),
        models.asks: ({"from_id": one, "to_id": two, "at": 0} for one, two in pairs(others // 5)),
        models.blocks: ({"from_id": one, "to_id": two, "at": 0} for one, two in pairs(others // 5)),
        models.mutes: ({"player_id": one, "muted_id": two} for one, two in pairs(others // 5)),
        models.rule_sets: (
            {"id": it, "player_id": it, "game": "gops", "name": "Mine", "options": ""}
            for it in them
            if it % 5 == 0
        ),
        models.clubs: (
            {
                "id": it, "code": f"C{it}", "name": f"Club {it}", "asking": False,
                "phrases": False, "links": 0, "made_at": 0,
            }
            for it in clubs_made
        ),
        models.members: (
            {
                "club_id": dice.choice(clubs_made), "player_id": it, "standing": "member",
                "name": f"P{it}", "since": 0,
            }
            for it in them
        ),
        models.tables: (
            {
                "id": it, "code": f"T{it}", "game": "gops", "match_id": None, "version": 1,
                "due_at": None, "body": b"x", "listed": False, "password": "", "talk": 0,
                "created_at": 0, "touched_at": now, "club_id": dice.choice(clubs_made),
            }
            for it in tables_made
        ),
        models.sittings: (
            {
                "player_id": it, "table_id": dice.choice(tables_made), "sat": True,
                "webhook": "", "failures": 0, "snoozed_until": None,
            }
            for it in them
        ),
        models.lines: (
            {
                "id": it, "table_id": dice.choice(tables_made), "player_id": it, "name": "x",
                "text": "Well", "phrase": "", "at": now, "match": 1, "watcher": False,
            }
            for it in them
        ),
        models.ways: (
            {
                "id": it, "player_id": it, "kind": "json", "address": b"x", "print": f"p{it}",
                "table_id": None, "made_at": now, "checked_at": now, "failures": 0, "sent_at": now,
                "secret_hash": None,
            }
            for it in them
            if it % 5 == 0
        ),
        models.call_settings: (
            {
                "player_id": it, "quiet_from": None, "quiet_to": None, "zone": "UTC", "digest": 0,
                "language": "en", "base": "", "feed_hash": f"f{it}", "feed": b"x",
                "results_hash": f"r{it}",
            }
            for it in them
            if it % 5 == 0
        ),
        models.matches: (
            {
                "id": it, "code": f"M{it}", "table_id": dice.choice(tables_made), "number": it,
                "game": dice.choice(("gops", "taken", "kaboom")), "game_version": 1,
                "options": "{}", "names": '["Ann","Ben"]', "seed": b"x", "cuts": '["",""]',
                "started_at": now, "ended_at": now - dice.uniform(0, 300 * DAY),
                "outcome": '{"results":[[0],[1]],"reason":""}', "digest": None, "hidden": False,
                "levels": "[]", "drawn": "[]", "hands": 0,
                "club_id": dice.choice(clubs_made) if it % 3 == 0 else None,
            }
            for it in range(first, first + matches)
        ),
        models.parts: (
            {"match_id": it, "seat": seat, "player_id": somebody(), "place": seat + 1}
            for it in range(first, first + matches)
            for seat in range(2)
        ),
    }  # fmt: skip
    for table, made in rows.items():
        put(database, table, made)
    if not database.sqlite:  # as its own upkeep does after a while
        database.write(_look_at_it)


def _look_at_it(connection: Connection) -> None:
    connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
    connection.exec_driver_sql("ANALYZE")


def put(database: Database, table: Table, rows: Iterable[dict[str, Any]]) -> None:
    """Store rows, all of the same columns, as quickly as the store takes them."""
    first, rows = itertools.tee(rows)
    columns = list(next(first))
    del first  # or all rows would be kept for it
    values = (list(row.values()) for row in rows)
    listed = ", ".join(f'"{column}"' for column in columns)

    def work(connection: Connection) -> None:
        cursor = connection.connection.cursor()
        if database.sqlite:
            marks = ", ".join("?" for _ in columns)
            cursor.executemany(f"INSERT INTO {table.name} ({listed}) VALUES ({marks})", values)
            return
        cursor.execute("SET LOCAL statement_timeout = 0")
        with cursor.copy(f"COPY {table.name} ({listed}) FROM STDIN") as copy:
            for row in values:
                copy.write_row(row)

    database.write(work)


if __name__ == "__main__":
    main()
