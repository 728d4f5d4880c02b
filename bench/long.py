"""Does a move cost more late in a match, or among many open tables? Measured at the service."""

import random
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from statistics import median

from sqlalchemy import Connection, insert, select

from bench.room import LEFT_ALONE, NAMES, database
from bench.table import Row, at_most
from kaboom.accounts import players as keys
from kaboom.db import models
from kaboom.db.database import Database
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.engine import prompt
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.play import service as in_match
from kaboom.tables.service import Tables
from kaboom.tables.table import Table

EARLY, LATE = 200, 2000
AROUND = 240  # moves measured around each: whole passes through the stock
TABLES = 1000
TARGET = 1.1


class Match:
    """A match of four at the table service, played on by draws and discards."""

    def __init__(self, tables: Tables, code: str = "") -> None:
        self.tables = tables
        self.players = [keys.player(tables, name, name)[0] for name in NAMES]
        self.code = code or self._open()
        self._numbers = count(1)

    def _open(self) -> str:
        game = GAMES["kaboom"]
        options = game.options(rounds=20)
        code = seating.open(self.tables, "kaboom", options, self.players[0], NAMES[0])
        for player, name in zip(self.players[1:], NAMES[1:], strict=True):
            seating.sit(self.tables, code, player, name)
        seating.start(self.tables, code, self.players[0])
        return code

    def move(self) -> float:
        """Make the first move that somebody has; return its milliseconds of processor time."""
        snapshot = self.tables.look(self.code)
        for seat, player in enumerate(self.players):
            for offer in prompt(snapshot.game, snapshot.state, seat).offers:
                if offer.verb not in LEFT_ALONE | {"take", "use", "keep", "replace"}:
                    cmd = f"{snapshot.table.seq} {next(self._numbers)}"
                    number, revision = snapshot.table.match, snapshot.table.revision(seat)
                    began = time.thread_time()
                    in_match.submit(
                        self.tables,
                        self.code,
                        player,
                        offer.verb,
                        offer.token,
                        cmd,
                        number,
                        revision,
                    )
                    return 1000 * (time.thread_time() - began)
        raise RuntimeError("nobody can move")

    def move_until(self, seq: int) -> None:
        """Play on to a move's number."""
        while self.tables.look(self.code).table.seq < seq:
            self.move()


def rows(folder: Path) -> list[Row]:
    """Compare a late move with an early one, and a table among many with one alone."""
    return [late(folder, LATE), among(folder, TABLES)]


def late(folder: Path, number: int) -> Row:
    """Return the cost of a late move by that of move 200, of two matches side by side."""
    tables = Tables(Database(database(folder, f"long-{number}")))
    early, old = Match(tables), Match(tables)
    early.move_until(EARLY - AROUND // 2)
    old.move_until(number - AROUND // 2)
    return compared(f"move {number:,}, × move {EARLY}", old.move, early.move)


def among(folder: Path, count: int, played: int = EARLY) -> Row:
    """Return the cost of a move while so many other tables are open, each after as many moves, by
    that without them.
    """
    alone = Match(Tables(Database(database(folder, f"alone-{count}"))))
    one = Match(Tables(Database(database(folder, f"among-{count}"))))
    for match in (alone, one):
        match.move_until(played)
    codes = one.tables.database.write(lambda connection: multiply(connection, one.code, count))
    others = [Match(one.tables, code) for code in codes]
    for other in others:
        one.tables.look(other.code)
    chance = random.Random(7)

    def among_others() -> float:
        chance.choice(others).move()  # the others play too, which is not measured
        return one.move()

    return compared(f"a move among {count:,} open tables, × alone", among_others, alone.move)


def compared(name: str, one: Callable[[], float], other: Callable[[], float]) -> Row:
    """Return the row of the ratio of two costs, measured by turns."""
    pairs = [(one(), other()) for _ in range(AROUND)]
    ones, others = (median(column) for column in zip(*pairs, strict=True))
    return at_most(name, ones / others, TARGET, more=f"{ones:.2f} ms, {others:.2f} ms")


def multiply(connection: Connection, code: str, count: int) -> list[str]:
    """Copy a table with its match and log so many times; return the codes."""
    table = connection.execute(select(models.tables).where(models.tables.c.code == code))
    table = table.mappings().one()
    match = connection.execute(select(models.matches)).mappings().one()
    log = connection.execute(select(models.moves)).mappings().all()
    seal = connection.info["seal"]
    body = from_json(seal.open(table["body"], "table"), Table)
    codes = []
    for new in range(1000, 1000 + count):
        codes.append(f"{code[:3]}{new:05}")
        body.match_id = new
        sealed = seal.close(to_json(body), "table")
        copy = {"id": new, "code": codes[-1], "match_id": new, "body": sealed}
        played = {"id": new, "table_id": new, "code": f"{match['code'][:-5]}{new:05}"}
        connection.execute(insert(models.tables), dict(table) | copy)
        connection.execute(insert(models.matches), dict(match) | played)
        connection.execute(insert(models.moves), [dict(row) | {"match_id": new} for row in log])
    return codes
