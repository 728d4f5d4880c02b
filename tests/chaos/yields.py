"""Watches a server's greenlets while tables change: which of them yield inside a write transaction?

`python -m tests.chaos.yields URL` prints the program's yields as it is, then again with one yield
planted. PostgreSQL's driver may wait for its own socket there, and no other wait is allowed: a
greenlet that yields while it holds SQLite's lock, or a row's, lets the others run into that lock.
"""

from gevent import monkey

monkey.patch_all()

import json  # noqa: E402
import sys  # noqa: E402
from collections import Counter  # noqa: E402
from types import FrameType  # noqa: E402
from typing import Any  # noqa: E402

import gevent  # noqa: E402
import greenlet  # noqa: E402

from kaboom.accounts import players  # noqa: E402
from kaboom.db.database import Database  # noqa: E402
from kaboom.db.signals import Signals  # noqa: E402
from kaboom.engine.rng import Rng  # noqa: E402
from kaboom.engine.toolkit.playthrough import random_turn  # noqa: E402
from kaboom.games import GAMES  # noqa: E402
from kaboom.lobby import service as lobby  # noqa: E402
from kaboom.realtime.hub import Hub  # noqa: E402
from kaboom.tables import start_match  # noqa: E402
from kaboom.tables.service import TableService  # noqa: E402
from tests.support.server import SECRET  # noqa: E402

inside: set[Any] = set()  # greenlets that hold a write transaction
seen: Counter[str] = Counter()
wrong: list[str] = []
transaction = Database._transaction


def traced(event: str, args: tuple[Any, Any]) -> None:
    if event not in ("switch", "throw"):
        return
    origin, _ = args
    if origin not in inside:
        return
    names = _modules(origin.gr_frame)
    if any(name.startswith("psycopg") for name in names):
        seen["waits for the socket"] += 1
    else:
        wrong.append(" < ".join(names[:8]))


def _modules(frame: FrameType | None) -> list[str]:
    names = []
    while frame is not None:
        names.append(f"{frame.f_globals.get('__name__')}.{frame.f_code.co_name}")
        frame = frame.f_back
    return names


def main(url: str, planted: bool) -> None:
    seen.clear()
    wrong.clear()

    def watched(self: Database, work: Any) -> Any:
        greenlet.settrace(traced)  # each thread has its own
        me = greenlet.getcurrent()

        def work_inside(connection: Any) -> Any:
            inside.add(me)
            seen["transactions"] += 1
            if planted:
                gevent.sleep(0)
            return work(connection)

        try:
            return transaction(self, work_inside)
        finally:
            inside.discard(me)

    Database._transaction = watched  # type: ignore[method-assign]
    hub = Hub()
    tables = TableService(
        Database(url, SECRET), Signals(changed=lambda code, due_in: hub.publish(code))
    )
    ids = [players.player(tables, f"key {n}", f"Name {n}")[0] for n in range(4)]
    game = GAMES["kaboom"]
    codes = [lobby.open(tables, "kaboom", game.options(), ids[0], "Ann", 1) for _ in range(2)]
    for code in codes:
        start_match.start(tables, code, ids[0])

    def play(number: int) -> None:
        code = codes[number % 2]
        for n in range(8):

            def move(transaction: Any, n: int = n) -> None:
                rng = Rng(b"\1" * 32, transaction.table.seq, "players")
                made = random_turn(transaction.game, transaction.state, 2, rng)
                transaction.play(made, f"{number} {n}")

            tables.change(code, move)

    gevent.joinall([gevent.spawn(play, number) for number in range(6)], raise_error=True)
    tables.database.close()
    print(json.dumps(seen | {"wrong": wrong}))


if __name__ == "__main__":
    main(sys.argv[1], planted=False)
    main(sys.argv[1], planted=True)
