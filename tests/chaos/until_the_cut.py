"""Plays matches of every game on a store of its own, and writes down what it was told is done.

`python -m tests.chaos.until_the_cut FOLDER MOVES SEED` plays on the store in FOLDER; each
line of the file TOLD there was written after the change had come back as made. Now and then the
server ends and starts again. The same seed makes the same moves and, with power_cut.c, the same
journal.
"""

import json
import os
import random
import sys
from itertools import count
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import event

from kaboom.accounts import players as keys
from kaboom.db.database import Database
from kaboom.db.ids import Lots
from kaboom.engine.moves import CLOCK
from kaboom.engine.rng import Chance
from kaboom.engine.toolkit.playthrough import NAMES, random_turn
from kaboom.games import GAMES, sample
from kaboom.lobby import service as seating
from kaboom.play import service as in_match
from kaboom.tables.service import Tables
from tests.support.server import SECRET

STORE, TOLD = "kaboom.sqlite3", "told"  # files
RESTART = 170  # moves after which the server ends and starts again


class Told(NamedTuple):
    """Somebody was told that this move is made; where `seq` is 0, that the match has begun."""

    code: str
    match_id: int
    seq: int
    cmd: str = ""


def opened(tables: Tables, key: str) -> str:
    """Return the code of a new table with as few people as play the game."""
    options = GAMES[key].options(**sample(key).short)
    people = NAMES[: GAMES[key].seats(options)[0]]
    players = [keys.player(tables, f"{key} {name}", name)[0] for name in people]
    code = seating.open(tables, key, options, players[0], people[0])
    for player, name in zip(players[1:], people[1:], strict=True):
        seating.sit(tables, code, player, name)
    return code


def played_on(tables: Tables, code: str, chance: random.Random) -> Told:
    """Make a random move at a table, or begin its next match; return what is then told."""
    seen = tables.look(code)
    table = seen.table
    if not table.playing:
        begun = seating.start(tables, code, table.host).table
        return Told(code, begun.match_id, 0)
    dice = Chance(chance.randbytes(32), 0, "players")
    move = random_turn(seen.game, seen.state, len(table.seats), dice)
    cmd = f"c{table.seq + 1}"
    if move.seat == CLOCK:
        tables.change(code, lambda now: now.play(move, cmd))
        return Told(code, table.match_id, table.seq + 1, cmd)
    chair, offer = table.chairs[move.seat], seen.prompts[move.seat].offer(move.verb)
    words = " ".join((move.verb, *move.choices))
    revision = table.revision(move.seat)
    in_match.submit(tables, code, chair.player, words, offer.token, cmd, table.match, revision)
    return Told(code, table.match_id, table.seq + 1, f"{move.seat} {cmd}")


def always_the_same(seed: int) -> Lots:
    """Return codes and seeds that are the same in each run."""
    numbers = count(seed + 1)
    return Lots(lambda: next(numbers).to_bytes(32, "big"), str, lambda: f"{next(numbers):08}")


def store(folder: Path) -> Database:
    """Return the store as Kaboom has it; PLANTED_SYNCHRONOUS plants a worse one."""
    database = Database(f"sqlite:///{folder / STORE}", SECRET)
    planted = os.environ.get("PLANTED_SYNCHRONOUS")
    if planted:

        def worse(connection, record):
            connection.execute(f"PRAGMA synchronous={planted}")

        event.listen(database._writer, "connect", worse)
    return database


def play(folder: Path, moves: int, seed: int) -> None:
    """Play that many moves, at one table after the other."""
    lots = always_the_same(seed)
    chance = random.Random(seed)
    told = os.open(folder / TOLD, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    codes: list[str] = []
    for begun in range(0, moves, RESTART):
        database = store(folder)
        tables = Tables(database, now=count(1_000_000.0 + begun).__next__, lots=lots)
        codes = codes or [opened(tables, key) for key in GAMES]
        for number in range(begun, min(moves, begun + RESTART)):
            done = played_on(tables, codes[number % len(codes)], chance)
            os.write(told, json.dumps(done).encode() + b"\n")
        if begun + RESTART < moves:
            database.close()
    os._exit(0)  # no tidying up: the files stay as a server leaves them that is running


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
