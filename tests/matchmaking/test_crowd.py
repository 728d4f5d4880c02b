"""A crowd looks for games: no player sits at two tables, and none is lost when a worker is
killed.
"""

import random
from collections import Counter

import pytest

from kaboom.matchmaking import queries as store
from kaboom.matchmaking import service
from kaboom.matchmaking.service import Wanted
from kaboom.social.friends import queries as friends
from tests.support.effort import LONG
from tests.tables.test_service import people

CROWD = 2000 if LONG else 120
BLOCKS, KILLED = CROWD // 3, 0.1
WISHES = [
    Wanted("kaboom"), Wanted("gops"), Wanted(""), Wanted("taken"), Wanted("gops", 0, True),
    Wanted("koth"), Wanted("gops", 2),
]  # fmt: skip


class Killed(BaseException):
    """A worker that dies at this point."""


@pytest.mark.slow
def test_each_player_of_a_crowd_is_seated_once_despite_blocks(tables, monkeypatch):
    rng, crowd = random.Random(51), people(tables, *(f"P{n}" for n in range(CROWD)))
    pairs = {tuple(rng.sample(crowd, 2)) for _ in range(BLOCKS)}
    tables.database.write(
        lambda c: [friends.block(c, one, two, tables.now()) for one, two in pairs]
    )
    dies, real_wait, real_begin = [False], store.add_wait, service._begin

    def add_wait(*values):
        real_wait(*values)
        if dies[0]:
            raise Killed  # everything is written, nothing is committed

    def begin(*values):
        if dies[0]:
            raise Killed  # the table is committed, and its match has not begun
        real_begin(*values)

    monkeypatch.setattr(store, "add_wait", add_wait)
    monkeypatch.setattr(service, "_begin", begin)
    waiting, seated, coming = {}, {}, [*crowd]
    for _round in range(200 + CROWD):
        tables.now.sleep(1)
        new = [coming.pop() for _ in range(min(len(coming), rng.randrange(4)))]
        for player in [*new, *rng.sample(sorted(waiting), len(waiting))]:
            dies[0] = rng.random() < KILLED
            try:
                if player not in waiting:
                    waiting[player] = rng.choice(WISHES)
                    found = service.join(tables, player, f"P{player}", waiting[player])
                else:
                    found = service.beat(tables, player)
                    if found is None:  # the worker died before writing anything
                        found = service.join(tables, player, f"P{player}", waiting[player])
            except Killed:
                continue
            if found.code:
                seated[player] = found.code
                del waiting[player]
        if not coming and not waiting:
            break
    dies[0] = False
    sat = Counter()
    for code in {*seated.values()}:
        table = tables.get(code).table
        here = [it.player for _seat, it in table.sitting() if it.player]
        sat.update(here)
        assert table.playing
        assert all(seated.get(player) == code for player in here)
        assert not any({one, two} <= {*here} for one, two in pairs)
    assert max(sat.values()) == 1, "no player sits at two tables"
    assert {*sat} | {*waiting} == {*crowd}, "no player is lost"
    assert len(waiting) <= 12, "only a player without a partner keeps waiting"
