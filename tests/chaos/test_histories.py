"""What players and spectators of one match saw through two workers agrees with one log."""

import os
import random
import threading
import time
from dataclasses import dataclass, field

import pytest

from kaboom.accounts import players as players_module
from kaboom.db.database import Database, Unavailable
from kaboom.engine.engine import random_move
from kaboom.engine.moves import Refusal
from kaboom.engine.rng import Rng
from kaboom.games import GAMES, sample
from kaboom.lobby import service as lobby
from kaboom.records.verify import check
from kaboom.table_page import service as match_service
from kaboom.tables import start_match
from kaboom.tables.service import TableService
from tests.chaos.history import Read, Write, faults
from tests.chaos.play import matches_of
from tests.conftest import sqlite_url
from tests.support.effort import often
from tests.support.server import SECRET

__all__ = ["sqlite_url"]  # in memory: no power is cut here

HISTORIES = int(os.environ.get("KABOOM_HISTORIES", "1"))  # of each game on each store
OPERATIONS = often(200, soak=500)  # in each
SEED = int(os.environ.get("KABOOM_SEED") or random.randrange(10**6))


@dataclass
class Client:
    """A viewer who reads and, with a seat, moves, each time through a random worker."""

    name: str
    player: int | None
    workers: list[TableService]
    code: str
    rng: random.Random
    writes: list[Write] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)

    def act(self, over: threading.Event) -> None:
        """Read or move repeatedly until the end."""
        while not over.is_set():
            if self.player is None or self.rng.random() < 0.2:
                self.look()
                over.wait(self.rng.uniform(0, 0.01))
            else:
                self.move()

    def look(self) -> None:
        """Read the length of the log, or the revision of the viewer's page."""
        worker = self.rng.choice(self.workers)
        began = time.monotonic()
        if self.rng.random() < 0.5:
            number = worker.revision(self.code, self.name)
            self.reads.append(Read(self.name, began, time.monotonic(), number))
        else:
            table = worker.get(self.code).table
            ended = time.monotonic()
            self.reads.append(Read(self.name, began, ended, table.seq, table.chain))

    def move(self) -> None:
        """Send a recently possible move, now and then twice; otherwise let time pass."""
        seen = self.rng.choice(self.workers).get(self.code, self.name)
        seat = seen.me
        number = len(self.writes)
        cmd = f"{self.name} {number}"
        rng = Rng(self.rng.randbytes(32), number, self.name)
        move = random_move(seen.game, seen.state, seat, rng)
        if move is None:
            self.rng.choice(self.workers).run_due(self.code)
            time.sleep(0.001)
            return
        began = time.monotonic()
        done = self.submit(seen, move, cmd)
        self.writes.append(Write(f"{seat} {cmd}", began, time.monotonic(), refused=not done))
        if done and self.rng.random() < 0.2:
            assert self.submit(seen, move, cmd), "a repeated request gets the same answer"

    def submit(self, seen, move, cmd: str) -> bool:
        """Return True if a move is acknowledged; while the store is busy it is sent again."""
        text = str(move).partition(" ")[2]
        token = seen.prompts[move.seat].offer(move.verb).token
        match, revision = seen.table.match, seen.table.revision(move.seat)
        while True:
            try:
                worker = self.rng.choice(self.workers)
                match_service.submit(
                    worker, self.code, self.player, text, token, cmd, match, revision
                )
                return True
            except Refusal:
                return False
            except Unavailable:
                continue


@pytest.fixture
def workers(store_url):
    databases = [Database(store_url, SECRET) for _ in range(2)]
    yield [TableService(database) for database in databases]
    for database in databases:
        database.close()


@pytest.mark.parametrize("key", sorted(GAMES))
def test_concurrent_actions_and_views_are_linearizable(workers, key):
    for number in range(HISTORIES):
        seed = f"{SEED} {key} {number}"
        clients = sat_down(workers, key, seed)
        over = threading.Event()
        threads = [threading.Thread(target=client.act, args=(over,)) for client in clients]
        for thread in threads:
            thread.start()
        until = time.monotonic() + 60
        # Enough moves are made even on a busy machine; views alone would be no history.
        while (
            sum(len(client.writes) + len(client.reads) for client in clients) < OPERATIONS
            or acknowledged(clients) <= OPERATIONS / 10
        ):
            assert time.monotonic() < until, f"seed {SEED}: no player can move"
            time.sleep(0.01)
        over.set()
        for thread in threads:
            thread.join()
        code = clients[0].code
        ((match, log),) = matches_of(workers[0].database, code)
        writes = [write for client in clients for write in client.writes]
        reads = [read for client in clients for read in client.reads]
        key_of = workers[0].get(code).key
        assert list(faults(log, match.seed, key_of, writes, reads)) == [], f"seed {SEED}"
        assert check(workers[1], code).wrong == []
        done = acknowledged(clients)
        print(f"KABOOM_SEED={SEED}: {done} acknowledged of {len(writes)}, {len(reads)} looks")


def acknowledged(clients):
    """Return the number of their operations that were accepted."""
    return sum(not write.refused for client in clients for write in client.writes)


def sat_down(workers, key, seed):
    """Return the people of a running match, and two spectators."""
    game, tables = GAMES[key], workers[0]
    options = game.options(**sample(key).long)
    names = ["Ann", "Ben", "Cid", "Dot", "Eve"][: max(3, game.seats(options)[0])]
    names = names[: game.seats(options)[-1]]
    players = [players_module.player(tables, name, name)[0] for name in names]
    code = lobby.open(tables, key, options, players[0], names[0])
    for player, name in zip(players[1:], names[1:], strict=True):
        lobby.sit(tables, code, player, name)
    start_match.start(tables, code, players[0])
    people = [*zip(names, players, strict=True), ("Fay", None), ("Gus", None)]
    return [
        Client(name, player, workers, code, random.Random(f"{seed} {name}"))
        for name, player in people
    ]
