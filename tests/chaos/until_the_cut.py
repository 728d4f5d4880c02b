"""Plays matches of every game on a separate store, and records the acknowledgements.

`python -m tests.chaos.until_the_cut FOLDER MOVES SEED` plays on the store in FOLDER; each line of
the file TOLD is written after a change was acknowledged. Now and then the server stops and
restarts. The same seed makes the same moves and, with power_cut.c, the same journal.
"""

import json
import os
import random
import sys
from itertools import count
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import event

from kaboom.accounts import players as players_module
from kaboom.db.database import Database
from kaboom.db.ids import Ids
from kaboom.engine.moves import CLOCK
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.playthrough import NAMES, random_turn
from kaboom.games import GAMES, sample
from kaboom.lobby import service as lobby
from kaboom.table_page import service as match
from kaboom.tables import start_match
from kaboom.tables.service import TableService
from tests.support.server import SECRET

STORE, TOLD = "kaboom.sqlite3", "told"  # files
RESTART = 170  # moves between restarts of the server


class Told(NamedTuple):
    """An acknowledgement of a move; with `seq` 0, of the match's start."""

    code: str
    match_id: int
    seq: int
    cmd: str = ""


def opened(tables: TableService, key: str) -> str:
    """Return the code of a new table with the minimum number of people."""
    options = GAMES[key].options(**sample(key).short)
    people = NAMES[: GAMES[key].seats(options)[0]]
    players = [players_module.player(tables, f"{key} {name}", name)[0] for name in people]
    code = lobby.open(tables, key, options, players[0], people[0])
    for player, name in zip(players[1:], people[1:], strict=True):
        lobby.sit(tables, code, player, name)
    return code


def played_on(tables: TableService, code: str, rng: random.Random) -> Told:
    """Make a random move at a table, or start its next match; return the acknowledgement."""
    seen = tables.get(code)
    table = seen.table
    if not table.playing:
        begun = start_match.start(tables, code, table.host).table
        return Told(code, begun.match_id, 0)
    dice = Rng(rng.randbytes(32), 0, "players")
    move = random_turn(seen.game, seen.state, len(table.seats), dice)
    cmd = f"c{table.seq + 1}"
    if move.seat == CLOCK:
        tables.change(code, lambda now: now.play(move, cmd))
        return Told(code, table.match_id, table.seq + 1, cmd)
    occupant, offer = table.chairs[move.seat], seen.prompts[move.seat].offer(move.verb)
    words = " ".join((move.verb, *move.choices))
    revision = table.revision(move.seat)
    match.submit(tables, code, occupant.player, words, offer.token, cmd, table.match, revision)
    return Told(code, table.match_id, table.seq + 1, f"{move.seat} {cmd}")


def always_the_same(seed: int) -> Ids:
    """Return codes and seeds that are the same in each run."""
    numbers = count(seed + 1)
    return Ids(lambda: next(numbers).to_bytes(32, "big"), str, lambda: f"{next(numbers):08}")


def store(folder: Path) -> Database:
    """Return the store with Kaboom's settings, or a worse PLANTED_SYNCHRONOUS."""
    database = Database(f"sqlite:///{folder / STORE}", SECRET)
    planted = os.environ.get("PLANTED_SYNCHRONOUS")
    if planted:

        def worse(connection, record):
            connection.execute(f"PRAGMA synchronous={planted}")

        event.listen(database._writer, "connect", worse)
    return database


def play(folder: Path, moves: int, seed: int) -> None:
    """Play that many moves, table by table."""
    fake_ids = always_the_same(seed)
    rng = random.Random(seed)
    told = os.open(folder / TOLD, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    codes: list[str] = []
    for begun in range(0, moves, RESTART):
        database = store(folder)
        tables = TableService(database, now=count(1_000_000.0 + begun).__next__, ids=fake_ids)
        codes = codes or [opened(tables, key) for key in GAMES]
        for number in range(begun, min(moves, begun + RESTART)):
            done = played_on(tables, codes[number % len(codes)], rng)
            os.write(told, json.dumps(done).encode() + b"\n")
        if begun + RESTART < moves:
            database.close()
    os._exit(0)  # no shutdown: the files stay as a running server leaves them


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
